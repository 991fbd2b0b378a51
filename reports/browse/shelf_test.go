package browse

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/archive"
)

func shelfOf(t *testing.T, dir string) *shelf {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := newShelf(root, dir, "")
	t.Cleanup(func() { _ = s.close() })
	return s
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

const found = `{"schema":"gateassay/load-capacity/v1","verdict":"pass","run":{"deployment":"staging","started_at":"2026-11-20T09:30:00Z"},"capacity":{"rate":210}}`

func TestAListDoesNotWaitForEver(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		write(t, filepath.Join(dir, fmt.Sprint("run", i), "run.json"), found)
	}
	s := shelfOf(t, dir)
	for range cap(s.turns) { // others are being read, and take long
		s.turns <- struct{}{}
	}
	list, notes := s.runs(t.Context(), time.Millisecond)
	if len(list) != 5 || !list[0].Pending || len(notes) != 1 ||
		!strings.Contains(notes[0], "5 of 5 runs are still being read") {
		t.Fatalf("%+v %q", list, notes)
	}
	for range cap(s.turns) {
		<-s.turns
	}
	if list, notes = s.runs(t.Context(), time.Minute); list[0].Pending || list[4].Capacity != 210 || len(notes) > 0 {
		t.Errorf("%+v %q", list, notes)
	}
	for _, e := range s.read { // what is known is not read again
		e.run.Capacity = 77
	}
	if list, _ = s.runs(t.Context(), time.Minute); list[0].Capacity != 77 {
		t.Error("a run was read twice")
	}
	if err := os.RemoveAll(filepath.Join(dir, "run1")); err != nil {
		t.Fatal(err)
	}
	if list, _ = s.runs(t.Context(), time.Minute); len(list) != 4 || len(s.read) != 4 {
		t.Errorf("%d runs, %d remembered", len(list), len(s.read))
	}
}

func TestClosingEndsWhatIsRead(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "run", "run.json"), found)
	s := shelfOf(t, dir)
	for range cap(s.turns) {
		s.turns <- struct{}{}
	}
	s.runs(t.Context(), 0)
	if err := s.close(); err != nil { // would wait for a turn for ever
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, read := s.find(ctx, "run"); read {
		t.Error("a closed folder is read")
	}
}

func TestUnpackedArchivesDoNotPileUp(t *testing.T) {
	source := t.TempDir()
	write(t, filepath.Join(source, "run.json"), found)
	dir := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	for i := range mostFolders + 5 {
		if _, err := archive.Pack(source, filepath.Join(dir, fmt.Sprintf("run%03d.tar.zst", i))); err != nil {
			t.Fatal(err)
		}
	}
	s := shelfOf(t, dir)
	places, _ := s.places()
	kept, release, err := s.files(places[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places[1:] {
		dir, release, err := s.files(p)
		if err != nil {
			t.Fatal(err)
		}
		again, releaseAgain, err := s.files(p)
		if err != nil || again != dir {
			t.Errorf("%s is unpacked twice: %s and %s, %v", p.path, dir, again, err)
		}
		release()
		releaseAgain()
	}
	folders, err := os.ReadDir(s.store.dir)
	if err != nil || len(folders) != mostFolders {
		t.Errorf("%d folders are left, %v", len(folders), err)
	}
	if _, err := os.Stat(filepath.Join(kept, "run.json")); err != nil {
		t.Errorf("what is in use was removed: %v", err)
	}
	release()
}

func TestThousandsOfRunsAreListedByTheHundred(t *testing.T) {
	dir := t.TempDir()
	for i := range 2000 {
		write(t, filepath.Join(dir, fmt.Sprintf("run%04d", i), "run.json"),
			strings.Replace(found, "09:30:00Z", fmt.Sprintf("%02d:%02d:00Z", i/60%24, i%60), 1))
	}
	write(t, filepath.Join(dir, "cut", "run.json"), "{")
	s := shelfOf(t, dir)
	began := time.Now()
	list, _ := s.runs(t.Context(), time.Minute)
	first := time.Since(began)
	began = time.Now()
	again, _ := s.runs(t.Context(), time.Minute)
	t.Logf("%d runs listed in %v, then in %v", len(list), first, time.Since(began))
	if len(list) != 2001 || len(again) != 2001 {
		t.Fatalf("%d and %d runs", len(list), len(again))
	}
	var p listPage
	for _, c := range []struct {
		asked              string
		page, first, last  int
		newer, older, runs int
	}{
		{"", 1, 1, 100, 0, 2, 100},
		{"2", 2, 101, 200, 1, 3, 100},
		{"21", 21, 2001, 2001, 20, 0, 1},
		{"99", 21, 2001, 2001, 20, 0, 1},
		{"-4", 1, 1, 100, 0, 2, 100},
		{"x", 1, 1, 100, 0, 2, 100},
	} {
		p.cut(list, c.asked)
		if p.Page != c.page || p.First != c.first || p.Last != c.last || p.Newer() != c.newer ||
			p.Older() != c.older || len(p.Runs) != c.runs {
			t.Errorf("page %q: %d, %d to %d, %d and %d beside it", c.asked,
				p.Page, p.First, p.Last, p.Newer(), p.Older())
		}
	}
}

func TestAFaultInOneRunLeavesTheOthers(t *testing.T) {
	s := shelfOf(t, t.TempDir())
	s.store = nil // reading an archive panics now
	write(t, filepath.Join(s.folderAt, "run", "run.json"), found)
	source := t.TempDir()
	write(t, filepath.Join(source, "journal.ndjson"), "{}")
	if _, err := archive.Pack(source, filepath.Join(s.folderAt, "a.tar.zst")); err != nil {
		t.Fatal(err)
	}
	list, _ := s.runs(t.Context(), time.Minute)
	for _, run := range list {
		if run.Archive != strings.Contains(run.Trouble, "a bug in this program") {
			t.Errorf("%s: %q", run.Path, run.Trouble)
		}
	}
	s.store = newStore()
}
