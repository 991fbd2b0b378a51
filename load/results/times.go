package results

import (
	"math"
	"time"

	"github.com/gateassay/gateassay/load/results/histogram"
)

// timesOf reads a distribution in milliseconds; all zero when h is nil or empty.
func timesOf(h *histogram.Histogram) Times {
	if h == nil || h.Count() == 0 {
		return Times{}
	}
	return Times{
		P50: millis(h.Quantile(50)), P90: millis(h.Quantile(90)), P95: millis(h.Quantile(95)), P99: millis(h.Quantile(99)),
		P999: millis(h.Quantile(99.9)), Max: millis(h.Max()), Mean: millis(h.Mean()),
	}
}

func millis(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

// shortest is the least time that a rate can be told of. What a run that is stopped at once leaves is shorter.
const shortest = time.Millisecond

func perSecond(n int64, d time.Duration) float64 {
	if d < shortest {
		return 0
	}
	return math.Round(float64(n)/d.Seconds()*1000) / 1000
}
