package peers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/bench/sink"
)

// A TargetView describes a run at a constant rate as the target saw it.
type TargetView struct {
	Requests  int
	RateError float64       // share of the rate; negative: too slow
	LagP99    time.Duration // of arrivals behind the schedule
	// true response time: the moment of the answer minus the due time
	P99 time.Duration
}

// ViewOfTarget computes a view from the target's log alone, which works for every generator. The
// k-th arrival stands for request k, due k/rate after the origin. The origin is the latest
// moment for which no request is early.
func ViewOfTarget(log []sink.RequestTimes, rate float64) (TargetView, error) {
	n := len(log)
	if n < 100 {
		return TargetView{}, fmt.Errorf("only %d requests arrived", n)
	}
	slices.SortFunc(log, func(a, b sink.RequestTimes) int { return cmp.Compare(a.Arrived, b.Arrived) })
	meant := func(k int) time.Duration { return time.Duration(float64(k) / rate * 1e9) }
	origin := time.Duration(math.MaxInt64)
	for k, e := range log {
		origin = min(origin, e.Arrived-meant(k))
	}
	lags, times := make([]time.Duration, n), make([]time.Duration, n)
	for k, e := range log {
		lags[k], times[k] = e.Arrived-meant(k)-origin, e.Answered-meant(k)-origin
	}
	slices.Sort(lags)
	slices.Sort(times)
	took, p99 := (log[n-1].Arrived - log[0].Arrived).Seconds(), (99*n+99)/100-1
	return TargetView{
		Requests: n, RateError: float64(n-1)/(took*rate) - 1, LagP99: lags[p99], P99: times[p99],
	}, nil
}
