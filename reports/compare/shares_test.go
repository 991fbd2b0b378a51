//go:build !race

package compare

import "testing"

// These only compute, ten times slower with the race detector: the package is tested without it.

func TestHalvesOfOneNoisySeriesAreNoRegression(t *testing.T) {
	for name, s := range map[string]service{
		"calm":      {median: 20, wander: 0.02, spread: 0.3, rate: 25},
		"noisy":     {median: 20, wander: 0.2, spread: 0.3, rate: 25, badness: 0.02},
		"wandering": {median: 20, wander: 0.15, memory: 0.8, spread: 0.3, rate: 25},
	} {
		const seeds = 20
		wrong := 0
		for seed := range uint64(seeds) {
			run := series(s.run(seeded(seed), 240))
			if count(judged(run[:120], run[120:], 0.05), Regression) > 0 {
				wrong++
			}
		}
		t.Logf("%s: %d of %d seeds", name, wrong, seeds)
		if wrong > seeds/20 {
			t.Errorf("%s: %d of %d seeds show a regression between halves of one series", name, wrong, seeds)
		}
	}
}

// Independent runs of one deployment, and one that is slower: the shares that docs/compare.md promises.
func TestFalseAlarmsAreRareAndSlowdownsAreFound(t *testing.T) {
	for _, c := range []struct {
		situation
		alarms, ten, twenty float64 // at most, at least
	}{
		{situations[1], 0.05, 0, 0.3},
		{situations[3], 0.05, 0.9, 1},
		{situations[5], 0.05, 0, 0.6},
	} {
		const pairs = 60
		alarms, better := c.shares(pairs, 1)
		ten, _ := c.shares(pairs/4, 1.1)
		twenty, lost := c.shares(pairs/4, 1.2)
		t.Logf("%s: %.0f %% called worse and %.0f %% better without a difference; %.0f %% found of 10 %% slower, "+
			"%.0f %% of 20 %%", c, 100*alarms, 100*better, 100*ten, 100*twenty)
		if alarms > c.alarms || better > c.alarms || ten < c.ten || twenty < c.twenty || lost > 0 {
			t.Errorf("%s: alarms %g, better %g, found %g and %g, called better %g",
				c, alarms, better, ten, twenty, lost)
		}
	}
}
