package browse

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

const (
	maxDepth   = 6       // maximum depth of folders below the served one
	maxEntries = 200_000 // maximum number of files and folders to visit
	maxRuns    = 500     // maximum number of runs to read, the latest
)

// listedRun is a recorded run in the list.
type listedRun struct {
	runFolder
	Kind recorded.Kind // empty: it could not be read
	recorded.RunHead
	Gist  string // result in a few words, or why it could not be read
	Shard bool   // load: one shard of a run

	Counts record.VerdictCounts // conformance
	// conformance: must rules that were not verified or inconclusive
	Open     int
	Latency  results.ServiceAndResponse
	Capacity float64 // requests per second
}

// runFolder is the folder where a run lies.
type runFolder struct {
	Path string // slash-separated path below the served folder; "." is that folder
	// the run is incomplete or still in progress: its record is rebuilt
	Unfinished bool
	key        string // changes with the record
	written    time.Time
}

// runIndex finds the runs below a folder and caches what it read of each until its files change.
type runIndex struct {
	root     *os.Root
	folderAt string // path of root

	mu    sync.Mutex
	known map[string]listedRun // by path
}

func openRunIndex(folder string) (*runIndex, error) {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() { // opening a pipe would block
		return nil, fmt.Errorf("%s is not a folder of runs", folder)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("the folder of runs cannot be opened: %w", err)
	}
	return &runIndex{root: root, folderAt: folder, known: map[string]listedRun{}}, nil
}

// newestRuns reads the latest runs, the latest first, and returns the number of all runs.
func (s *runIndex) newestRuns() (list []listedRun, all int, notes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	places, notes := s.findFolders()
	if len(places) > maxRuns {
		notes = append(notes, fmt.Sprintf("These are the latest %d of %d runs.", maxRuns, len(places)))
	}
	for _, p := range places[:min(maxRuns, len(places))] {
		r, known := s.known[p.Path]
		if !known || r.key != p.key {
			r = s.newListedRun(p)
			r.runFolder = p
			s.known[p.Path] = r
		}
		list = append(list, r)
	}
	return list, len(places), notes
}

// findFolders finds the runs below the folder, the latest first. It does not follow links. notes
// say what could not be read.
func (s *runIndex) findFolders() (list []runFolder, notes []string) {
	entries := 0
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		found, err := fs.ReadDir(s.root.FS(), dir)
		if err != nil {
			notes = append(notes, dir+" could not be read.")
			return
		}
		if p, is := s.folderOf(dir, found); is {
			list = append(list, p)
			return // folders below belong to the run: the probes of a search
		}
		for _, e := range found {
			if entries++; entries > maxEntries {
				return
			}
			if e.IsDir() && depth < maxDepth && !strings.HasPrefix(e.Name(), ".") {
				walk(path.Join(dir, e.Name()), depth+1)
			}
		}
	}
	walk(".", 0)
	notes = notes[:min(len(notes), 5)]
	if entries > maxEntries {
		notes = append(notes,
			fmt.Sprintf("Only the first %d files and folders were searched.", maxEntries))
	}
	slices.SortStableFunc(list, func(a, b runFolder) int {
		return cmp.Or(b.written.Compare(a.written), cmp.Compare(a.Path, b.Path))
	})
	return list, notes
}

// folderOf returns the run in a folder; false: it holds none.
func (s *runIndex) folderOf(dir string, entries []fs.DirEntry) (p runFolder, is bool) {
	p = runFolder{Path: dir, Unfinished: true}
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || !slices.Contains(runfolder.RecordNames(), name) {
			continue
		}
		info, err := s.root.Lstat(path.Join(dir, name))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		p.key += fmt.Sprintf("%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		if info.ModTime().After(p.written) {
			p.written = info.ModTime()
		}
		p.Unfinished = p.Unfinished && name != runfolder.RunName
	}
	return p, p.key != ""
}

// openRun reads the run at a path, or at a folder inside it.
func (s *runIndex) openRun(asked, folder string) (recorded.Run, error) {
	places, _ := s.findFolders()
	at := slices.IndexFunc(places, func(p runFolder) bool { return p.Path == asked })
	if at < 0 {
		return recorded.Run{}, errors.New("no such run is in this folder; it may have been moved or " +
			"removed")
	}
	return s.readRun(places[at], folder)
}

func (s *runIndex) readRun(p runFolder, folder string) (recorded.Run, error) {
	dir := filepath.Join(s.folderAt, filepath.FromSlash(p.Path))
	if err := s.checkRegularFiles(p.Path); err != nil {
		return recorded.Run{}, err
	}
	run, err := recorded.Open(filepath.Join(dir, folder))
	if err != nil { // without the path of the folder
		text := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
		return recorded.Run{}, errors.New(strings.ReplaceAll(text, dir, "this run"))
	}
	run.Path = p.Path
	return run, nil
}

// checkRegularFiles returns an error if the folder contains anything but files and folders: a link
// could lead outside, and opening a pipe would block.
func (s *runIndex) checkRegularFiles(dir string) error {
	seen := 0
	return fs.WalkDir(s.root.FS(), dir, func(name string, e fs.DirEntry, err error) error {
		switch seen++; {
		case seen > maxEntries:
			return errors.New("it holds too many files")
		case err != nil:
			return errors.New("its files cannot be listed")
		case !e.IsDir() && !e.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file", printable.Truncate(path.Base(name), 100))
		}
		return nil
	})
}

// newListedRun reads the data of a run for the list.
func (s *runIndex) newListedRun(p runFolder) (r listedRun) {
	defer func() { // a broken run must not break the pages of the others
		if fault := recover(); fault != nil {
			r = listedRun{Gist: fmt.Sprintf("it cannot be read because of a bug in this program: %v", fault)}
		}
	}()
	whole, err := s.readRun(p, "")
	if err != nil {
		return listedRun{Gist: errorSentence(err)}
	}
	r = listedRun{Kind: whole.Kind, RunHead: whole.RunHead}
	switch whole.Kind {
	case recorded.KindConformance:
		r.Counts = whole.Conformance.Counts
		for _, rule := range whole.Conformance.Rules {
			if rule.IsUndecided() {
				r.Open++
			}
		}
		rest := r.Counts
		rest.Pass, rest.Observed = 0, 0
		r.Gist = strings.TrimSuffix(
			fmt.Sprintf("%d passed, ", r.Counts.Pass)+digest.FormatTallies(rest), ", ")
	case recorded.KindLoad:
		run := whole.Load
		r.Latency, r.Gist = run.Latency, "nothing sent"
		if run.Requests.Sent > 0 {
			r.Gist = "p99 " + plot.UnitMilliseconds.FormatValue(r.Latency.Response.P99) + " at " +
				plot.UnitPerSecond.FormatValue(run.Rate.Achieved)
		}
		if part := whole.ShardText(); part != "" {
			r.Shard, r.Gist = true, part+", "+r.Gist
		}
	case recorded.KindCapacity:
		r.Capacity, r.Gist = whole.Capacity.Capacity.Rate, "none found"
		if r.Partial || p.Unfinished {
			r.Gist = printable.Quantity(len(whole.Capacity.Probes), "probe") + " so far"
		} else if r.Capacity > 0 {
			r.Gist = plot.UnitPerSecond.FormatValue(r.Capacity)
		}
	}
	return r
}
