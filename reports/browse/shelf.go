package browse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// lively is how recently a run without an end must have written to be taken for one that is under way.
const lively = 20 * time.Second

// Run is one recorded run as the list shows it. Texts are as they were recorded; templates escape them.
type Run struct {
	Path    string // of its folder or archive, with slashes, below the one that is served; "." is that one itself
	Archive bool
	Kind    recorded.Kind // empty: it could not be read
	recorded.Head
	Trouble    string // why it could not be read; empty: it could
	Unfinished bool   // it was cut off, or is under way: what is shown comes from what it recorded as it went
	Underway   bool
	Pending    bool // it was not read yet

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

	written time.Time
}

// at is when a run began, or as much as is known of that.
func (r Run) at() time.Time {
	if r.Started.IsZero() {
		return r.written
	}
	return r.Started
}

// shelf finds the runs below a folder and remembers what it read of each until its files change.
type shelf struct {
	root     *os.Root
	folderAt string // path of root
	only     string // the one archive that is served; empty: all that root holds

	mu   sync.Mutex
	read map[string]entry // by path
}

type entry struct {
	key string
	run Run
}

// runs lists every run, the latest first. Those that are not known yet are read until patience is over, and others when
// the page is loaded again. notes say what is missing.
func (s *shelf) runs(ctx context.Context, patience time.Duration) (list []Run, notes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	places, notes := s.places()
	there := map[string]entry{}
	until, pending := time.Now().Add(patience), 0
	for _, p := range places {
		e, known := s.read[p.path]
		switch {
		case known && e.key == p.key:
		case ctx.Err() != nil || time.Now().After(until):
			e = entry{run: Run{Pending: true}}
			pending++
		default:
			e = entry{p.key, s.summary(p)}
		}
		if !e.run.Pending {
			there[p.path] = e
		}
		e.run.Path, e.run.Archive, e.run.written = p.path, p.archive, p.written
		e.run.Unfinished = !p.ended
		e.run.Underway = !p.ended && time.Since(p.written) < lively
		list = append(list, e.run)
	}
	s.read = there // without those that are gone
	if pending > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d runs are not read yet. Load this page again to see them.",
			pending, len(list)))
	}
	slices.SortStableFunc(list,
		func(a, b Run) int { return cmp.Or(b.at().Compare(a.at()), cmp.Compare(a.Path, b.Path)) })
	return list, notes
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
