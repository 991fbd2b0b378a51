package watch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/watch"
)

// screen keeps what a view is told.
type screen struct {
	mu     sync.Mutex
	titles []string
	notes  []string
	status results.Status
}

func (s *screen) Start(title string)      { s.mu.Lock(); s.titles = append(s.titles, title); s.mu.Unlock() }
func (s *screen) Update(u results.Status) { s.mu.Lock(); s.status = u; s.mu.Unlock() }
func (s *screen) Note(text string)        { s.mu.Lock(); s.notes = append(s.notes, text); s.mu.Unlock() }
func (s *screen) Stop()                   {}

func (s *screen) noted(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.notes, func(note string) bool { return strings.Contains(note, text) })
}

// record writes what a shard of a run of 200 requests recorded.
func record(t testing.TB, dir, id string, shard, shards int) {
	t.Helper()
	s, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: 100, For: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	rec, err := results.Open(results.Options{
		Dir: dir, Schedule: s, Plan: map[string]int{"seed": 7},
		Info: results.Info{ID: id, Deployment: "staging", Shard: shard, Shards: shards},
	})
	if err != nil {
		t.Fatal(err)
	}
	rec.Start(time.Now().Add(-time.Minute))
	for cursor := s.Cursor(shard, shards); ; {
		k, at, more := cursor.Next()
		if !more {
			break
		}
		rec.Record(0, &engine.Result{K: k, Service: time.Millisecond, Response: time.Millisecond, Intended: at})
	}
	if _, err := rec.Finish(results.Ending{Elapsed: 2 * time.Second}); err != nil {
		t.Fatal(err)
	}
}

// cut takes the end off a record, as when its process was killed, and gives it.
func cut(t *testing.T, dir string) []byte {
	t.Helper()
	path := filepath.Join(dir, runfolder.IntervalsName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndexByte(bytes.TrimSpace(data), '\n') + 1
	if err := os.WriteFile(path, data[:at], 0o600); err != nil {
		t.Fatal(err)
	}
	return data[at:]
}

func options(dir string, s *screen) watch.Options {
	return watch.Options{Path: dir, View: s, Every: 5 * time.Millisecond, Silence: 200 * time.Millisecond}
}

func TestAllShardsAreAddedUp(t *testing.T) {
	dir, s := t.TempDir(), &screen{}
	for i := range 2 {
		record(t, filepath.Join(dir, fmt.Sprint(i)), "run-1", i, 2)
	}
	ending, err := watch.Watch(t.Context(), options(dir, s))
	if err != nil || ending.Shards != 2 || ending.Ended != 2 || len(ending.Lost)+len(ending.Absent) > 0 {
		t.Errorf("%+v, %v", ending, err)
	}
	if s.status.Sent != 200 || s.status.K != 200 || s.status.Classes[judge.Accepted] != 200 {
		t.Errorf("shown: %+v", s.status)
	}
	if title := s.titles[len(s.titles)-1]; !strings.HasPrefix(title, "staging") ||
		!strings.Contains(title, "run run-1 of 2 shards") {
		t.Errorf("titled %q", title)
	}
}

// A shard whose record does not grow is lost; one that has none is absent.
func TestLostAndAbsentShardsAreNamed(t *testing.T) {
	dir, s := t.TempDir(), &screen{}
	record(t, filepath.Join(dir, "0"), "run-1", 0, 3)
	record(t, filepath.Join(dir, "1"), "run-1", 1, 3)
	cut(t, filepath.Join(dir, "1"))
	ending, err := watch.Watch(t.Context(), options(dir, s))
	if err != nil || ending.Ended != 1 || !slices.Equal(ending.Lost, []int{1}) ||
		!slices.Equal(ending.Absent, []int{2}) {
		t.Errorf("%+v, %v", ending, err)
	}
	if !s.noted("shard 1 is lost") || !s.noted("shard 2 has recorded nothing") || s.noted("shard 0 is lost") {
		t.Errorf("noted %q", s.notes)
	}
}

// A lost shard that writes again is back, while another keeps the watch going.
func TestAShardThatWritesAgainIsBack(t *testing.T) {
	dir, s := t.TempDir(), &screen{}
	record(t, filepath.Join(dir, "0"), "run-1", 0, 2)
	record(t, filepath.Join(dir, "1"), "run-1", 1, 2)
	alive, end := cut(t, filepath.Join(dir, "0")), cut(t, filepath.Join(dir, "1"))
	write := func(shard string, data []byte) error {
		file, err := os.OpenFile(filepath.Join(dir, shard, runfolder.IntervalsName), os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = file.Write(data)
		return errors.Join(err, file.Close())
	}
	o := options(dir, s)
	o.Refresh = func(context.Context) error { // before each look
		switch {
		case s.noted("is back"):
			return write("0", alive) // again and again: what follows the end is not read
		case s.noted("shard 1 is lost"):
			return write("1", end)
		}
		return write("0", []byte(`{"type":"alive"}`+"\n"))
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	ending, err := watch.Watch(ctx, o)
	if err != nil || ending.Ended != 2 || len(ending.Lost) > 0 || !s.noted("shard 1 is back") {
		t.Errorf("%+v, %v, noted %q", ending, err, s.notes)
	}
}

func TestShardsOfTwoRunsAreRefused(t *testing.T) {
	dir, s := t.TempDir(), &screen{}
	record(t, filepath.Join(dir, "0"), "run-1", 0, 2)
	record(t, filepath.Join(dir, "1"), "run-2", 1, 2)
	if _, err := watch.Watch(t.Context(), options(dir, s)); err == nil || !strings.Contains(err.Error(), "run-1") ||
		!strings.Contains(err.Error(), "run-2") {
		t.Errorf("%v", err)
	}
}

// Where nothing is recorded yet, the watch waits, and ends when it is interrupted.
func TestAWatchWaitsForTheFirstRecord(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	s := &screen{}
	_, err := watch.Watch(ctx, options(filepath.Join(t.TempDir(), "later"), s))
	if !errors.Is(err, context.DeadlineExceeded) || !s.noted("nothing is recorded") {
		t.Errorf("%v, noted %q", err, s.notes)
	}
}

// No watch waits for ever for what nobody will write.
func TestAWatchEndsWhereNothingIsRecorded(t *testing.T) {
	folder := func(file string) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, file), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for dir, want := range map[string]string{
		filepath.Join(t.TempDir(), "later"): "within 50ms",
		t.TempDir():                         "within 50ms",
		folder("notes.txt"):                 "within 50ms",
		folder(runfolder.JournalName):       runfolder.JournalName,
		folder(runfolder.RunName):           runfolder.RunName,
	} {
		o := options(dir, &screen{})
		if o.Wait = time.Hour; want == "within 50ms" {
			o.Wait = 50 * time.Millisecond
		}
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		_, err := watch.Watch(ctx, o)
		if stop(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
