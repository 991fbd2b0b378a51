package browse

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/reports/digest"
)

const (
	deepest     = 6       // folders below the one that is served
	mostEntries = 200_000 // files and folders that are looked at
	mostRuns    = 10_000  // that are listed
)

// place is where a run lies: a folder, or an archive.
type place struct {
	path    string // below the folder that is served, with slashes; "." is that one itself
	archive bool
	ended   bool   // it has a run.json
	key     string // changes when its record does
	written time.Time
}

// places finds the runs below the folder, the one written last first. Links are not followed. notes say what could not
// be looked at.
func (s *shelf) places() (list []place, notes []string) {
	entries := 0
	var unread []string
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		found, err := fs.ReadDir(s.root.FS(), dir)
		if err != nil {
			unread = append(unread, dir)
			return
		}
		if p := s.folder(dir, found); p.key != "" {
			list = append(list, p)
			return // what lies below belongs to it: the probes of a search
		}
		for _, e := range found {
			if entries++; entries > mostEntries || len(list) >= mostRuns {
				return
			}
			name := path.Join(dir, e.Name())
			switch {
			case strings.HasPrefix(e.Name(), "."):
			case e.IsDir() && depth < deepest:
				walk(name, depth+1)
			case archive.Is(e.Name()):
				list = append(list, s.archived(name)...)
			}
		}
	}
	walk(".", 0)
	if entries > mostEntries || len(list) >= mostRuns {
		notes = append(notes, fmt.Sprintf("This folder holds more than is searched: at most %d runs are shown.",
			mostRuns))
	}
	if len(unread) > 0 {
		notes = append(notes, printable.Clean(printable.Clip(digest.First(unread, 1, ""), 200))+" could not be read.")
	}
	slices.SortStableFunc(list,
		func(a, b place) int { return cmp.Or(b.written.Compare(a.written), cmp.Compare(a.path, b.path)) })
	return list, notes
}

// folder finds the run in a folder by its record. Without a key there is none.
func (s *shelf) folder(dir string, entries []fs.DirEntry) place {
	p := place{path: dir}
	for _, e := range entries {
		if slices.Contains(runfolder.Records(), e.Name()) && s.wrote(&p, path.Join(dir, e.Name())) {
			p.ended = p.ended || e.Name() == runfolder.RunName
		}
	}
	return p
}

// wrote takes note of a file of the record; false: it is not one that can be read.
func (s *shelf) wrote(p *place, name string) bool {
	info, err := s.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	p.key += fmt.Sprintf("%s %d %d\n", path.Base(name), info.Size(), info.ModTime().UnixNano())
	if info.ModTime().After(p.written) {
		p.written = info.ModTime()
	}
	return true
}

// archived takes note of an archive; what it holds is read later.
func (s *shelf) archived(name string) []place {
	p := place{path: name, archive: true, ended: true}
	if !s.wrote(&p, name) {
		return nil
	}
	return []place{p}
}

// plain refuses a folder with anything but files and folders below it: a link could lead out of what is served, and a
// pipe would be waited for.
func (s *shelf) plain(dir string) error {
	seen := 0
	return fs.WalkDir(s.root.FS(), dir, func(name string, e fs.DirEntry, err error) error {
		switch seen++; {
		case seen > mostEntries:
			return fmt.Errorf("it holds too many files")
		case err != nil:
			return fmt.Errorf("its files cannot be listed")
		case !e.IsDir() && !e.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file", printable.Clip(path.Base(name), 100))
		}
		return nil
	})
}

// openShelf opens a folder.
func openShelf(folder string) (*shelf, error) {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() { // a pipe would be waited for
		return nil, fmt.Errorf("%s is not a folder of runs", folder)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("the folder of runs cannot be opened: %w", err)
	}
	return &shelf{root: root, folderAt: folder, read: map[string]entry{}}, nil
}
