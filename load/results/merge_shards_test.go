package results_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
)

var began = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// shardOf records one shard of the schedule in a folder. all selects requests; nil selects all
// of the shard.
func shardOf(t *testing.T, s *schedule.Schedule, shard, shards int, all func(k int64) bool) string {
	t.Helper()
	dir := t.TempDir()
	rec := open(t, results.Config{
		Dir: dir, Schedule: s, FailOnMisblock: true,
		Info: results.RunInfo{Shard: shard, Shards: shards, PlanHash: "aa"},
		Thresholds: []string{
			"p99<1s", "errors<1%", "achieved>=99%", "service.p50<100ms for \"warm up\"",
		},
	})
	rec.Start(began, nil)
	cursor := s.NewShare(shard, shards, nil).NewCursor()
	partial := false
	for {
		k, _, ok := cursor.Next()
		if !ok {
			break
		}
		if all != nil && !all(k) {
			partial = true
			continue
		}
		rec.Record(result(s, k))
	}
	finish(t, rec, results.RunEnd{Elapsed: 2 * time.Second, Partial: partial})
	return dir
}

// together merges folders into one.
func together(
	t *testing.T, s *schedule.Schedule, shards int, dirs ...string,
) (results.Run, string) {
	t.Helper()
	dir, info := t.TempDir(), results.RunInfo{
		ID: "run-1", Deployment: "staging", Seed: 7, StartedAt: began, Shards: shards, Merged: true,
	}
	var of []*results.Shard
	for _, at := range dirs {
		of = append(of, testmust.Get(results.ReadShard(at))(t))
	}
	return testmust.Get(results.Merge(dir, info, s, of, nil))(t), dir
}

// tagged sums the histograms of a log by tag and calls each for the histograms of the intervals.
func tagged(t *testing.T, dir string, each func(*hdr.Histogram)) map[string]*hdr.Histogram {
	t.Helper()
	reader := hdr.NewHistogramLogReader(bytes.NewReader(read(t, dir, results.HistogramName)))
	sums := map[string]*hdr.Histogram{}
	for {
		h := testmust.Get(reader.NextIntervalHistogram())(t)
		if h == nil {
			return sums
		}
		each(h)
		if sums[h.Tag()] == nil {
			sums[h.Tag()] = hdr.New(h.LowestTrackableValue(), h.HighestTrackableValue(),
				int(h.SignificantFigures()))
		}
		if dropped := sums[h.Tag()].Merge(h); dropped > 0 {
			t.Errorf("%d values dropped", dropped)
		}
	}
}

// TestMergedShardsAreThePooledRun compares every figure of a merge with those of one process
// that recorded all requests.
func TestMergedShardsAreThePooledRun(t *testing.T) {
	s := twoStages(t)
	pooled := shardOf(t, s, 0, 1, nil)
	want := testmust.Get(results.ReadRun(pooled))(t)
	const shards = 3
	var dirs []string
	for i := range shards {
		dirs = append(dirs, shardOf(t, s, i, shards, nil))
	}
	slices.Reverse(dirs)
	run, dir := together(t, s, shards, dirs...)
	if run.Requests != want.Requests || run.Latency != want.Latency || run.Rate != want.Rate ||
		!reflect.DeepEqual(run.Classes, want.Classes) || !maps.Equal(run.Failures, want.Failures) ||
		!reflect.DeepEqual(run.Stages, want.Stages) {
		t.Errorf("%+v, %+v, %+v, pooled %+v", run.Requests, run.Latency, run.Stages, want.Stages)
	}
	if !reflect.DeepEqual(run.Thresholds, want.Thresholds) || run.Verdict != results.VerdictPass ||
		run.Reason != want.Reason || results.ExitCode(run) != 0 {
		t.Errorf("%s, %s, %+v, %+v", run.Verdict, run.Reason, run.Thresholds, run.Rate)
	}
	sums, whole := tagged(t, dir, func(*hdr.Histogram) {}),
		tagged(t, pooled, func(*hdr.Histogram) {})
	if !maps.EqualFunc(sums, whole, (*hdr.Histogram).Equals) {
		t.Error("another histogram than that of the pooled samples")
	}
	if m := run.Merge; m.Known != s.RequestCount() || m.Unknown != 0 || m.Share != 1 ||
		len(m.Shards) != shards ||
		m.Shards[1].Reason != "" || run.Run.Shards != shards || !run.Run.Merged {
		t.Errorf("%+v", run.Merge)
	}
	again, err := results.ReadRun(dir)
	if err != nil || !reflect.DeepEqual(again, run) {
		t.Errorf("rebuilt otherwise: %v", err)
	}
}

