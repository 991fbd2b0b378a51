package compare

import (
	"fmt"
	"testing"
)

// situation is a deployment and how long it is loaded.
type situation struct {
	service
	seconds int
	stages  int // of equal length; 0: one
}

func (s situation) String() string {
	return fmt.Sprintf("%ds/wander=%g/memory=%g/stages=%d", s.seconds, s.wander, s.memory, max(1, s.stages))
}

// loaded is one run of a service.
func (s situation) loaded(of service, seed uint64) []piece {
	list := pieces(of.run(seeded(seed), s.seconds))
	for i := range list {
		list[i].stage = 1 + i*max(1, s.stages)/s.seconds
	}
	return list
}

var situations = []situation{
	{service{median: 20, wander: 0.02, spread: 0.3, rate: 60}, 12, 0},
	{service{median: 20, wander: 0.1, spread: 0.3, rate: 60}, 12, 0},
	{service{median: 20, wander: 0.1, memory: 0.5, spread: 0.3, rate: 60}, 30, 0},
	{service{median: 20, wander: 0.05, spread: 0.3, rate: 40}, 60, 0},
	{service{median: 20, wander: 0.1, memory: 0.5, spread: 0.3, rate: 40, badness: 0.01}, 60, 0},
	{service{median: 20, wander: 0.1, memory: 0.8, spread: 0.3, rate: 40}, 60, 0},
	{service{median: 20, wander: 0.1, memory: 0.8, spread: 0.3, rate: 25}, 120, 0},
	{service{median: 20, wander: 0.1, memory: 0.95, spread: 0.3, rate: 40}, 60, 0},
	{service{median: 20, wander: 0.1, memory: 0.9, spread: 0.3, rate: 25}, 120, 0},
	{service{median: 20, wander: 0.1, memory: 0.9, spread: 0.3, rate: 25}, 300, 0},
	{service{median: 20, wander: 0.1, memory: 0.8, spread: 0.3, rate: 40}, 120, 4},
	{service{median: 20, wander: 0.1, memory: 0.8, spread: 0.3, rate: 40}, 60, 10},
}

// shares compares pairs of independent runs, the second slower by a factor, and gives the share that is called worse
// and the share that is called better.
func (s situation) shares(pairs int, factor float64) (worse, better float64) {
	slower := s.service
	slower.median *= factor
	for seed := range uint64(pairs) {
		l := judged(s.loaded(s.service, seed), s.loaded(slower, seed+1_000_000), 0.05)
		if count(l, Regression) > 0 {
			worse++
		}
		if count(l, Improvement) > 0 {
			better++
		}
	}
	return worse / float64(pairs), better / float64(pairs)
}

// BenchmarkNoise gives the shares, in percent, that docs/compare.md states: how often two runs of one deployment differ
// by what is called a regression, and how often a run that is slower by 10 % and 20 % is found out.
func BenchmarkNoise(b *testing.B) {
	for _, s := range situations {
		b.Run(s.String(), func(b *testing.B) {
			const pairs = 400
			var alarms, ten, twenty float64
			for range b.N {
				alarms, _ = s.shares(pairs, 1)
				ten, _ = s.shares(pairs/4, 1.1)
				twenty, _ = s.shares(pairs/4, 1.2)
			}
			b.ReportMetric(100*alarms, "%false-alarms")
			b.ReportMetric(100*ten, "%found-of-10%")
			b.ReportMetric(100*twenty, "%found-of-20%")
		})
	}
}
