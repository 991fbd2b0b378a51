package results

import (
	"fmt"
	"math"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// What distributions count, in nanoseconds. A duration outside is counted at the nearest end.
const (
	shortest = time.Microsecond
	longest  = 10 * time.Minute
	digits   = 3
)

// Distribution counts durations in an HdrHistogram that holds no more than the buckets in use. It is for one goroutine.
// The zero value is ready.
type Distribution struct {
	packed *hdr.PackedHistogram
}

// histogram is for a change.
func (d *Distribution) histogram() *hdr.PackedHistogram {
	if d.packed == nil {
		d.packed = hdr.NewPacked(int64(shortest), int64(longest), digits)
	}
	return d.packed
}

// Record counts a duration.
func (d *Distribution) Record(t time.Duration) {
	_ = d.histogram().RecordValue(int64(min(max(t, 0), longest))) // in range: cannot fail
}

// Add counts what another has counted.
func (d *Distribution) Add(more *Distribution) {
	if more.Count() > 0 {
		d.histogram().Merge(more.packed)
	}
}

// Count is how many durations were counted.
func (d *Distribution) Count() int64 {
	if d == nil || d.packed == nil {
		return 0
	}
	return d.packed.TotalCount()
}

// Quantile is the duration that p percent of all are at most, to three digits; 0 without any.
func (d *Distribution) Quantile(p float64) time.Duration {
	n := float64(d.Count())
	if n == 0 {
		return 0
	}
	rank := max(math.Ceil(p/100*n-1e-9*p), 1) // the library would take the nearest rank
	return time.Duration(d.packed.ValueAtPercentile(100 * rank / n))
}

// Mean is the average; 0 without any.
func (d *Distribution) Mean() time.Duration {
	if d.Count() == 0 {
		return 0
	}
	return time.Duration(d.packed.Mean())
}

// Each calls f for each bucket that counted something, in order, with the shortest duration of the bucket.
func (d *Distribution) Each(f func(t time.Duration, n int64)) {
	if d.Count() > 0 {
		for t, n := range d.packed.ForEachBucket {
			f(time.Duration(t), n)
		}
	}
}

// MarshalText gives the text that HdrHistogram logs hold.
func (d *Distribution) MarshalText() ([]byte, error) { return d.histogram().Encode() }

// UnmarshalText reads it.
func (d *Distribution) UnmarshalText(text []byte) error {
	packed, err := hdr.DecodePacked(text)
	if err != nil {
		return fmt.Errorf("not a histogram: %w", err)
	}
	if packed.LowestTrackableValue() != int64(shortest) || packed.HighestTrackableValue() != int64(longest) ||
		packed.SignificantFigures() != digits {
		return fmt.Errorf("a histogram of another range than %s to %s with %d digits in nanoseconds", shortest, longest, digits)
	}
	d.packed = packed
	return nil
}