// TestSkippedSecondsDoNotShiftAShard merges two shards of 10 requests per second each. One of
// them recorded its third and fourth second as one interval.
func TestSkippedSecondsDoNotShiftAShard(t *testing.T) {
	s := testmust.Get(schedule.New(schedule.ConstantStage(20, 6*time.Second)))(t)
	var dirs []string
	for shard, ends := range [][]int{{1, 2, 3, 4, 5, 6}, {1, 2, 4, 5, 6}} {
		dir := shardOf(t, s, shard, 2, nil)
		lines := bytes.SplitAfter(read(t, dir, runfolder.IntervalsName), []byte("\n"))
		record, from := bytes.Join(lines[:2], nil), time.Duration(0)
		for n, to := range ends {
			late := time.Duration(shard) * time.Millisecond
			record = fmt.Appendf(record, `{"type":"interval","interval":{"n":%d,"from_ns":%d,"to_ns":%d,`+
				`"stage":1,"sent":%d}}`+"\n", n+1, from, time.Duration(to)*time.Second+late, 10*to)
			from = time.Duration(to)*time.Second + late
		}
		testmust.WriteFile(t, filepath.Join(dir, runfolder.IntervalsName), string(record))
		dirs = append(dirs, dir)
	}
	_, dir := together(t, s, 2, dirs...)
	var sent []int64
	testmust.Succeed(t, results.EachInterval(dir, func(i *results.Interval) {
		sent = append(sent, i.Sent)
	}))
	if want := []int64{20, 40, 80, 100, 120}; !slices.Equal(sent, want) {
		t.Errorf("sent %d, expected %d", sent, want)
	}
}

// TestWhatIsMissingIsUnknown merges three shards: one complete, one cut off, one missing.
func TestWhatIsMissingIsUnknown(t *testing.T) {
	s := twoStages(t)
	whole, cut := shardOf(t, s, 0, 3, nil),
		shardOf(t, s, 1, 3, func(k int64) bool { return k < 900 })
	// A record without an end is that of a killed process. Its last line is torn.
	lines := bytes.SplitAfter(read(t, cut, runfolder.IntervalsName), []byte("\n"))
	testmust.WriteFile(t, filepath.Join(cut, runfolder.IntervalsName),
		string(bytes.Join(lines[:3], nil))+string(lines[3][:20]))
	run, _ := together(t, s, 3, cut, whole)
	m := run.Merge
	if run.Verdict != results.VerdictInconclusive || results.ExitCode(run) != 3 || !run.Run.Partial {
		t.Errorf("exit code %d, %s: %s", results.ExitCode(run), run.Verdict, run.Reason)
	}
	if m.Known != 1334+300 || m.Unknown != 4000-1634 || run.Requests.Sent != 1634 ||
		run.Requests.Scheduled != 4000 {
		t.Errorf("%+v, %+v", m, run.Requests)
	}
	for i, want := range []string{
		"", "its record ends after 2.0 s, it may have sent more", "its record is missing",
	} {
		if m.Shards[i].Reason != want || m.Shards[i].Shard != i {
			t.Errorf("shard %d: %+v", i, m.Shards[i])
		}
	}
	for _, want := range []string{
		"shard 1: its record ends after 2.0 s", "shard 2: its record is missing",
		"40.85% of the schedule is known", "2366 requests is unknown",
	} {
		testmust.Contain(t, run.Reason, want)
	}
	// The rates relate to the whole plan, 4000 requests in 2 s.
	if run.Rate.Target < 1990 || run.Rate.Target > 2010 || run.Rate.Achieved > 820 {
		t.Errorf("%+v", run.Rate)
	}
	stopped, _ := together(t, s, 2, shardOf(t, s, 0, 2, nil),
		shardOf(t, s, 1, 2, func(k int64) bool { return k < 100 }))
	testmust.Equal(t, results.ExitCode(stopped), 3)
	testmust.Equal(t, stopped.Merge.Unknown, 0)
	testmust.Contain(t, stopped.Reason, "shard 1: it was interrupted after 50 of 2000")
}

func TestARecordOfAnotherScheduleIsRefused(t *testing.T) {
	s := twoStages(t)
	dir := shardOf(t, s, 0, 2, nil)
	other := testmust.Get(schedule.New(schedule.ConstantStage(10, time.Second)))(t)
	shard := testmust.Get(results.ReadShard(dir))(t)
	_, err := results.Merge(t.TempDir(), results.RunInfo{Shards: 2}, other, []*results.Shard{shard},
		nil)
	testmust.FailWith(t, err, "does not match the plan")
	if _, err := results.ReadShard(t.TempDir()); err == nil {
		t.Error("a shard out of nothing")
	}
}
