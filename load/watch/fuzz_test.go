package watch_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/watch"
)

// A watch of what strangers recorded ends.
func FuzzWatch(f *testing.F) {
	seed := f.TempDir()
	record(f, seed, "r", 0, 1)
	whole := must.Get(os.ReadFile(filepath.Join(seed, runfolder.IntervalsName)))(f)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("null\n{}\n"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, runfolder.IntervalsName), data, 0o600))
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		end, err := watch.Watch(ctx, watch.Options{
			Path: dir, View: &screen{}, Every: time.Millisecond, Silence: time.Millisecond, Wait: time.Millisecond,
		})
		if ctx.Err() != nil || err == nil && end.Ended > end.Shards {
			t.Errorf("%+v, %v", end, err)
		}
	})
}
