package compare

import (
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
