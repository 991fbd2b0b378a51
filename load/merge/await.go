package merge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
)

const (
	defaultSilence = 8 * time.Second        // a shard writes a line each second; a busy machine or folder is later
	look           = 250 * time.Millisecond // between looks at the records
	longGone       = 5 * time.Minute        // since the last line, whatever clocks say
)

// growth is how far a record went, to see whether its shard still writes.
type growth struct {
	size  int64
	since time.Time // it has been so large
}

// settled gives the records that are to be merged once none of them grows. With Wait, shards without a record have a
// while to begin one.
func settled(ctx context.Context, o Options) ([]string, error) {
	if o.Silence <= 0 {
		o.Silence = defaultSilence
	}
	var before []string
	for begun := time.Now(); ; {
		if err := o.Refresh(ctx); err != nil {
			return nil, err
		}
		paths, err := Find(o.Paths)
		if err != nil {
			return nil, err
		}
		if !slices.Equal(paths, before) {
			if err := o.await(ctx, paths); err != nil {
				return nil, err
			}
			before = paths // and once more, as shards may have begun in the meantime
			continue
		}
		if !o.Wait || !lacks(paths) || time.Since(begun) > o.Silence {
			return paths, nil
		}
		select {
		case <-time.After(look):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// lacks reports whether there are fewer records than shards.
func lacks(paths []string) bool {
	for _, path := range paths {
		if info, known := results.Head(path); known { // what is wrong with one, reading it whole says
			return len(paths) < info.Shards
		}
	}
	return true
}

// await returns once no record is written any more: each has its end, or has not grown for a while, as that of a shard
// that was killed. Without Wait, one that grows is an error.
func (o Options) await(ctx context.Context, paths []string) error {
	open := map[string]*growth{}
	for _, path := range paths {
		size, at, ended := written(path)
		if !ended && size > 0 && time.Since(at) < longGone {
			open[path] = &growth{size, time.Now()}
		}
	}
	tick := time.NewTicker(look)
	defer tick.Stop()
	for len(open) > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("interrupted while %d shards were still writing; nothing was merged", len(open))
		}
		if err := o.Refresh(ctx); err != nil {
			return err
		}
		for path, g := range open {
			size, _, ended := written(path)
			switch {
			case ended:
				delete(open, path)
			case size != g.size && !o.Wait:
				return fmt.Errorf("%s is still growing: its shard is sending, or waiting to start. Merge when all have "+
					"ended, or add --wait", o.Name(path))
			case size != g.size:
				g.size, g.since = size, time.Now()
			case time.Since(g.since) >= o.Silence:
				delete(open, path)
			}
		}
	}
	return nil
}

// written is how much of its record a shard wrote, when last, and whether it came to its end. The file is opened, as a
// shared folder may show an old size otherwise.
func written(path string) (size int64, at time.Time, ended bool) {
	if _, err := os.Stat(filepath.Join(path, runfolder.RunName)); err == nil {
		return 0, at, true
	}
	file, err := runfolder.Open(filepath.Join(path, runfolder.IntervalsName), runfolder.LargestStream)
	if err != nil {
		return 0, at, false // nothing there yet, or an archive
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, at, false
	}
	return info.Size(), info.ModTime(), false
}
