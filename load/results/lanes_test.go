package results

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/results/histogram"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
)

// clocked records a shard whose intervals end at certain moments, in milliseconds, each with what was due since the
// last, which took shard+1 milliseconds, and 10 more in each interval.
// One that was killed has no end.
func clocked(t *testing.T, s *schedule.Schedule, shard, shards int, killed bool, ends ...int64) *ShardRecord {
	t.Helper()
	dir := t.TempDir()
	info := Info{ID: "r1", Shard: shard, Shards: shards}
	head := header{
		Schema: Schema, Run: info, Scheduled: s.Count(shard, shards),
		DurationNS: int64(s.Duration()), Thresholds: []string{},
		Stages: []stageSpan{{EndNS: int64(s.Duration()), Scheduled: s.Count(shard, shards)}},
	}
	w, err := newJournal(dir, "a shard")
	if err != nil {
		t.Fatal(err)
	}
	defer w.file.Close()
	w.write(line{Type: lineRun, Header: &head})
	var encoder histogram.Encoder
	var from, sent int64
	for n, ms := range ends {
		var h histogram.Histogram
		to := ms * 1e6
		due := info.share(s.DueBy(time.Duration(to)))
		for range due - sent {
			h.Record(time.Duration(shard+1+10*n) * time.Millisecond)
		}
		w.write(line{Type: lineInterval, Interval: &interval{
			N: n + 1, FromNS: from, ToNS: to, Stage: 1, Due: due, Sent: due, InFlight: 1, CPU: 0.1 * float64(shard+1),
			Classes: map[string]int64{"accepted": due - sent}, Times: []encodedHistogram{
				{slot: slot{1, "accepted", threshold.Service}, HDR: encoder.Encode(&h)},
				{slot: slot{1, "accepted", threshold.Response}, HDR: encoder.Encode(&h)},
			},
		}})
		from, sent = to, due
	}
	if !killed {
		w.write(line{Type: lineEnd, End: &ending{Run: info, Lines: w.lines}})
	}
	record, err := ReadShard(dir)
	if err != nil || w.err != nil {
		t.Fatal(err, w.err)
	}
	return record
}

// hundred is a schedule of 100 requests a second.
func hundred(t *testing.T, length time.Duration) *schedule.Schedule {
	t.Helper()
	s, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: 100, For: length})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// joined merges the records of all shards.
func joined(t *testing.T, s *schedule.Schedule, shards ...*ShardRecord) (Run, string) {
	t.Helper()
	dir := t.TempDir()
	run, err := Merge(MergeOptions{
		Dir: dir, Schedule: s, Info: Info{ID: "r1", Shards: len(shards), Merged: true}, Shards: shards,
	})
	if err != nil {
		t.Fatal(err)
	}
	return run, dir
}

// TestAShardThatStalledKeepsTheOthersInTime merges a shard that recorded one long interval with one of short ones:
// where they end at different moments, nobody's requests are counted in another's time.
func TestAShardThatStalledKeepsTheOthersInTime(t *testing.T) {
	s := hundred(t, 6*time.Second)
	for _, stalled := range []int{0, 1} {
		stalls(t, s, clocked(t, s, 1-stalled, 2, false, 1000, 2003, 3001, 4000, 5002, 6000),
			clocked(t, s, stalled, 2, false, 1004, 3500, 4002, 5000, 6001))
	}
}

