package results_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
)

// TestAShardThatWaitsIsSeenToLive looks at its record before it is started, and before its start has come.
func TestAShardThatWaitsIsSeenToLive(t *testing.T) {
	dir := t.TempDir()
	r := open(t, results.Options{Dir: dir, Schedule: twoStages(t), Info: results.Info{Shard: 1, Shards: 2}})
	grows := func(what string) {
		t.Helper()
		before := bytes.Count(read(t, dir, runfolder.IntervalsName), []byte(`{"type":"alive"}`))
		for end := time.Now().Add(time.Minute); bytes.Count(read(t, dir, runfolder.IntervalsName),
			[]byte(`{"type":"alive"}`)) == before; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("nothing was written %s", what)
			}
		}
	}
	grows("before it was started")
	r.Start(time.Now().Add(time.Hour))
	grows("before its start")
	finish(t, r, results.Ending{Partial: true})
	run, err := results.Read(dir)
	if err != nil || strings.Contains(strings.Join(run.Notes, "\n"), "lacks lines") || run.Requests.Sent != 0 {
		t.Errorf("%v, %+v, %v", err, run.Requests, run.Notes)
	}
}
