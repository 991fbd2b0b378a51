package browse

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// Run is one recorded run as the list shows it. Texts are as they were recorded; templates escape them.
type Run struct {
	Path    string // of its folder or archive, with slashes, below the one that is served; "." is that one itself
	Archive bool
	Kind    recorded.Kind // empty: it could not be read
	recorded.Head
	Trouble    string // why it could not be read; empty: it could
	Unfinished bool   // it was cut off, or is under way: what is shown comes from what it recorded as it went

	Counts   record.Counts // conformance
	Open     int           // conformance: must rules that were not verified or stayed inconclusive
	Rules    int
	Missed   int // load: thresholds
	Latency  results.Latency
	Rate     results.Rate
	Sent     int64
	Shard    string  // load: which part of a run this is; empty: the whole
	Capacity float64 // requests per second
	Probes   int     // capacity: rates that were tried, some more than once
}

// shelf finds the runs below a folder and remembers what it read of each until its files change.
type shelf struct {
	root     *os.Root
	folderAt string // path of root

	mu   sync.Mutex
	read map[string]entry // by path
}

type entry struct {
	key string
	run Run
}

// runs reads some of the runs, of those that were written last first, and says how many there are.
func (s *shelf) runs(from, most int) (list []Run, all int, notes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	places, notes := s.places()
	for _, p := range places[min(from, len(places)):min(from+most, len(places))] {
		e := s.read[p.path]
		if e.key != p.key {
			e = entry{p.key, s.summary(p)}
			s.read[p.path] = e
		}
		r := e.run
		r.Path, r.Archive, r.Unfinished = p.path, p.archive, !p.ended
		list = append(list, r)
	}
	return list, len(places), notes
}

// summary reads what the list shows of a run.
func (s *shelf) summary(p place) (r Run) {
	defer func() { // one run must not take the pages of all others away
		if fault := recover(); fault != nil {
			r = Run{Trouble: fmt.Sprintf("it cannot be read because of a bug in this program: %v", fault)}
		}
	}()
	whole, err := s.open(p, "")
	if err != nil {
		return Run{Trouble: printable.Clean(printable.Clip(err.Error(), 1000))}
	}
	defer whole.Close()
	r = Run{Kind: whole.Kind, Head: whole.Head()}
	switch whole.Kind {
	case recorded.OfConformance:
		r.Counts, r.Rules = whole.Conformance.Counts, len(whole.Conformance.Rules)
		for _, rule := range whole.Conformance.Rules {
			if rule.Open() {
				r.Open++
			}
		}
	case recorded.OfLoad:
		run := whole.Load
		r.Latency, r.Rate, r.Sent = run.Latency, run.Rate, run.Requests.Sent
		for _, t := range run.Thresholds {
			if !t.OK {
				r.Missed++
			}
		}
		if run.Run.Shards > 1 && !run.Run.Merged {
			r.Shard = fmt.Sprintf("shard %d of %d", run.Run.Shard, run.Run.Shards)
		}
	case recorded.OfCapacity:
		r.Capacity, r.Probes = whole.Capacity.Capacity.Rate, len(whole.Capacity.Probes)
	}
	return r
}

// open reads all of a run, or of what lies in a folder of it. The caller closes it.
func (s *shelf) open(p place, folder string) (recorded.Run, error) {
	dir := filepath.Join(s.folderAt, filepath.FromSlash(p.path))
	if !p.archive {
		if err := s.plain(p.path); err != nil {
			return recorded.Run{}, err
		}
	}
	run, err := recorded.Open(dir)
	if err == nil && folder != "" {
		run, err = run.Part(filepath.FromSlash(folder))
	}
	if err != nil { // without where it lies
		text := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
		return recorded.Run{}, errors.New(strings.ReplaceAll(text, dir, "this run"))
	}
	run.Path = p.path
	return run, nil
}

// find returns the place of a run by its path.
func (s *shelf) find(asked string) (place, bool) {
	places, _ := s.places()
	if at := slices.IndexFunc(places, func(p place) bool { return p.path == asked }); at >= 0 {
		return places[at], true
	}
	return place{}, false
}
