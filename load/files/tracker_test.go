package files_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/files"
)

func TestTheSampleIsAFunctionOfSeedAndNumber(t *testing.T) {
	tracker := func(share float64, seed int64) *files.Tracker {
		fetch := func(context.Context, string, int) error { return nil }
		tr := testmust.Get(files.New(nil, nil, files.Config{Share: share, Seed: seed, Fetch: fetch}))(t)
		t.Cleanup(func() { tr.Finish(t.Context()) })
		return tr
	}
	a, same, other := tracker(0.01, 7), tracker(0.01, 7), tracker(0.01, 8)
	var n, both int
	for k := range int64(200_000) {
		if a.IsSampled(k) != same.IsSampled(k) {
			t.Fatalf("request %d: two trackers differ", k)
		}
		if a.IsSampled(k) {
			n++
			if other.IsSampled(k) {
				both++
			}
		}
	}
	if n < 1700 || n > 2300 || both > 100 {
		t.Errorf("%d of 200000 sampled at 1 %%, %d of them with another seed too", n, both)
	}
	all, none := tracker(1, 1), tracker(0, 1)
	for k := range int64(1000) {
		if !all.IsSampled(k) || none.IsSampled(k) {
			t.Fatalf("request %d", k)
		}
	}
}

func TestFilesAreTimedAndFailuresTold(t *testing.T) {
	defer goleak.VerifyNone(t)
	fetch := func(_ context.Context, id string, _ int) error {
		if id == "bad" {
			return &client.FetchError{Failure: client.FetchFailedState, Detail: `its state is "ERROR"`}
		}
		time.Sleep(20 * time.Millisecond)
		return nil
	}
	tr := testmust.Get(files.New(nil, nil, files.Config{Share: 1, Fetch: fetch}))(t)
	for i := range 10 {
		tr.Track(fmt.Sprint("good", i), 0, time.Now())
	}
	tr.Track("bad", 0, time.Now())
	tr.Finish(t.Context())
	tr.Finish(t.Context())
	tr.Track("late", 0, time.Now())
	times, got := tr.TakeTimes()
	if got.Sampled != 11 || got.Ready+got.Dropped != 10 || got.Failed != 1 || got.Pending != 0 ||
		got.Faults[client.FetchFailedState] != 1 || !strings.Contains(got.Detail, "ERROR") {
		t.Errorf("%+v", got)
	}
	if len(times) != int(got.Ready) || slices.Min(times) < 20*time.Millisecond {
		t.Errorf("%v", times)
	}
}
