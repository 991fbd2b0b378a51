package merge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gateassay/gateassay/load/record"
)

const (
	defaultSilence = 8 * time.Second        // a shard writes a line each second; a busy machine or folder is later
	look           = 250 * time.Millisecond // between looks at the records
	longGone       = 5 * time.Minute        // since the last line, whatever clocks say
)

// growth is how far a record went, to see whether its shard still writes.
type growth struct {
	path  string
	size  int64
	since time.Time // it has been so large
}

// settled gives the records that are to be merged once none of them grows.
func settled(ctx context.Context, o Options) ([]string, error) {
	var before []string
	for {
		paths, err := Find(o.Paths)
		if err != nil || slices.Equal(paths, before) {
			return paths, err
		}
		if err := await(ctx, paths, o.Wait, o.Silence); err != nil {
			return nil, err
		}
		before = paths // and once more, as shards may have begun in the meantime
	}
}

// await returns once no record is written any more: each has its end, or has not grown for a while, as that of a shard that
// was killed. Without wait, one that grows is an error.
func await(ctx context.Context, paths []string, wait bool, silence time.Duration) error {
	if silence <= 0 {
		silence = defaultSilence
	}
	open := map[string]*growth{}
	for _, path := range paths {
		size, at, ended := written(path)
		if !ended && size > 0 && time.Since(at) < longGone {
			open[path] = &growth{path, size, time.Now()}
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
		for path, g := range open {
			size, _, ended := written(path)
			switch {
			case ended:
				delete(open, path)
			case size != g.size && !wait:
				return fmt.Errorf("%s still grows: its shard sends, or waits for its start. Merge when all have ended, or let --wait see to it", path)
			case size != g.size:
				g.size, g.since = size, time.Now()
			case time.Since(g.since) >= silence:
				delete(open, path)
			}
		}
	}
	return nil
}

// written is how much of its record a shard wrote, when last, and whether it came to its end. The file is opened, as a
// shared folder may show an old size otherwise.
func written(path string) (size int64, at time.Time, ended bool) {
	if _, err := os.Stat(filepath.Join(path, record.RunName)); err == nil {
		return 0, at, true
	}
	file, err := os.Open(filepath.Join(path, record.IntervalsName))
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
