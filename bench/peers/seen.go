package peers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/bench/sink"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
)

// Seen is what the target saw of a run at a constant rate.
type Seen struct {
	Requests  int
	RateError float64       // of the line that fits the arrivals best, as a share; below 0: too slow
	LagP99    time.Duration // of the arrivals, behind the schedule
	P99       time.Duration // the true response time: the moment of the answer less the moment that the schedule meant
}

// Look works out what the target saw, by the one measure that fits every generator: its log alone. The k-th arrival
// stands for request k, meant k/rate after the origin; the origin is the latest that lets no request come early.
func Look(log []sink.Entry, rate float64) (Seen, error) {
	if len(log) < 100 {
		return Seen{}, fmt.Errorf("only %d requests arrived", len(log))
	}
	slices.SortFunc(log, func(a, b sink.Entry) int { return cmp.Compare(a.Arrived, b.Arrived) })
	meant := func(k int) int64 { return int64(float64(k) / rate * 1e9) }
	origin := int64(math.MaxInt64)
	for k, e := range log {
		origin = min(origin, e.Arrived-meant(k))
	}
	lags, times := make([]time.Duration, len(log)), make([]time.Duration, len(log))
	for k, e := range log {
		lags[k] = time.Duration(e.Arrived - meant(k) - origin)
		times[k] = time.Duration(e.Answered - meant(k) - origin)
	}
	return Seen{
		Requests: len(log), RateError: 1/(spacing(log)*rate) - 1,
		LagP99: quantile(lags, 0.99), P99: quantile(times, 0.99),
	}, nil
}

// spacing in seconds between two arrivals, on the line of least squares: one late request at either end moves it
// little.
func spacing(log []sink.Entry) float64 {
	middle := float64(len(log)-1) / 2
	var over, under float64
	for k, e := range log {
		x := float64(k) - middle
		over += x * float64(e.Arrived-log[0].Arrived) / 1e9
		under += x * x
	}
	return over / under
}

// TrueP99 is the true response p99 of a run of our own generator: it told when it began, and each request in the log is
// known by its nonce, so that nothing has to be inferred.
func TrueP99(log []sink.Entry, j Job, r Report) (time.Duration, error) {
	plan, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: j.Rate, For: j.For})
	if err != nil {
		return 0, err
	}
	source, err := traffic.New(traffic.Options{Seed: 1, RunID: j.RunID, Schedule: plan})
	if err != nil {
		return 0, err
	}
	meant := make(map[string]int64, plan.K())
	var request traffic.Request
	for k := range plan.K() {
		source.Fill(k, &request)
		meant[request.Nonce] = r.StartNS + int64(plan.At(k))
	}
	times := make([]time.Duration, 0, len(log))
	for _, e := range log {
		at, ok := meant[e.Nonce]
		if !ok {
			return 0, fmt.Errorf("a request arrived that is not in the schedule: %s", e.Nonce)
		}
		delete(meant, e.Nonce)
		times = append(times, time.Duration(e.Answered-at))
	}
	if len(meant) > 0 {
		return 0, fmt.Errorf("%d requests of the schedule never arrived", len(meant))
	}
	return quantile(times, 0.99), nil
}

// Quantile of values, by rank. It sorts them.
func quantile(values []time.Duration, q float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[max(int(math.Ceil(q*float64(len(values))))-1, 0)]
}
