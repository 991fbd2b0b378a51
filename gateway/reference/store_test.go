package reference

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// stores makes a store of each kind.
func stores(t *testing.T, most int) map[string]store {
	t.Helper()
	disk, err := openDurable(t.TempDir(), 1, most)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = disk.close() })
	return map[string]store{"memory": newVolatile(most), "disk": disk}
}

func TestStoresKeepTheNewestAndForgetTheOldest(t *testing.T) {
	const most = 10
	for name, s := range stores(t, most) {
		kept := func(key string) (value string, found bool) {
			if err := s.look(func(l ledger) { value, found = l.get(files, key) }); err != nil {
				t.Fatal(err)
			}
			return value, found
		}
		for i := range 35 {
			if err := s.step(func(l ledger) { l.put(files, fmt.Sprint(i), "") }); err != nil {
				t.Fatal(err)
			}
			count := 0
			for j := range i + 1 {
				value, found := kept(fmt.Sprint(j))
				if found {
					count++
				}
				if newest := j > i-most; newest && !found || value != "" {
					t.Fatalf("%s: after %d entries, entry %d: %q %v", name, i+1, j, value, found)
				}
			}
			if count > 2*most {
				t.Fatalf("%s: %d of %d entries are kept, expected at most %d", name, count, i+1, 2*most)
			}
		}
		if _, found := kept("nothing"); found {
			t.Errorf("%s: found what nobody put", name)
		}
	}
}

func TestDataOutlivesARestart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	g := tryWith(t, Options{Data: folder})
	transaction, text := uuid.NewString(), jsonOf(g.person())
	id := objectOf(t, g.createText(text, "x-transaction-uuid", transaction))["id"].(string)
	g.upload(id, documentParts...)
	file := objectOf(t, g.export(`{"filter_text":"kept"}`, schemaHeader, "-"))["file_id"].(string)
	_, rows := g.fileOf(file)
	if _, err := New(Options{Seed: 7, Data: folder}); err == nil || !strings.Contains(err.Error(), "another gateway") {
		t.Errorf("a second gateway on the same folder: %v", err)
	}
	if err := g.store.close(); err != nil {
		t.Fatal(err)
	}

	again := tryWith(t, Options{Data: folder})
	if w := again.createText(text, "x-transaction-uuid", transaction); w.Code != 409 {
		t.Errorf("the creation again: %d, want 409", w.Code)
	}
	if w := again.upload(id, documentParts...); w.Code != 201 || len(objectOf(t, w)["documents"].([]any)) != 3 {
		t.Errorf("an upload for the representative: %d %s", w.Code, w.Body)
	}
	if w := again.export(`{"filter_text":"kept"}`, schemaHeader, "-"); w.Code != 409 {
		t.Errorf("the export again: %d, want 409", w.Code)
	}
	if status, same := again.fileOf(file); status != 200 || same != rows {
		t.Errorf("the file: %d %.80s", status, same)
	}
	if err := again.store.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Options{Seed: 8, Data: folder}); err == nil || !strings.Contains(err.Error(), "--seed 7") {
		t.Errorf("another seed: %v", err)
	}
}

func TestRacesHaveOneWinnerOnDisk(t *testing.T) {
	g := tryWith(t, Options{Data: t.TempDir()})
	for round := range 5 {
		body := fmt.Sprintf(`{"filter_text":"race %d"}`, round)
		got := together(16, func() int { return g.export(body, schemaHeader, "-").Code })
		if got[200] != 1 || got[409] != 15 {
			t.Fatalf("%v, want one 200 and fifteen 409", got)
		}
	}
}

// Replay protection remembers what it promises, and the oldest no longer.
func TestReplayMemoryIsBounded(t *testing.T) {
	g := tryWith(t, Options{Remember: 20})
	send := func(i int) int { return g.export(fmt.Sprintf(`{"filter_text":"%d"}`, i), schemaHeader, "-").Code }
	for i := range 100 {
		if got := send(i); got != 200 {
			t.Fatalf("export %d: %d", i, got)
		}
	}
	if newest, oldest := send(80), send(0); newest != 409 || oldest != 200 {
		t.Errorf("the twentieth from the end again: %d, want 409; the first: %d, want 200", newest, oldest)
	}
}
