package results

import (
	"os"
	"path/filepath"
	"slices"
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
		"version 1, of the host": {map[string]string{
			"proc/self/cgroup":                   "4:memory:/m\n2:cpu,cpuacct:/host/path\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.stat": "nr_periods 100\nnr_throttled 3\nthrottled_time 250000000\n",
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
	run := Run{Run: Info{StartedAt: start, FinishedAt: start.Add(15 * time.Second)}}
	run.Generator = Generator{Reliable: true, starved: starved{Throttles: 23, Periods: 153, Throttled: 800, Waited: 1600}}
	want := []string{
		"the CPU limit of its container throttled the generator in 23 of 153 periods, for 0.80 s in all: raise the limit",
		"the generator's threads waited 1.6 s in all for a CPU: something else uses the CPUs of this machine, or it has too few",
	}
	var got []string
	for _, remark := range run.Remarks() {
		got = append(got, remark.Text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	run.Generator.Waited = 1400
	if got := run.Remarks(); len(got) != 1 {
		t.Errorf("%v, though the threads waited for less than a tenth of the run", got)
	}
	run.Generator.Reliable = false
	if got := run.Remarks(); len(got) != 0 {
		t.Errorf("%v, beside the reason that holds it", got)
	}
}

func TestAGeneratorThatIsHeldBackSaysSo(t *testing.T) {
	head := header{
		CPUs: 2, LagLimitNS: int64(defaultLagLimit),
		DurationNS: int64(10 * time.Second), Run: Info{Engine: "vegeta"},
	}
	for reason, held := range map[string]float64{"": 400, "the generator was short of CPU time; the CPU limit of its " +
		"container throttled the generator in 34 of 100 periods, " +
		"for 1.9 s in all: raise the limit; try --engine direct, or split the plan over several machines with --shard": 1900} {
		total := newTotals(head)
		total.add(&interval{ToNS: int64(10 * time.Second), starved: starved{Throttles: 34, Periods: 100, Throttled: held}})
		if g := total.generator(); g.Reason != reason || g.Reliable != (reason == "") || g.Throttles != 34 {
			t.Errorf("%.0f ms: %+v", held, g)
		}
	}
}
