package browse_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/load/results"
)

// TestShardsAreOneRun has a run that was merged, with its shards beside it, and one that was not.
func TestShardsAreOneRun(t *testing.T) {
	dir := t.TempDir()
	shard := func(id string, n int, p99 float64) results.Run {
		r := loaded(id, p99)
		r.Run.Shard, r.Run.Shards = n, 3
		return r
	}
	for i := range 3 {
		put(t, filepath.Join(dir, "r1", fmt.Sprint(i), "run.json"), shard("r1", i, 777))
	}
	whole := shard("r1", 0, 444)
	whole.Run.Merged, whole.Requests.Sent = true, 3000
	put(t, filepath.Join(dir, "r1", "merged", "run.json"), whole)
	for i := range 2 {
		put(t, filepath.Join(dir, "r2", fmt.Sprint(i), "run.json"), shard("r2", i, 888))
	}
	unsent := loaded("r3", 0)
	unsent.Requests, unsent.Latency, unsent.Rate, unsent.Verdict = results.Requests{Scheduled: 1000},
		results.Latency{}, results.Rate{Target: 100}, results.Inconclusive
	put(t, filepath.Join(dir, "r3", "run.json"), unsent)
	h := open(t, dir)

	list := get(h, "/").Body.String()
	holds(t, list, ">r1/merged</a>", "3 shards</span>", "p99 444 ms", "2 shards of 3, not merged", "nothing sent",
		"1 to 3 of 3")
	if strings.Contains(list, ">interrupted<") || !strings.Contains(list, ">not merged<") {
		t.Errorf("shards that ended are said to be interrupted: %s", list)
	}
	if strings.Contains(list, "777 ms") || strings.Contains(list, "888 ms") || strings.Contains(list, "p99 0 ms") {
		t.Errorf("a shard stands for itself, or a run without a request has times: %s", list)
	}
	if run := get(h, "/run?run=r1/merged").Body.String(); strings.Count(run, ">Shard ") != 3 {
		t.Errorf("the run does not lead to its shards: %s", run)
	}
	if response := get(h, "/run?run=r1/1"); response.Code != http.StatusOK ||
		!strings.Contains(response.Body.String(), "777 ms") {
		t.Errorf("a shard cannot be looked at: %d", response.Code)
	}
	trends := get(h, "/trends").Body.String()
	if !strings.Contains(trends, "response p99 444 ms") || strings.Contains(trends, "777") ||
		strings.Contains(trends, "888") || strings.Contains(trends, "p99 0 ms") {
		t.Errorf("trends draw shards, or a run without a request: %s", trends)
	}
}
