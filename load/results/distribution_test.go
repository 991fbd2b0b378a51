package results

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
)

// Quantiles are right to three digits for any durations, merged from any parts, and the text of
// a distribution holds everything.
func TestADistributionIsWhatItCounted(t *testing.T) {
	duration := rapid.Map(rapid.Float64Range(0, 1), func(f float64) time.Duration {
		return time.Duration(f * f * f * f * float64(maxDuration)) // short ones more often
	})
	rapid.Check(t, func(t *rapid.T) {
		var whole Distribution
		var exact []time.Duration
		for _, part := range rapid.SliceOfN(rapid.SliceOf(duration), 1, 4).Draw(t, "parts") {
			var d Distribution
			for _, x := range part {
				d.Record(x)
			}
			var read Distribution
			testmust.Succeed(t, read.UnmarshalText(testmust.Get(d.MarshalText())(t)))
			whole.Add(&read)
			exact = append(exact, part...)
		}
		slices.Sort(exact)
		if whole.Count() != int64(len(exact)) {
			t.Fatalf("%d of %d", whole.Count(), len(exact))
		}
		var sum time.Duration
		for i, x := range exact {
			sum += x
			if got := whole.Quantile(100 * float64(i+1) / float64(len(exact))); !near(got, x) {
				t.Errorf("quantile %d of %d: %s, exactly %s", i+1, len(exact), got, x)
			}
		}
		if n := time.Duration(len(exact)); n > 0 && !near(whole.Mean(), sum/n) {
			t.Errorf("mean %s, exactly %s", whole.Mean(), sum/n)
		}
	})
}

func near(got, want time.Duration) bool { return (got - want).Abs() <= max(want/1000, minDuration) }

func TestDurationsOutsideTheRangeCountAtTheNearestEnd(t *testing.T) {
	var d Distribution
	d.Record(-time.Second)
	d.Record(time.Hour)
	if d.Count() != 2 || d.Quantile(50) > minDuration || !near(d.Quantile(100), maxDuration) {
		t.Errorf("%d: %s to %s", d.Count(), d.Quantile(50), d.Quantile(100))
	}
	for _, text := range []string{"", "HISTFAAAAA", "no base64!"} {
		if err := d.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
