package results

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/schedule"
)

// Whatever bytes of a shard's record change, it is refused, or its part of the run stays bounded. It never panics.
func TestADamagedShardIsReadOrRefused(t *testing.T) {
	s := must.Get(schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: 10, For: 3 * time.Second}))(t)
	whole, other := recorded(t, s, 0), recorded(t, s, 1)
	text := must.Get(os.ReadFile(filepath.Join(other.Dir, runfolder.IntervalsName)))(t)
	merged := 0
	for n := range uint64(24) {
		data := slices.Clone(text)
		random := rand.New(rand.NewPCG(n, 3))
		for range n % 4 { // every fourth is whole
			at := random.IntN(len(data))
			switch random.IntN(3) {
			case 0:
				data[at] = "0123456789-,{}[]\"e.n"[random.IntN(20)]
			case 1:
				data = slices.Insert(data, at, []byte("99999999")...)
			case 2:
				data = append(data[:at:at], text[min(len(text), at+random.IntN(40)):]...)
			}
		}
		dir := t.TempDir()
		must.Succeed(t, os.WriteFile(filepath.Join(dir, runfolder.IntervalsName), data, 0o600))
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
		if m := run.Merge; m.Known < 15 || m.Known+m.Unknown != 30 || run.Requests.Sent > 30 || run.Requests.Accepted > 30 {
			t.Errorf("%+v, %+v of\n%s", m, run.Requests, bytes.TrimSpace(data))
		}
	}
	if merged < 6 {
		t.Errorf("only %d of 24 records were merged", merged)
	}
}

// recorded is what a shard of two leaves.
func recorded(t *testing.T, s *schedule.Schedule, shard int) *ShardRecord {
	t.Helper()
	dir := t.TempDir()
	r := must.Get(Open(Options{Dir: dir, Schedule: s, Plan: 1, Info: Info{ID: "r1", Shard: shard, Shards: 2}}))(t)
	r.Start(time.Now())
	for k := int64(shard); k < s.K(); k += 2 {
		r.Record(0, &engine.Result{K: k, Intended: s.At(k), Service: time.Millisecond, Response: time.Millisecond})
	}
	must.Get(r.Finish(Ending{Elapsed: 3 * time.Second}))(t)
	return must.Get(ReadShard(dir))(t)
}
