package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/must"
)

func TestTheStoreKeepsTheNewestAndForgetsTheOldest(t *testing.T) {
	const most = 10
	s := newStore(most)
	for i := range 35 {
		if err := s.step(func() { s.put(files, fmt.Sprint(i), "") }); err != nil {
			t.Fatal(err)
		}
		count := 0
		for j := range i + 1 {
			_, found := s.get(files, fmt.Sprint(j))
			if found {
				count++
			}
			if newest := j > i-most; newest && !found {
				t.Fatalf("after %d entries, entry %d is forgotten", i+1, j)
			}
		}
		if count > 2*most {
			t.Fatalf("%d of %d entries are kept, expected at most %d", count, i+1, 2*most)
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
	// All that was answered is in the log already. A kill may leave a part of a line behind it.
	log := must.Get(os.ReadFile(filepath.Join(folder, "gateway.ndjson")))(t)
	folder = t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(folder, "gateway.ndjson"), append(log, `[{"s":"files","k":"cut o`...), 0o600))
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
	must.Succeed(t, again.store.close())
	if _, err := New(Options{Seed: 8, Data: folder}); err == nil || !strings.Contains(err.Error(), "--seed 7") {
		t.Errorf("another seed: %v", err)
	}
}
