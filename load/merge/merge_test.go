package merge

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
)

// made describes a shard to record.
type made struct {
	shard, shards  int
	id, deployment string
	base           string
	seed           int64
	rate           string
	start          time.Time
}

var usual = made{
	shards: 3, id: "r1", deployment: "staging", base: "https://a.example", seed: 7, rate: "100/s",
	start: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC),
}

// write records a shard of a run of two seconds. Every request is accepted after a millisecond.
func (m made) write(t testing.TB, dir string) string {
	t.Helper()
	p := testmust.Get(plan.FromFlags(plan.FlagSetting{Flag: "rate", Values: []string{m.rate}},
		plan.FlagSetting{Flag: "duration", Values: []string{"2s"}},
		plan.FlagSetting{Flag: "seed", Values: []string{strconv.FormatInt(m.seed, 10)}}))(t)
	p = p.WithRunID(m.id).WithShards(m.shards)
	s := testmust.Get(p.Schedule())(t)
	testmust.Succeed(t, os.MkdirAll(dir, 0o755))
	r := testmust.Get(results.OpenRecorder(results.Config{
		Dir: dir, Plan: p, Schedule: s, FailOnMisblock: true,
		Info: results.RunInfo{
			ID: m.id, Deployment: m.deployment, BaseURL: m.base, Seed: m.seed, Shard: m.shard,
			Shards: m.shards, PlanHash: p.Hash(),
		},
	}))(t)
	r.Start(m.start, nil)
	for cursor := s.NewShare(m.shard, m.shards, nil).NewCursor(); ; {
		k, at, ok := cursor.Next()
		if !ok {
			break
		}
		r.Record(&engine.RequestResult{
			K: k, Service: time.Millisecond, Response: time.Millisecond, Intended: at,
		})
	}
	testmust.Get(r.Finish(results.RunEnd{Elapsed: 2 * time.Second}))(t)
	return dir
}

func (m made) with(change func(*made)) made {
	change(&m)
	return m
}

func TestShardsBecomeOneRun(t *testing.T) {
	at := t.TempDir()
	var paths []string
	for i := range 3 {
		dir := usual.with(func(m *made) { m.shard = i }).write(t,
			filepath.Join(at, "shards", strconv.Itoa(i)))
		paths = append(paths, dir)
	}
	for _, name := range []string{runfolder.RunName, runfolder.JournalName} { // no shard
		testmust.WriteFile(t, filepath.Join(at, "shards", "conform", name), "{}")
	}
	for name, given := range map[string][]string{
		"each":   paths,
		"around": {filepath.Join(at, "shards")},
	} {
		// next to the shards, but not read as a shard
		out := filepath.Join(at, "shards", "merged-"+name)
		r, err := Merge(t.Context(), Options{
			Places: given, Out: out,
			Render: func(folder string) error {
				_, err := results.ReadRun(folder)
				return errors.Join(err, os.WriteFile(filepath.Join(folder, "page"), nil, 0o600))
			},
		})
		if err != nil || r.Err != nil {
			t.Fatal(name, err, r.Err)
		}
		if r.ExitCode() != 0 || r.Run.Requests.Accepted != 200 || r.Run.Run.ID != "r1" ||
			!r.Run.Run.StartedAt.Equal(usual.start) || r.Run.Run.Shards != 3 ||
			r.Run.Merge.Shards[1].Folder != paths[1] {
			t.Errorf("%s: exit code %d, %+v, %+v, %s", name, r.ExitCode(), r.Run.Run,
				r.Run.Requests, r.Run.Reason)
		}
		for _, file := range []string{
			"run.json", "intervals.ndjson", "histograms.hlog", "series.csv", "page",
		} {
			if _, err := os.Stat(filepath.Join(out, file)); err != nil {
				t.Error(name, err)
			}
		}
	}
}

// TestWhatIsNotOneRunIsRefused checks that the error names both folders and the key.
func TestWhatIsNotOneRunIsRefused(t *testing.T) {
	a := usual.write(t, filepath.Join(t.TempDir(), "a"))
	for key, other := range map[string]made{
		"both shard 0":           usual,
		"plan.run_id is":         usual.with(func(m *made) { m.shard, m.id = 1, "r2" }),
		"deployment is":          usual.with(func(m *made) { m.shard, m.deployment = 1, "production" }),
		"base_url is":            usual.with(func(m *made) { m.shard, m.base = 1, "https://b.example" }),
		"plan.seed is 7":         usual.with(func(m *made) { m.shard, m.seed = 1, 8 }),
		"plan.shards is 3":       usual.with(func(m *made) { m.shard, m.shards = 1, 4 }),
		"plan.stages[0].from is": usual.with(func(m *made) { m.shard, m.rate = 1, "90/s" }),
		"start is": usual.with(func(m *made) {
			m.shard, m.start = 1, m.start.Add(time.Millisecond)
		}),
	} {
		b := other.write(t, filepath.Join(t.TempDir(), "b"))
		out := filepath.Join(t.TempDir(), "m")
		_, err := Merge(t.Context(), Options{Places: []string{a, b}, Out: out})
		var usage *load.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), key) ||
			!strings.Contains(err.Error(), a) || !strings.Contains(err.Error(), b) {
			t.Errorf("%s: %v", key, err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a folder was made", key)
		}
	}
}

func TestWhatIsNoShardIsRefused(t *testing.T) {
	a, other, file := usual.write(t, t.TempDir()), t.TempDir(), filepath.Join(t.TempDir(), "notes")
	testmust.WriteFile(t, filepath.Join(other, runfolder.IntervalsName),
		`{"type":"run","header":{"schema":"other/v1"}}`+"\n")
	testmust.WriteFile(t, file, "x")
	for want, places := range map[string][]string{
		"no recorded run":  {filepath.Join(t.TempDir(), "absent")},
		"schema":           {a, other},
		"not a directory":  {filepath.Join(file, "below")},
		"give the folders": {},
	} {
		_, err := Merge(t.Context(), Options{
			Places: places, Out: filepath.Join(t.TempDir(), "m"),
			Silence: time.Nanosecond, // do not wait for records without an end
		})
		var usage *load.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

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
	_, err = Merge(t.Context(), o)
	testmust.FailWith(t, err, "holds a recorded run", "a merged run is written over")
}
