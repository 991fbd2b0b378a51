package results

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
)

// tampered is the record of a shard, for damaging.
const tampered = `{"type":"run","header":{"schema":"gateassay/load/v1","run":{"id":"r1","shard":1,"shards":2},"plan":{},"scheduled":15,"duration_ns":3000000000,"stages":[{"start_ns":0,"end_ns":3000000000,"scheduled":15}],"thresholds":["p99<1s"]}}
{"type":"start","start":"2026-05-01T12:00:00Z"}
{"type":"interval","interval":{"n":1,"from_ns":0,"to_ns":1000000000,"stage":1,"due":5,"stage_due":5,"sent":5,"in_flight":0,"classes":{"accepted":5},"first_ns":7,"crossed":[{"k":1,"of":0,"class":"accepted","mode":"none","begun_ns":1,"service_ns":2,"response_ns":3}],"cpu":0.5}}
{"type":"end","end":{"run":{"id":"r1","shard":1,"shards":2},"lines":3}}
`

// TestADamagedRecordIsReadOrRefused changes bytes of a record: it is refused, or its part of the run stays bounded. It
// never panics.
func TestADamagedRecordIsReadOrRefused(t *testing.T) {
	s, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: 10, For: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	whole := clocked(t, s, 0, 2, false, 1000, 2000, 3000)
	merged := 0
	for n := range uint64(40) {
		data := []byte(tampered)
		random := rand.New(rand.NewPCG(n, 3))
		for range n % 4 { // every fourth is whole
			at := random.IntN(len(data))
			switch random.IntN(3) {
			case 0:
				data[at] = "0123456789-,{}[]\"e.n"[random.IntN(20)]
			case 1:
				data = slices.Insert(data, at, []byte("99999999")...)
			case 2:
				data = append(data[:at:at], tampered[min(len(tampered), at+random.IntN(40)):]...)
			}
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, runfolder.IntervalsName), data, 0o600); err != nil {
			t.Fatal(err)
		}
		shard, err := ReadShard(dir)
		if err != nil {
			continue
		}
		run, err := Merge(MergeOptions{
			Dir: t.TempDir(), Schedule: s, Info: Info{ID: "r1", Shards: 2, Merged: true},
			Shards: []*ShardRecord{whole, shard},
		})
		if err != nil {
			continue
		}
		merged++
		if m := run.Merge; m.Known < 15 || m.Known+m.Unknown != 30 ||
			run.Requests.Sent > 30 || run.Requests.Accepted > 30 {
			t.Errorf("%+v, %+v of\n%s", m, run.Requests, bytes.TrimSpace(data))
		}
	}
	if merged < 10 {
		t.Errorf("only %d of 40 records were merged", merged)
	}
}

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
	var from, sent int64
	for n, ms := range ends {
		var d Distribution
		to := ms * 1e6
		due := s.Share(shard, shards, nil).DueBy(time.Duration(to))
		for range due - sent {
			d.Record(time.Duration(shard+1+10*n) * time.Millisecond)
		}
		i := &interval{
			N: n + 1, FromNS: from, ToNS: to, Stage: 1, Due: due, Sent: due, InFlight: 1, CPU: 0.1 * float64(shard+1),
		}
		i.at(slot{1, "accepted", threshold.Service}).Add(&d)
		i.at(slot{1, "accepted", threshold.Response}).Add(&d)
		i.encode()
		w.write(line{Type: lineInterval, Interval: i})
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
