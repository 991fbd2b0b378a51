package browse

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"
)

// mostAtOnce bounds how many runs are read side by side, however many CPUs there are: each may take some memory.
const mostAtOnce = 8

// shelf finds the runs below a folder and remembers what it read of each until its files change.
type shelf struct {
	root     *os.Root
	folderAt string // path of root
	only     string // the one archive that is served; empty: all that root holds
	store    *store
	turns    chan struct{} // holds one for each that is read just now
	closing  context.Context
	end      context.CancelFunc
	reading  sync.WaitGroup

	mu   sync.Mutex
	read map[string]*entry // by path
}

// entry is a run that was read, or is about to be.
type entry struct {
	key  string
	done chan struct{} // closed when run is there
	run  Run
}

func newShelf(root *os.Root, folder, only string) *shelf {
	s := &shelf{
		root: root, folderAt: folder, only: only, store: newStore(), read: map[string]*entry{},
		turns: make(chan struct{}, min(runtime.NumCPU(), mostAtOnce)),
	}
	s.closing, s.end = context.WithCancel(context.Background())
	return s
}

// close ends what is read, removes what was unpacked and releases the folder.
func (s *shelf) close() error {
	s.mu.Lock()
	s.end()
	s.mu.Unlock()
	s.reading.Wait()
	s.store.close()
	return s.root.Close()
}

// entries returns that of each place, and begins to read those that are new or have changed.
func (s *shelf) entries(places []place) []*entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*entry, len(places))
	for i, p := range places {
		e := s.read[p.path]
		if e == nil || e.key != p.key {
			e = &entry{key: p.key, done: make(chan struct{})}
			s.read[p.path] = e
			s.begin(e, p)
		}
		list[i] = e
	}
	return list
}

// begin reads in the background, when it is its turn.
func (s *shelf) begin(e *entry, p place) {
	if s.closing.Err() != nil {
		return
	}
	s.reading.Go(func() {
		select {
		case <-s.closing.Done():
			return
		case s.turns <- struct{}{}:
		}
		defer func() {
			if fault := recover(); fault != nil { // one run must not take the pages of all others away
				e.run = Run{Trouble: fmt.Sprintf("it cannot be read because of a bug in this program: %v", fault)}
			}
			close(e.done)
			<-s.turns
		}()
		e.run = s.summary(p)
	})
}

// runs lists every run, the latest first, and waits for those that were not read yet no longer than patience. notes say
// what is missing.
func (s *shelf) runs(ctx context.Context, patience time.Duration) (list []Run, notes []string) {
	places, notes := s.places()
	entries := s.entries(places)
	s.forget(places)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	pending := 0
	for i, e := range entries {
		run, read := e.wait(ctx)
		if !read {
			run.Pending = true
			pending++
		}
		list = append(list, run.in(places[i]))
	}
	if pending > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d runs are still being read. Load this page again to see them.",
			pending, len(list)))
	}
	return fold(list), notes
}

// wait returns the run once it was read; false: the time is up.
func (e *entry) wait(ctx context.Context) (Run, bool) {
	select {
	case <-e.done:
	case <-ctx.Done():
	}
	select { // both may be true
	case <-e.done:
		return e.run, true
	default:
		return Run{}, false
	}
}

// forget drops what was read of runs that are gone.
func (s *shelf) forget(places []place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	there := map[string]bool{}
	for _, p := range places {
		there[p.path] = true
	}
	maps.DeleteFunc(s.read, func(path string, _ *entry) bool { return !there[path] })
}

// find returns the run at a path, as the list has it.
func (s *shelf) find(ctx context.Context, path string) (Run, bool) {
	places, _ := s.places()
	at := slices.IndexFunc(places, func(p place) bool { return p.path == path })
	if at < 0 {
		return Run{}, false
	}
	run, read := s.entries(places[at : at+1])[0].wait(ctx)
	return run.in(places[at]), read
}
