package results

import (
	"math"
	"slices"
	"time"
)

// Statistic is one figure of a time. What is recorded of times, limited, compared and shown is read from this table.
type Statistic struct {
	Name     string  // in thresholds and on pages: p99.9
	Column   string  // in run.json and, between time and unit, in series.csv: p99_9
	Quantile float64 // in percent, 100 for the maximum; 0: the mean
	Of       func(*Times) *float64
}

var statistics = []Statistic{
	{"p50", "p50", 50, func(t *Times) *float64 { return &t.P50 }},
	{"p90", "p90", 90, func(t *Times) *float64 { return &t.P90 }},
	{"p95", "p95", 95, func(t *Times) *float64 { return &t.P95 }},
	{"p99", "p99", 99, func(t *Times) *float64 { return &t.P99 }},
	{"p99.9", "p99_9", 99.9, func(t *Times) *float64 { return &t.P999 }},
	{"max", "max", 100, func(t *Times) *float64 { return &t.Max }},
	{"mean", "mean", 0, func(t *Times) *float64 { return &t.Mean }},
}

// Statistics lists the figures that a run records of a time.
func Statistics() []Statistic { return slices.Clone(statistics) }

// timesOf reads a distribution in milliseconds; all zero where it is empty.
func timesOf(d *Distribution) (t Times) {
	for _, s := range statistics {
		value := d.Quantile(s.Quantile)
		if s.Quantile == 0 {
			value = d.Mean()
		}
		*s.Of(&t) = millis(value)
	}
	return t
}

func round(v float64) float64 { return math.Round(v*1000) / 1000 }

func millis(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

// shortestSpan is the least time that a rate can be given for. What a run that is stopped at once leaves is shorter.
const shortestSpan = time.Millisecond

func perSecond(n int64, d time.Duration) float64 {
	if d < shortestSpan {
		return 0
	}
	return round(float64(n) / d.Seconds())
}
