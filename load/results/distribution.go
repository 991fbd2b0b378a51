package results

import (
	"fmt"
	"math"
	"slices"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// A duration outside of this range is counted at its nearest end.
const (
	minDuration       = time.Microsecond
	maxDuration       = 10 * time.Minute
	significantDigits = 3
)

// Distribution counts durations in an HdrHistogram that holds no more than the buckets in use. It
// is for one goroutine. The zero value is ready.
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

// Add counts what another has counted.
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

// Quantile returns the duration that p percent of all are at most, to three digits; 0 without any.
func (d *Distribution) Quantile(p float64) time.Duration {
	n := float64(d.Count())
	if n == 0 {
		return 0
	}
	rank := max(math.Ceil(p/100*n-1e-9*p), 1) // the library would take the nearest rank
	return time.Duration(d.packed.ValueAtPercentile(100 * rank / n))
}

// Mean returns the average; 0 without any.
func (d *Distribution) Mean() time.Duration {
	if d.Count() == 0 {
		return 0
	}
	return time.Duration(d.packed.Mean())
}

// Each calls f for each bucket that counted something, in order, with the shortest duration of the
// bucket.
func (d *Distribution) Each(f func(t time.Duration, n int64)) {
	if d.Count() > 0 {
		for t, n := range d.packed.ForEachBucket {
			f(time.Duration(t), n)
		}
	}
}

// MarshalText implements encoding.TextMarshaler, as HdrHistogram logs are written.
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
		return fmt.Errorf("a histogram of another range than %s to %s with %d digits in "+
			"nanoseconds", minDuration, maxDuration, significantDigits)
	}
	d.packed = packed
	return nil
}

// Statistic is one figure of a time, as it is recorded, limited, compared and shown.
type Statistic struct {
	Name     string  // in thresholds and on pages: p99.9
	Column   string  // in run.json and, between time and unit, in series.csv: p99_9
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

// Statistics lists the figures that a run records of a time.
func Statistics() []Statistic { return slices.Clone(statistics) }

// newDurationStats reads a distribution in milliseconds; all zero where it is empty.
func newDurationStats(d *Distribution) (t DurationStats) {
	for _, s := range statistics {
		value := d.Quantile(s.Quantile)
		if s.Quantile == 0 {
			value = d.Mean()
		}
		*s.Of(&t) = toMilliseconds(value)
	}
	return t
}

func roundTo3Digits(v float64) float64 { return math.Round(v*1000) / 1000 }

func toMilliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

// minRateSpan is the least time that a rate can be given for: a run stopped at once is shorter.
const minRateSpan = time.Millisecond

func perSecond(n int64, d time.Duration) float64 {
	if d < minRateSpan {
		return 0
	}
	return roundTo3Digits(float64(n) / d.Seconds())
}