func stalls(t *testing.T, s *schedule.Schedule, shards ...*ShardRecord) {
	t.Helper()
	run, dir := joined(t, s, shards...)
	if run.Requests.Accepted != 600 || run.Requests.Sent != 600 || run.Verdict != Pass {
		t.Errorf("%+v: %s", run.Requests, run.Reason)
	}
	var ends, flight []int64
	var before interval
	for i, err := range intervals(dir) {
		if err != nil {
			t.Fatal(err)
		}
		ends, flight = append(ends, i.ToNS/1e6), append(flight, i.InFlight)
		if i.FromNS != before.ToNS || i.Due < before.Due || i.Sent < before.Sent ||
			i.Due != s.DueBy(min(time.Duration(i.ToNS), s.Duration())) {
			t.Errorf("%+v after %+v", i, before)
		}
		// Half a second of one shard is not told by then: 25 requests, and one for each shard that is due at the very
		// end.
		if off := i.Due - i.Sent; off < 0 || off > 27 {
			t.Errorf("%d due and %d sent by %d ms", i.Due, i.Sent, i.ToNS/1e6)
		}
		var n int64
		for _, c := range i.Classes {
			n += c
		}
		if n != i.Sent-before.Sent || i.CPU != 0.2 {
			t.Errorf("%d counted, %d sent, CPU %g", n, i.Sent-before.Sent, i.CPU)
		}
		before = *i
	}
	if want := []int64{1004, 3500, 4002, 5002, 6001}; len(ends) != len(want) ||
		!slices.Equal(ends, want) || flight[1] != 2 {
		t.Errorf("intervals end at %v, expected %v", ends, want)
	}
}

// TestWhatAKilledShardOwedIsNotMeant has the rate that was meant fall when a shard is killed: nothing is known of the
// rest, and it is not a loss of the others.
func TestWhatAKilledShardOwedIsNotMeant(t *testing.T) {
	s := hundred(t, 6*time.Second)
	for _, first := range []int{0, 1} { // whichever shard it is
		run, dir := joined(t, s, clocked(t, s, first, 2, true, 1000, 2000),
			clocked(t, s, 1-first, 2, false, 1000, 2000, 3000, 4000, 5000, 6000))
		var due []int64
		for i := range intervals(dir) {
			due = append(due, i.Due)
		}
		if len(due) != 6 || due[1] < 200 || due[5] > 401 || due[5]-due[4] > 51 ||
			run.Merge.Known != due[5] || run.Merge.Unknown != 600-due[5] {
			t.Errorf("due %v, %+v", due, run.Merge)
		}
		if run.Rate.Achieved != run.Rate.Target || run.Stages[0].Rate.Achieved != run.Stages[0].Rate.Target ||
			run.Stages[0].Scheduled != due[5] {
			t.Errorf("%+v, %+v", run.Rate, run.Stages)
		}
	}
}

// TestARequestIsMovedWhereItWasCounted is about a crossing one interval before its request is counted, as may happen.
func TestARequestIsMovedWhereItWasCounted(t *testing.T) {
	s := hundred(t, 3*time.Second)
	shards := []*ShardRecord{clocked(t, s, 0, 2, false, 1000, 2000, 3000), clocked(t, s, 1, 2, false, 1000, 2000, 3000)}
	for i, shard := range shards {
		took := int64(11*i+1) * int64(time.Millisecond) // the second request is of the second interval
		shard.crossed = []shardCrossing{{interval: 1, Crossing: Crossing{
			K: int64(20 + i), Of: 20, Class: "accepted", Mode: "none", ServiceNS: took, ResponseNS: took,
		}}}
	}
	shards[1].crossed = append(shards[1].crossed, shardCrossing{interval: 1, Crossing: Crossing{
		K: 23, Of: 20, Class: "accepted", Mode: "none", ServiceNS: 1, ResponseNS: 1,
	}})
	run, dir := joined(t, s, shards...)
	var where []int
	for i := range intervals(dir) {
		if i.Classes["missed_block"] > 0 {
			where = append(where, i.N)
		}
	}
	if len(where) != 1 || where[0] != 2 || run.Requests.MissedBlocks != 1 || run.Requests.Sent != 300 {
		t.Errorf("moved in %v: %+v", where, run.Requests)
	}
	if !strings.Contains(strings.Join(run.Notes, "\n"), "request 23 violates") {
		t.Errorf("a request that is not in its record is passed over: %v", run.Notes)
	}
}
