package record

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/record/histogram"
	"github.com/gateassay/gateassay/load/schedule"
)

// clocked records a shard whose intervals end at certain moments, in milliseconds, each with what was due since the last.
func clocked(t *testing.T, s *schedule.Schedule, shard, shards int, ends ...int64) *ShardRecord {
	t.Helper()
	dir := t.TempDir()
	info := Info{ID: "r1", Shard: shard, Shards: shards}
	head := header{Schema: Schema, Run: info, Scheduled: s.Count(shard, shards), DurationNS: int64(s.Duration()), Thresholds: []string{},
		Stages: []stageSpan{{EndNS: int64(s.Duration()), Scheduled: s.Count(shard, shards)}}}
	file, err := os.Create(filepath.Join(dir, IntervalsName))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := &lineWriter{file: file}
	w.write(line{Type: lineRun, Header: &head})
	var encoder histogram.Encoder
	var from, sent int64
	for n, ms := range ends {
		var h histogram.Histogram
		to := ms * 1e6
		due := share(s.DueBy(time.Duration(to)), info)
		for range due - sent {
			h.Record(time.Duration(shard+1) * time.Millisecond)
		}
		w.write(line{Type: lineInterval, Interval: &interval{N: n + 1, FromNS: from, ToNS: to, Stage: 1, Due: due, Sent: due, InFlight: 1, CPU: 0.1 * float64(shard+1),
			Classes: map[string]int64{"accepted": due - sent}, Times: []encoded{
				{Stage: 1, Class: "accepted", Time: serviceTime, HDR: encoder.Encode(&h)}, {Stage: 1, Class: "accepted", Time: responseTime, HDR: encoder.Encode(&h)},
			}}})
		from, sent = to, due
	}
	w.write(line{Type: lineEnd, End: &ending{Run: info, Lines: w.lines}})
	record, err := ReadShard(dir)
	if err != nil || w.err != nil {
		t.Fatal(err, w.err)
	}
	return record
}

// TestAShardThatStalledKeepsTheOthersInTime merges a shard that recorded one long interval with one of short ones: where
// they end at different moments, nobody's requests are counted in another's time.
func TestAShardThatStalledKeepsTheOthersInTime(t *testing.T) {
	s, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: 100, For: 6 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run, err := Merge(MergeOptions{Dir: dir, Schedule: s, Info: Info{ID: "r1", Shards: 2, Merged: true}, Shards: []*ShardRecord{
		clocked(t, s, 0, 2, 1000, 2003, 3001, 4000, 5002, 6000),
		clocked(t, s, 1, 2, 1004, 3500, 4002, 5000, 6001),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if run.Requests.Accepted != 600 || run.Requests.Sent != 600 || run.Verdict != Pass {
		t.Errorf("%+v: %s", run.Requests, run.Reason)
	}
	var ends, flight []int64
	var before interval
	if err := eachInterval(dir, func(i *interval) error {
		ends, flight = append(ends, i.ToNS/1e6), append(flight, i.InFlight)
		if i.FromNS != before.ToNS || i.Due < before.Due || i.Sent < before.Sent || i.Due != s.DueBy(min(time.Duration(i.ToNS), s.Duration())) {
			t.Errorf("%+v after %+v", i, before)
		}
		// Half a second of one shard is not told by then: 25 requests, and one for each shard that is due at the very end.
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
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := []int64{1004, 3500, 4002, 5002, 6001}; len(ends) != len(want) || ends[1] != want[1] || ends[4] != want[4] || flight[1] != 2 {
		t.Errorf("intervals end at %v, expected %v", ends, want)
	}
}
