package compare

import (
	"math"
	"testing"

	"github.com/gateassay/gateassay/reports/loadreport"
)

// judged compares two series the way two folders are.
func judged(a, b []loadreport.Point, tolerance float64) map[string]Metric {
	l := &Load{}
	before, after := loadreport.Join(a, len(a)), loadreport.Join(b, len(b)) // by stage
	for _, f := range figures() {
		m := Metric{Name: f.name}
		for _, side := range []struct {
			to   *float64
			list []loadreport.Point
		}{{&m.Before, before}, {&m.After, after}} {
			if f.sample == nil {
				continue
			}
			for _, s := range f.samples(side.list) {
				*side.to += s.value / float64(len(side.list))
			}
			if f.unit == milliseconds {
				*side.to = math.Exp(*side.to)
			}
		}
		if m.Change = m.After - m.Before; f.unit != share {
			m.Change = relative(m.Before, m.After)
		}
		l.Metrics = append(l.Metrics, m)
	}
	l.judge([2][]loadreport.Point{a, b}, Options{Tolerance: tolerance})
	found := map[string]Metric{}
	for _, m := range l.Metrics {
		found[m.Name] = m
	}
	return found
}

func count(all map[string]Metric, v Verdict) (n int) {
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
	l := judged(series(s.run(seeded(1), 60)), series(worse.run(seeded(2), 60)), 0.05)
	if m := l["bad answers"]; m.Judged != Regression {
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
	if m := l["service p50"]; m.Judged != Regression {
		t.Errorf("a climb 20 %% slower: %+v", m)
	}
}
