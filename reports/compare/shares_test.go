//go:build !race

package compare

import "testing"

// These tests only compute, ten times slower with the race detector: they run without it.

// shares compares pairs of independent runs of some seconds, the second slower by a factor, and
// returns the shares judged worse and better.
func (s service) shares(seconds, pairs int, factor float64) (worse, better float64) {
	slower := s
	slower.median *= factor
	for seed := range uint64(pairs) {
		l := judged(s.run(seeded(seed), seconds), slower.run(seeded(seed+1_000_000), seconds), 0.05)
		if count(l, VerdictRegression) > 0 {
			worse++
		}
		if count(l, VerdictImprovement) > 0 {
			better++
		}
	}
	return worse / float64(pairs), better / float64(pairs)
}

// Independent runs of one deployment, and of a slower one, have the shares that docs/compare.md
// promises.
func TestFalseAlarmsAreRareAndSlowdownsAreFound(t *testing.T) {
	for _, c := range []struct {
		service
		seconds             int
		alarms, ten, twenty float64 // at most, at least
	}{
		{service{median: 20, wander: 0.1, spread: 0.3, rate: 60}, 12, 0.05, 0, 0.3},
		{service{median: 20, wander: 0.05, spread: 0.3, rate: 40}, 60, 0.05, 0.9, 1},
		{service{median: 20, wander: 0.1, memory: 0.8, spread: 0.3, rate: 40}, 60, 0.05, 0, 0.6},
	} {
		if testing.Short() && c.ten == 0 { // the others are slow
			continue
		}
		const pairs = 60
		alarms, better := c.shares(c.seconds, pairs, 1)
		ten, _ := c.shares(c.seconds, pairs/4, 1.1)
		twenty, lost := c.shares(c.seconds, pairs/4, 1.2)
		t.Logf("%+v: %.0f %% called worse and %.0f %% better without a difference; "+
			"%.0f %% found of 10 %% slower, %.0f %% of 20 %%",
			c, 100*alarms, 100*better, 100*ten, 100*twenty)
		if alarms > c.alarms || better > c.alarms || ten < c.ten || twenty < c.twenty || lost > 0 {
			t.Errorf("%+v: alarms %g, better %g, found %g and %g, called better %g", c, alarms, better, ten,
				twenty, lost)
		}
	}
}
