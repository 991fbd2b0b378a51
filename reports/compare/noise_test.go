package compare

import (
	"math"
	"testing"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/loadreport"
)

// judged compares two series the way two folders are.
func judged(a, b []loadreport.Point, tolerance float64) *Load {
	l := &Load{}
	for _, f := range results.Figures()[:10] {
		l.Metrics = append(l.Metrics, Metric{Name: f.Name, Unit: f.Unit, more: f.More})
	}
	before, after := loadreport.Join(a, len(a)), loadreport.Join(b, len(b)) // by stage
	for i := range l.Metrics {
		m := &l.Metrics[i]
		for _, side := range []struct {
			to   *float64
			list []loadreport.Point
		}{{&m.Before, before}, {&m.After, after}} {
			for _, s := range samples(side.list, i) {
				*side.to += s.value / float64(len(side.list))
			}
			if i < 8 {
				*side.to = math.Exp(*side.to)
			}
		}
		if m.Change = m.After - m.Before; m.Unit != results.Share {
			m.Change = relative(m.Before, m.After)
		}
	}
	l.judge([2][]loadreport.Point{a, b}, Options{Tolerance: tolerance})
	return l
}

func count(l *Load, v Verdict) (n int) {
	for _, m := range l.Metrics {
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
	l := judged(series(s.run(seeded(1), 60)), series(worse.run(seeded(2), 60)), 0.05)
	if m := l.Metrics[9]; m.Judged != Regression {
		t.Errorf("bad answers: %+v", m)
	}
}

func TestAClimbingPlanIsNoNoise(t *testing.T) {
	climb := func(seed uint64, factor float64) []loadreport.Point {
		var all []loadreport.Point
		for stage := range 4 {
			s := service{median: factor * float64(20+30*stage), wander: 0.04, spread: 0.2, rate: 40 + 20*stage}
			for _, p := range series(s.run(seeded(seed+uint64(stage)), 30)) {
				p.Stage = stage + 1
				p.From, p.To = p.From+float64(30*stage), p.To+float64(30*stage)
				all = append(all, p)
			}
		}
		return all
	}
	if n := count(judged(climb(1, 1), climb(100, 1), 0.05), Regression); n > 0 {
		t.Errorf("the same climb: %d regressions", n)
	}
	l := judged(climb(1, 1), climb(100, 1.2), 0.05)
	if l.Metrics[4].Judged != Regression {
		t.Errorf("a climb 20 %% slower: %+v", l.Metrics[4])
	}
}
