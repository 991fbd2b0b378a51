package compare

import (
	"fmt"

	"github.com/gateassay/gateassay/reports/loadreport"
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
func (s situation) loaded(of service, seed uint64) []loadreport.Point {
	list := series(of.run(seeded(seed), s.seconds))
	for i := range list {
		list[i].Stage = 1 + i*max(1, s.stages)/s.seconds
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
