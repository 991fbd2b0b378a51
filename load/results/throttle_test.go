package results

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestTheLimitOfAControlGroupIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		stat string
		want want
	}{
		"version 2": {
			"usage_usec 5\nnr_periods 100\nnr_throttled 34\nthrottled_usec 1900000\n",
			want{34, 100, 1900, 0},
		},
		"version 1": {"nr_periods 100\nnr_throttled 3\nthrottled_time 250000000\n", want{3, 100, 250, 0}},
		"no limit":  {"usage_usec 5\nuser_usec 4\nsystem_usec 1\n", want{}},
	} {
		if got := throttledIn([]byte(c.stat)); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A thread that ends between the list and the look is left out; what is not a thread's as well.
func TestTheWaitOfEveryThreadIsRead(t *testing.T) {
	dir := t.TempDir()
	for name, stat := range map[string]string{"11": "5 1500000000 7\n", "12": "9 250000000 1\n", "13": "?"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "schedstat"), []byte(stat), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := queued(dir); got != 1750*time.Millisecond {
		t.Errorf("waited %s", got)
	}
	if got := queued(filepath.Join(dir, "absent")); got != 0 {
		t.Errorf("waited %s where there is no such thing", got)
	}
}

// What a machine lacks is said also where it did no harm, but not twice.
func TestWhatTheGeneratorLackedIsRemarked(t *testing.T) {
	start := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	run := Run{Run: Info{StartedAt: start, FinishedAt: start.Add(15 * time.Second)}}
	run.Generator = Generator{Reliable: true, want: want{Throttles: 23, Periods: 153, Throttled: 800, Waited: 1600}}
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

// The counters of an interval are what came since the one before, also where threads ended meanwhile.
func TestWhatWasLackedSince(t *testing.T) {
	got := want{10, 100, 500.5, 300}.since(want{4, 60, 200.25, 900})
	if got != (want{6, 40, 300.25, 0}) {
		t.Errorf("%+v", got)
	}
	if got := (want{1, 9, 20, 700}).most(want{5, 8, 30, 600}); got != (want{5, 8, 30, 700}) {
		t.Errorf("%+v", got)
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
		total.add(&interval{ToNS: int64(10 * time.Second), want: want{Throttles: 34, Periods: 100, Throttled: held}},
			nil)
		if g := total.generator(); g.Reason != reason || g.Reliable != (reason == "") || g.Throttles != 34 {
			t.Errorf("%.0f ms: %+v", held, g)
		}
	}
}
