package merge

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
)

const brief = 300 * time.Millisecond

// unended removes the end of a shard's record, as if the shard still ran. finish restores it.
func unended(t *testing.T, dir string) (path string, finish func()) {
	t.Helper()
	path = filepath.Join(dir, runfolder.IntervalsName)
	whole := testmust.Get(os.ReadFile(path))(t)
	cut := strings.LastIndex(strings.TrimSpace(string(whole)), "\n") + 1
	testmust.WriteFile(t, path, string(whole[:cut]))
	testmust.Succeed(t, os.Remove(filepath.Join(dir, runfolder.RunName)))
	return path, func() {
		appended(t, path, string(whole[cut:]))
		if err := os.WriteFile(filepath.Join(dir, runfolder.RunName), []byte("{}"), 0o600); err != nil {
			t.Error(err)
		}
	}
}

func appended(t *testing.T, path, text string) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Error(err)
		return
	}
	defer file.Close()
	if _, err := file.WriteString(text); err != nil {
		t.Error(err)
	}
}

// all writes the three shards of a run below one folder.
func all(t *testing.T) string {
	t.Helper()
	at := t.TempDir()
	for i := range 3 {
		usual.with(func(m *made) { m.shard = i }).write(t, filepath.Join(at, strconv.Itoa(i)))
	}
	return at
}

func TestAShardThatWritesIsNotMerged(t *testing.T) {
	at := all(t)
	path, finish := unended(t, filepath.Join(at, "1"))
	stop := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(brief / 5):
				_ = os.Chtimes(path, time.Now(), time.Now())
				appended(t, path, " ") // an incomplete last line is ignored
			}
		}
	}()
	out := filepath.Join(t.TempDir(), "m")
	_, err := Merge(t.Context(), Options{Places: []string{at}, Out: out, Silence: brief})
	testmust.FailWith(t, err, filepath.Join(at, "1")+" was written just now")
	if _, err := os.Stat(out); err == nil {
		t.Error("a folder was made")
	}
	interrupted, cancel := context.WithTimeout(t.Context(), brief)
	defer cancel()
	if _, err := Merge(interrupted, Options{
		Places: []string{at}, Out: out, Silence: brief, Shards: 3,
	}); err == nil || interrupted.Err() == nil {
		t.Errorf("did not wait: %v", err)
	}
	time.AfterFunc(2*brief, func() {
		close(stop)
		<-stopped
		finish()
	})
	begun := time.Now()
	r, err := Merge(t.Context(), Options{Places: []string{at}, Out: out, Silence: brief, Shards: 3})
	if err != nil || r.ExitCode() != 0 || r.Run.Requests.Accepted != 200 ||
		time.Since(begun) < 2*brief {
		t.Errorf("%v, exit code %d, %s", err, r.ExitCode(), r.Run.Reason)
	}
}

func TestAKilledShardIsNotWaitedForLong(t *testing.T) {
	at, out := all(t), filepath.Join(t.TempDir(), "m")
	unended(t, filepath.Join(at, "2"))
	o := Options{Places: []string{at}, Out: out, Silence: brief, Shards: 4}
	r, err := Merge(t.Context(), o)
	if m := r.Run.Merge; err != nil || r.ExitCode() != 3 ||
		!strings.Contains(m.Shards[2].Reason, "may have sent more") {
		t.Fatalf("%v, exit code %d, %+v", err, r.ExitCode(), m)
	}
	if _, err = Merge(t.Context(), o); err == nil ||
		!strings.Contains(err.Error(), "holds a recorded run") {
		t.Errorf("a merged run is written over: %v", err)
	}
}
