package results

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
)

// The files of a system, of which a thread may end between the list and the look.
func TestWhatTheSystemSaysOfAProcessIsRead(t *testing.T) {
	threads := map[string]string{
		"proc/self/task/11/schedstat": "5 1500000000 7\n", "proc/self/task/12/schedstat": "9 250000000 1\n",
		"proc/self/task/13/schedstat": "?",
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  starved
	}{
		"nothing": {nil, starved{Waited: 1750}},
		"version 2": {map[string]string{
			"proc/self/cgroup":                 "0::/a/b\n",
			"sys/fs/cgroup/a/b/cpu.stat":       "usage_usec 5\nnr_periods 90\nnr_throttled 3\nthrottled_usec 700\n",
			"sys/fs/cgroup/a/cpu.stat":         "nr_periods 100\nnr_throttled 34\nthrottled_usec 1900000\n",
			"sys/fs/cgroup/elsewhere/cpu.stat": "nr_periods 1\nnr_throttled 1\nthrottled_usec 9900000\n",
		}, starved{34, 100, 1900, 1750}},
		"of the host": {map[string]string{
			"proc/self/cgroup":       "0::/host/path\n",
			"sys/fs/cgroup/cpu.stat": "nr_periods 100\nnr_throttled 3\nthrottled_usec 250000\n",
		}, starved{3, 100, 250, 1750}},
	} {
		root := t.TempDir()
		for _, files := range []map[string]string{threads, c.files} {
			for path, text := range files {
				path = filepath.Join(root, path)
				must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
				must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
			}
		}
		if got := starvedSoFar(root); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// What a machine lacks is said also where it did no harm, but not twice.
func TestWhatTheGeneratorLackedIsRemarked(t *testing.T) {
	start := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	head := header{
		CPUs: 2, LagLimitNS: int64(50 * time.Millisecond), DurationNS: int64(10 * time.Second), Run: Info{Engine: "vegeta"},
	}
	for _, c := range []struct {
		throttled, waited float64
		remarks           int
		reason            string
	}{
		{400, 900, 1, ""},
		{400, 1100, 2, ""},
		{1900, 900, 0, "the generator was short of CPU time; the CPU limit of its container throttled the generator in 34 " +
			"of 100 periods, for 1.9 s in all: raise the limit; try --engine direct, or split the plan over several machines " +
			"with --shard"},
	} {
		total := &totals{head: head}
		total.add(&interval{
			ToNS: int64(10 * time.Second), starved: starved{Throttles: 34, Periods: 100, Throttled: c.throttled, Waited: c.waited},
		})
		run := total.assemble(Info{StartedAt: start, FinishedAt: start.Add(10 * time.Second)}, nil)
		if g := run.Generator; g.Reason != c.reason || g.Reliable != (c.reason == "") || len(run.Remarks()) != c.remarks {
			t.Errorf("%+v: %+v, %v", c, g, run.Remarks())
		}
	}
}
