package results

import (
	"fmt"
	"math"
	"slices"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// A duration outside this range is counted at its nearest end.
const (
	minDuration       = time.Microsecond
	maxDuration       = 10 * time.Minute
	significantDigits = 3
)

// A Distribution counts durations in an HdrHistogram that stores only the buckets in use. It is
// not safe for concurrent use. The zero value is ready to use.
type Distribution struct {
	packed *hdr.PackedHistogram
}

func (d *Distribution) histogram() *hdr.PackedHistogram {
	if d.packed == nil {
		d.packed = hdr.NewPacked(int64(minDuration), int64(maxDuration), significantDigits)
	}
	return d.packed
}

// Record counts a duration.
func (d *Distribution) Record(t time.Duration) {
	_ = d.histogram().RecordValue(int64(min(max(t, 0), maxDuration))) // in range: cannot fail
}

// Add adds the durations that another distribution counted.
func (d *Distribution) Add(more *Distribution) {
	if more.Count() > 0 {
		d.histogram().Merge(more.packed)
	}
}

// Count returns how many durations were counted.
func (d *Distribution) Count() int64 {
	if d == nil || d.packed == nil {
		return 0
	}
	return d.packed.TotalCount()
}

// Quantile returns the duration that p percent of all durations do not exceed, to three digits,
// or 0 if there are none.
func (d *Distribution) Quantile(p float64) time.Duration {
	n := float64(d.Count())
	if n == 0 {
		return 0
	}
	rank := max(math.Ceil(p/100*n-1e-9*p), 1) // the library would round the rank
	return time.Duration(d.packed.ValueAtPercentile(100 * rank / n))
}

// Mean returns the average, or 0 if there are no durations.
func (d *Distribution) Mean() time.Duration {
	if d.Count() == 0 {
		return 0
	}
	return time.Duration(d.packed.Mean())
}

// Each calls f for each non-empty bucket, in order, with the shortest duration of the bucket.
func (d *Distribution) Each(f func(t time.Duration, n int64)) {
	if d.Count() > 0 {
		for t, n := range d.packed.ForEachBucket {
			f(time.Duration(t), n)
		}
	}
}

// MarshalText implements encoding.TextMarshaler in the format of HdrHistogram logs.
func (d *Distribution) MarshalText() ([]byte, error) { return d.histogram().Encode() }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Distribution) UnmarshalText(text []byte) error {
	packed, err := hdr.DecodePacked(text)
	if err != nil {
		return fmt.Errorf("not a histogram: %w", err)
	}
	if packed.LowestTrackableValue() != int64(minDuration) ||
		packed.HighestTrackableValue() != int64(maxDuration) ||
		packed.SignificantFigures() != significantDigits {
		return fmt.Errorf("expected a histogram of the range %s to %s with %d digits in "+
			"nanoseconds", minDuration, maxDuration, significantDigits)
	}
	d.packed = packed
	return nil
}

// A Statistic is one figure of a time, for example its p99.
type Statistic struct {
	Name     string  // in thresholds and on pages: p99.9
	Column   string  // in run.json and in the middle of a series.csv column: p99_9
	Quantile float64 // in percent, 100 for the maximum; 0: the mean
	Of       func(*DurationStats) *float64
}

var statistics = []Statistic{
	{"p50", "p50", 50, func(t *DurationStats) *float64 { return &t.P50 }},
	{"p90", "p90", 90, func(t *DurationStats) *float64 { return &t.P90 }},
	{"p95", "p95", 95, func(t *DurationStats) *float64 { return &t.P95 }},
	{"p99", "p99", 99, func(t *DurationStats) *float64 { return &t.P99 }},
	{"p99.9", "p99_9", 99.9, func(t *DurationStats) *float64 { return &t.P999 }},
	{"max", "max", 100, func(t *DurationStats) *float64 { return &t.Max }},
	{"mean", "mean", 0, func(t *DurationStats) *float64 { return &t.Mean }},
}

// Statistics lists the figures that a run records for each time.
func Statistics() []Statistic { return slices.Clone(statistics) }

// newDurationStats returns the figures of a distribution in milliseconds, zeros if it is empty.
func newDurationStats(d *Distribution) (t DurationStats) {
	for _, s := range statistics {
		value := d.Quantile(s.Quantile)
		if s.Quantile == 0 {
			value = d.Mean()
		}
		*s.Of(&t) = Milliseconds(value)
	}
	return t
}

func roundTo3Digits(v float64) float64 { return math.Round(v*1000) / 1000 }

// Milliseconds returns a duration in milliseconds, rounded to microseconds.
func Milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

// minRateSpan is the shortest time that a rate is computed for: a run may be stopped at once.
const minRateSpan = time.Millisecond

func perSecond(n int64, d time.Duration) float64 {
	if d < minRateSpan {
		return 0
	}
	return roundTo3Digits(float64(n) / d.Seconds())
}
