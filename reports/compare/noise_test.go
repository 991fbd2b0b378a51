package compare

import (
	"math"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/loadreport"
)

// judged compares two runs as CompareRuns compares their folders.
func judged(a, b []second, tolerance float64) map[string]FigureChange {
	l := &LoadComparison{Tolerance: tolerance, Metrics: unjudgedChanges(summary(a), summary(b))}
	l.judgeFigures([2][]loadreport.IntervalPoint{series(a), series(b)})
	found := map[string]FigureChange{}
	for _, m := range l.Metrics {
		found[m.Name] = m
	}
	return found
}

func count(all map[string]FigureChange, v Verdict) (n int) {
	for _, m := range all {
		if m.Judged == v {
			n++
		}
	}
	return n
}

func TestMoreBadAnswersAreFound(t *testing.T) {
	s := service{median: 20, wander: 0.05, spread: 0.3, rate: 60, badness: 0.001}
	worse := s
	worse.badness = 0.03
	l := judged(s.run(seeded(1), 60), worse.run(seeded(2), 60), 0.05)
	testmust.Equal(t, l["bad answers"].Judged, VerdictRegression, "bad answers")
}

func TestAClimbingPlanIsNoNoise(t *testing.T) {
	climb := func(seed uint64, factor float64) (all []second) {
		for stage := range 4 {
			s := service{
				median: factor * float64(20+30*stage), wander: 0.04, spread: 0.2, rate: 40 + 20*stage,
			}
			for _, sec := range s.run(seeded(seed+uint64(stage)), 30) {
				sec.stage = stage + 1
				all = append(all, sec)
			}
		}
		return all
	}
	if n := count(judged(climb(1, 1), climb(100, 1), 0.05), VerdictRegression); n > 0 {
		t.Errorf("the same climb: %d regressions", n)
	}
	if m := judged(climb(1, 1), climb(100, 1.2), 0.05)["service p50"]; m.Judged != VerdictRegression {
		t.Errorf("a climb 20 %% slower: %+v", m)
	}
}

// The expected values were counted by hand: of 70 choices of four out of eight values, three have
// a sum this low, and so on.
func TestRankSum(t *testing.T) {
	numbers := func(from, to int, step float64) (list []float64) {
		for i := from; i <= to; i++ {
			list = append(list, float64(i)*step)
		}
		return list
	}
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
	}{
		{"apart", numbers(1, 12, 1), numbers(13, 24, 1), 2.0 / 2704156},
		{"the other way", numbers(13, 24, 1), numbers(1, 12, 1), 2.0 / 2704156},
		{"one in between", []float64{1, 2, 4}, []float64{3, 5, 6}, 2 * 2.0 / 20},
		{"ties", []float64{1, 1, 2, 2}, []float64{2, 3, 3, 3}, 2 * 3.0 / 70},
		{"alike", numbers(1, 12, 1), numbers(1, 12, 1), 1},
		{"all the same", []float64{0, 0, 0}, []float64{0, 0, 0}, 1},
		{"none", nil, numbers(1, 3, 1), 1},
	} {
		if got := rankSumPValue(c.a, c.b); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
	few := rankSumPValue(numbers(1, 30, 1), numbers(1, 30, 1.2))
	many := rankSumPValue(numbers(1, 31, 1), numbers(1, 31, 1.2))
	if math.Abs(few-many) > 0.03 {
		t.Errorf("counted %g, of the normal distribution %g", few, many)
	}
}
