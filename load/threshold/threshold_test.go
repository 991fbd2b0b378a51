package threshold_test

import (
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// times is a distribution of a few values, sorted.
type times []time.Duration

func (t times) Count() int64 { return int64(len(t)) }

func (t times) Quantile(p float64) time.Duration {
	return t[min(len(t)-1, int(p/100*float64(len(t))))]
}

func (t times) Mean() time.Duration {
	var sum time.Duration
	for _, d := range t {
		sum += d
	}
	return sum / time.Duration(len(t))
}

// sample is a run of two stages, of which the first has no data.
func sample(stage int) (s threshold.Snapshot, reached bool) {
	const ms = time.Millisecond
	measured := map[threshold.TimeKind]times{}
	s.Times = func(t threshold.TimeKind) threshold.Distribution { return measured[t] }
	switch stage {
	case 0:
		measured[threshold.TimeResponse] = times{100 * ms, 200 * ms, 300 * ms, 400 * ms}
		measured[threshold.TimeService] = times{10 * ms, 20*ms + 1}
		measured[threshold.TimeFile] = times{3 * time.Second}
		s.Target, s.Achieved = 500, 499.4
		s.Classes[judge.ClassAccepted], s.Classes[judge.ClassFalseBlock] = 3997, 1
		s.Classes[judge.ClassServerError] = 2
	case 2:
		measured[threshold.TimeResponse] = times{5 * ms}
	}
	return s, stage <= 2
}

func TestThresholdsAreJudged(t *testing.T) {
	for _, c := range []struct {
		expr, observed string
		ok             bool
		reason, note   string
	}{
		{"p99<300ms", "400ms", false, "", "the longest of 4 times"},
		{"response.p50<=1s", "300ms", true, "", ""},
		{"response.p75.1<=1s", "400ms", true, "", "the longest of 4 times"},
		{"service.p50<20ms", "20.000001ms", false, "", ""},
		{"mean<1s", "250ms", true, "", ""},
		{"service.max>=20ms", "20.000001ms", true, "", ""},
		{"errors<0.1%", "0.075%", true, "", ""},
		{"errors<=3", "3", true, "", ""},
		{"false_blocks==0", "1", false, "", ""},
		{"missed_blocks==0", "no data", false, "no repeat was judged", ""},
		{"file_p95<30s", "3s", true, "", "the longest of 1 time"},
		{"achieved>=99%", "99.88%", true, "", ""},
		{"achieved>=499.5/s", "499.4/s", false, "", ""},
		{"lag.p99<10ms", "no data", false, "no lag time was measured", ""},
		{"p99<300ms for ramp", "5ms", true, "", "the longest of 1 time"},
		{"p99<300ms for stage 1", "no data", false, "no response time was measured", ""},
	} {
		parsed := testmust.Get(threshold.Parse(c.expr))(t)
		if err := parsed.Bind([]string{"", "Ramp"}); err != nil {
			t.Errorf("%s: %v", c.expr, err)
		}
		got := parsed.Judge(sample)
		if (got.Value == nil) != (c.observed == threshold.NoData) {
			t.Errorf("%s: value %v, observed %s", c.expr, got.Value, got.Observed)
		}
		got.Value = nil
		if want := (threshold.Result{
			Expr: c.expr, Observed: c.observed, OK: c.ok, Reason: c.reason, Note: c.note,
		}); got != want {
			t.Errorf("%s: %+v", c.expr, got)
		}
	}
}

// Service time and lag tell whether the generator or the deployment is the cause of a miss.
func TestTheGeneratorIsToldApart(t *testing.T) {
	spread := func(most, last int) (list times) { // in milliseconds: nine times most, then last
		for range 9 {
			list = append(list, time.Duration(most)*time.Millisecond)
		}
		return append(list, time.Duration(last)*time.Millisecond)
	}
	for name, c := range map[string]struct {
		expr                   string
		response, service, lag times
		blurred, late          bool
	}{
		"lag is all":           {"p99<8ms", spread(5, 57), spread(4, 6), spread(1, 48), false, true},
		"the mean as well":     {"mean<8ms", spread(5, 57), spread(4, 6), spread(1, 48), false, true},
		"service is slow, too": {"p99<8ms", spread(5, 57), spread(4, 9), spread(1, 48), false, false},
		"but for few CPUs":     {"p99<8ms", spread(5, 57), spread(4, 9), spread(1, 48), true, true},
		"slow even so":         {"p99<8ms", spread(25, 77), spread(24, 29), spread(1, 48), true, false},
		"stalls even so":       {"p99<8ms", spread(5, 640), spread(4, 600), spread(1, 48), true, false},
		"waits for others": {
			"p99<8ms", spread(5, 500), spread(4, 6), spread(1, 2)[1:], false, false,
		},
		"waits, and lag":        {"p99<8ms", spread(5, 57), spread(4, 6), spread(1, 48)[1:], false, true},
		"too quick is not late": {"p50>8ms", spread(5, 57), spread(4, 6), spread(1, 48), true, false},
		"not lag's": {
			"service.p99<8ms", spread(5, 57), spread(4, 9), spread(1, 48), false, false,
		},
		"a rate": {"achieved>99%", spread(5, 57), spread(4, 9), spread(1, 48), true, true},
	} {
		parsed := testmust.Get(threshold.Parse(c.expr))(t)
		got := parsed.Judge(func(int) (threshold.Snapshot, bool) {
			of := map[threshold.TimeKind]times{
				threshold.TimeResponse: c.response,
				threshold.TimeService:  c.service, threshold.TimeLag: c.lag,
			}
			return threshold.Snapshot{
				Target: 10, Achieved: 5, GeneratorUnreliable: c.blurred,
				Times: func(t threshold.TimeKind) threshold.Distribution { return of[t] },
			}, true
		})
		if got.OK || got.Late != c.late || (got.Reason != "") != c.late {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestWhatIsNotReachedIsNotOK(t *testing.T) {
	for _, expr := range []string{"p99<1s for stage 3", "p99<1s for unbound"} {
		got := testmust.Get(threshold.Parse(expr))(t).Judge(sample)
		if got.OK || got.Reason == "" || got.Observed != threshold.NoData {
			t.Errorf("%s: %+v", expr, got)
		}
	}
}

func TestMistakesAreExplained(t *testing.T) {
	for expr, says := range map[string]string{
		"":                          "a measure is missing",
		"  p99":                     "a comparison is missing",
		"p99=300ms":                 "write ==",
		"p99<>300ms":                "unknown comparison <>",
		"p99<":                      "a value is missing",
		"p99<300":                   "write 300ms or 300s",
		"p99<-3s":                   "expected a time",
		"p99==300ms":                "never exactly another",
		"p999<1s":                   "p99.9",
		"p101<1s":                   "not a percentile",
		"false_block==0":            "allowed are p50",
		"errors<0.1":                "whole number such as 0, or a share",
		"errors<120%":               "more than is possible",
		"p99<1s  during ramp":       `"for" or "in"`,
		"p99<1s for":                "a stage is missing",
		"p99<1s for 10s":            "belongs to --abort-on",
		"p99<1s for \"ramp":         "has no end",
		"p99<1s for ramp, errors<1": "its own flag",
	} {
		_, err := threshold.Parse(expr)
		testmust.FailWith(t, err, says, expr)
	}
	parsed, _ := threshold.Parse("p99<1s for rump")
	testmust.FailWith(t, parsed.Bind([]string{"warm up", "ramp"}),
		"1 (warm up), 2 (ramp)", "an unknown stage")
	for expr, says := range map[string]string{
		"errors>20% for stage 2": "belongs to --slo",
		"errors>20% in 10s":      `"for"`, "errors>20% for 10": "such as 10s",
		"errors>20% for 0s": "how long it must hold", "errors>20% for -1s": "how long it must hold",
	} {
		_, err := threshold.ParseAbortRule(expr)
		testmust.FailWith(t, err, says, expr)
	}
}

func errorRate(n, of int64) (s threshold.Snapshot) {
	s.Classes[judge.ClassMissedBlock], s.Classes[judge.ClassBlocked] = n, of-n
	return s
}

func TestARunEndsWhenARuleHeldLongEnough(t *testing.T) {
	// run returns the second in which a rule ends a run with these shares of errors; 0: in none
	run := func(rule string, shares ...int64) int {
		w := testmust.Get(threshold.NewAbortWatch([]string{rule}))(t)
		for i, share := range shares {
			from := time.Duration(i) * time.Second
			interval := errorRate(share, 100)
			if share < 0 {
				interval = errorRate(0, 0)
			}
			if why := w.Observe(from, from+time.Second, interval, errorRate(1, 1000)); why != "" {
				testmust.Contain(t, why, "observed")
				return i + 1
			}
		}
		return 0
	}
	for _, c := range []struct {
		rule   string
		shares []int64
		want   int
	}{
		{"errors>20% for 3s", []int64{0, 30, 30, 30, 30}, 4},
		{"errors>20% for 3s", []int64{30, 30, 20, 30, 30, 10}, 0}, // the condition broke
		{"errors>20% for 3s", []int64{30, -1, 30}, 3},             // without answers it does not break
		{"errors>20%", []int64{0, 21}, 2},
		{"missed_blocks>0", []int64{0, 0}, 1}, // a count is of the whole run
	} {
		if got := run(c.rule, c.shares...); got != c.want {
			t.Errorf("%s with %v: ended after %d s, expected %d", c.rule, c.shares, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"p99<300ms", "errors<0.1% for stage 2", `p50<=1h in "a b"`, "achieved>=99%",
		"file_p95<30s for 10s", "p99.9", "lag.max>1e3s", "é<1", "errors>20% for 10s",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, expr string) {
		if parsed, err := threshold.Parse(expr); err == nil {
			parsed.Judge(sample)
			if again, err := threshold.Parse(parsed.String()); err != nil ||
				again.String() != parsed.String() {
				t.Fatalf("%q becomes %q: %v", expr, parsed.String(), err)
			}
		}
		_, _ = threshold.ParseAbortRule(expr)
	})
}

func TestObservedValuesAreSetBesideTheirLimits(t *testing.T) {
	for _, c := range []struct {
		expr          string
		value         *float64
		words, margin string
	}{
		{"p99<300ms", new(150.0), "p99 150 ms", "50% below the limit"},
		{"service.p99<3s", new(33_000.0), "service.p99 33 s", "11 times the limit"},
		{"service.p99<1ms", new(2_096.0), "service.p99 2096 ms", "2,096 times the limit"},
		{"p99<300ms for \"for 2 in\"", new(299.1), "p99 299.1 ms", "0.30% below the limit"},
		{"errors<0.1%", new(0.0), "errors 0%", "100% below the limit"},
		{"achieved>=200/s", new(150.0), "achieved 150/s", "25% below the limit"},
		{"missed_blocks==0", new(3.0), "missed_blocks 3", ""},
		{"errors<=0", new(3.0), "errors 3", ""},
		{"p99<300ms", nil, "no data", ""},
		{"</script>", new(1.0), "no data", ""},
	} {
		r := threshold.Result{Expr: c.expr, Observed: threshold.NoData, Value: c.value}
		testmust.Equal(t, r.Describe(), c.words, c.expr)
		testmust.Equal(t, r.Margin(), c.margin, c.expr)
	}
}
