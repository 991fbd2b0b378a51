package results

import (
	"testing"
	"time"
)

func TestTheLimitOfAControlGroupIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		stat  string
		times int64
		took  time.Duration
		ok    bool
	}{
		"version 2": {"usage_usec 5\nnr_periods 100\nnr_throttled 34\nthrottled_usec 1900000\n", 34, 1900 * time.Millisecond, true},
		"version 1": {"nr_periods 100\nnr_throttled 3\nthrottled_time 250000000\n", 3, 250 * time.Millisecond, true},
		"no limit":  {"usage_usec 5\nuser_usec 4\nsystem_usec 1\n", 0, 0, false},
	} {
		if times, took, ok := throttledIn([]byte(c.stat)); times != c.times || took != c.took || ok != c.ok {
			t.Errorf("%s: %d times, %s, %v", name, times, took, ok)
		}
	}
}

func TestAGeneratorThatIsHeldBackSaysSo(t *testing.T) {
	head := header{CPUs: 2, LagLimitNS: int64(defaultLagLimit), DurationNS: int64(10 * time.Second), Run: Info{Engine: "vegeta"}}
	for want, held := range map[string]float64{"": 400, "the generator was short of CPU time; the CPU limit of its container held it back 34 times, for 1.9 s in all: raise the limit; " +
		"try --engine direct, or split the plan over several machines with --shard": 1900} {
		total := newTotals(head)
		total.interval(&interval{ToNS: int64(10 * time.Second), Held: held, Holds: 34})
		if g := total.generator(); g.Reason != want || g.Reliable != (want == "") || g.Throttles != 34 {
			t.Errorf("%.0f ms: %+v", held, g)
		}
	}
}
