// Package watch shows a run while it goes, from what its shards record.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/driver"
	"github.com/gateassay/gateassay/load/merge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
)

// Options say what to watch.
type Options struct {
	Path    string // a folder that holds the folders of shards, or one of a run
	Name    string // what messages call it; empty: Path
	View    driver.View
	Refresh func(ctx context.Context) error // brings what Path holds up to date before each look; nil: it is
	Every   time.Duration                   // between looks; 0: 1 s
	Silence time.Duration                   // after which a shard is lost; 0: 8 s
	Wait    time.Duration                   // for the first record; 0: 10 min
}

// Ending is where a run stood when nothing was written any more.
type Ending struct {
	Shards int // of the plan
	Ended  int // that came to their end
	Lost   []int
	Absent []int // without a record
}

// shard is one of those that are watched.
type shard struct {
	*results.Follower
	shard int
	since time.Time // of the last growth
	lost  bool
}

type watcher struct {
	o      Options
	shards map[string]*shard
	id     string // of the run
	all    int    // shards
	said   map[string]bool
	until  time.Time // when to wait no longer for the first record
}

// Watch shows the run until all of its shards have ended or are lost. Those that come later are shown as they come.
func Watch(ctx context.Context, o Options) (Ending, error) {
	if o.Every <= 0 {
		o.Every = time.Second
	}
	if o.Silence <= 0 {
		o.Silence = 8 * time.Second
	}
	if o.Wait <= 0 {
		o.Wait = 10 * time.Minute
	}
	if o.Name == "" {
		o.Name = o.Path
	}
	w := &watcher{o: o, shards: map[string]*shard{}, said: map[string]bool{}, until: time.Now().Add(o.Wait)}
	defer o.View.Stop()
	tick := time.NewTicker(o.Every)
	defer tick.Stop()
	for {
		if o.Refresh != nil {
			if err := o.Refresh(ctx); err != nil && ctx.Err() == nil {
				return Ending{}, err
			}
		}
		if err := w.look(); err != nil {
			return Ending{}, err
		}
		if w.over() {
			return w.ending(), nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return w.ending(), ctx.Err()
		}
	}
}

// look takes in what was written since.
func (w *watcher) look() error {
	paths, err := merge.Find([]string{w.o.Path})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, path := range paths {
		if w.shards[path] == nil {
			w.shards[path] = &shard{Follower: &results.Follower{Dir: path}, since: time.Now()}
		}
		if err := w.shards[path].look(w); err != nil {
			return err
		}
	}
	if w.id == "" {
		if err := w.nothing(paths); err != nil {
			return err
		}
	}
	sending := func(f *results.Follower) bool { s := w.shards[f.Dir]; return !s.lost && !s.Ended() }
	if !slices.ContainsFunc(w.list(), sending) {
		sending = func(*results.Follower) bool { return true } // where it stood at its end
	}
	if status, some := results.Sum(w.list(), sending); some {
		w.o.View.Update(status)
	}
	return nil
}

// nothing says what is waited for while there is no record, and ends that: at once where none will come.
func (w *watcher) nothing(paths []string) error {
	for _, path := range paths {
		for _, name := range []string{runfolder.JournalName, runfolder.RunName} {
			if _, err := os.Lstat(filepath.Join(path, name)); err == nil && w.o.Refresh == nil {
				return fmt.Errorf("%s holds %s and no %s: no load run is recorded there", path, name,
					runfolder.IntervalsName)
			}
		}
	}
	if time.Now().After(w.until) {
		return fmt.Errorf("%s: no load run has recorded anything there within %s; name the folder that its shards "+
			"write to", w.o.Name, w.o.Wait)
	}
	if !w.said[""] {
		w.said[""] = true
		w.o.View.Start(w.o.Name)
		w.o.View.Note(fmt.Sprintf("nothing is recorded there yet; the first record is waited for until %s",
			w.until.Format(time.TimeOnly)))
	}
	return nil
}

func (s *shard) look(w *watcher) error {
	grown, err := s.Read()
	if err != nil {
		return err
	}
	info, known := s.Info()
	if !known {
		return nil
	}
	if s.shard = info.Shard; w.id == "" {
		w.id, w.all = info.ID, max(info.Shards, 1)
		w.title(s.Follower, info)
	} else if w.id != info.ID {
		return fmt.Errorf("%s holds shards of two runs, %s and %s; name the folder of one", w.o.Name, w.id, info.ID)
	}
	switch now := time.Now(); {
	case grown:
		if s.since = now; s.lost {
			s.lost = false
			w.o.View.Note(fmt.Sprintf("shard %d is back", s.shard))
		}
	case !s.Ended() && !s.lost && now.Sub(s.since) >= w.o.Silence:
		s.lost = true
		w.o.View.Note(fmt.Sprintf("shard %d is lost: it has written nothing for %s; its record ends after %s", s.shard,
			now.Sub(s.since).Round(time.Second), s.Elapsed().Round(time.Second)))
	}
	w.once(s.shard, "there", fmt.Sprintf("shard %d has joined, %d of %d", s.shard, w.known(), w.all))
	if !s.Started().IsZero() && time.Now().After(s.Started().Add(w.o.Silence)) {
		for _, n := range w.absent() {
			w.once(n, "absent", fmt.Sprintf("shard %d has recorded nothing, though the run began", n))
		}
	}
	return nil
}

// once notes a text about a shard, the first time that it is to be said.
func (w *watcher) once(shard int, about, text string) {
	if key := fmt.Sprint(shard, about); w.all > 1 && !w.said[key] {
		w.said[key] = true
		w.o.View.Note(text)
	}
}

// title begins to show the run.
func (w *watcher) title(f *results.Follower, info results.Info) {
	text := info.Deployment
	if p, err := plan.Decode(f.Plan()); err == nil {
		if s, err := p.Schedule(); err == nil {
			text += ": " + s.Words()
		}
	}
	if w.all > 1 {
		text += fmt.Sprintf(", run %s of %d shards", info.ID, w.all)
	}
	w.o.View.Stop()
	w.o.View.Start(text)
}

func (w *watcher) list() []*results.Follower {
	var list []*results.Follower
	for _, s := range w.shards {
		list = append(list, s.Follower)
	}
	return list
}

// known is how many shards have a record.
func (w *watcher) known() int { return w.all - len(w.absent()) }

func (w *watcher) absent() []int {
	var list []int
	for n := range w.all {
		there := false
		for _, s := range w.shards {
			_, known := s.Info()
			there = there || known && s.shard == n
		}
		if !there {
			list = append(list, n)
		}
	}
	return list
}

// over reports whether nobody writes any more. A shard that has no record yet is waited for while another is alive.
func (w *watcher) over() bool {
	for _, s := range w.shards {
		if _, known := s.Info(); known && !s.Ended() && !s.lost {
			return false
		}
	}
	return w.id != ""
}

func (w *watcher) ending() Ending {
	e := Ending{Shards: w.all, Absent: w.absent()}
	for _, s := range w.shards {
		if s.Ended() {
			e.Ended++
		} else if s.lost {
			e.Lost = append(e.Lost, s.shard)
		}
	}
	slices.Sort(e.Lost)
	return e
}
