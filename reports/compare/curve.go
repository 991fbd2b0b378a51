package compare

import (
	"math"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/results"
)

// Curve is one run over time, for plots; and its distributions of times.
type Curve struct {
	Seconds    []float64  `json:"seconds"`     // end of each piece
	Meant      []float64  `json:"rate_meant"`  // requests per second that were due
	Rate       []float64  `json:"rate"`        // and that were sent
	Bad        []*float64 `json:"bad_answers"` // share; null: nothing was answered
	P50        []*float64 `json:"response_p50_ms"`
	P99        []*float64 `json:"response_p99_ms"`
	ServiceP50 []*float64 `json:"service_p50_ms"`
	ServiceP99 []*float64 `json:"service_p99_ms"`
	// Percentiles are those that as many answers show; the last is 100, the maximum.
	Percentiles []float64 `json:"percentiles"`
	Quantiles   []float64 `json:"quantiles_ms"` // of response times
	Service     []float64 `json:"service_quantiles_ms"`
	Stages      []Stretch `json:"stages,omitempty"` // where there are several
}

// Stretch is a stage of a run in seconds.
type Stretch struct {
	Name string  `json:"name,omitempty"`
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// scale are the percentiles of distributions, as far as they are shown.
var scale = []float64{
	1, 2.5, 5, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 87.5, 90, 92.5, 95, 96,
	97, 97.5, 98, 98.5, 99, 99.25, 99.5, 99.75, 99.9, 99.95, 99.975, 99.99, 99.995, 99.999,
}

// mostStretches is how many stages are marked: beyond it they would hide the plot.
const mostStretches = 60

func curve(pieces []piece, run results.Run) Curve {
	c := Curve{
		Seconds: []float64{}, Meant: []float64{}, Rate: []float64{}, Bad: []*float64{},
		P50: []*float64{}, P99: []*float64{}, ServiceP50: []*float64{}, ServiceP99: []*float64{},
		Percentiles: []float64{}, Quantiles: []float64{}, Service: []float64{},
	}
	all := [2]spread{{}, {}}
	for _, p := range pieces {
		c.Seconds = append(c.Seconds, p.to)
		c.Meant = append(c.Meant, float64(p.due)/(p.to-p.from))
		c.Rate = append(c.Rate, float64(p.sent)/(p.to-p.from))
		var share *float64
		if p.answered > 0 {
			v := ratio(p.bad, p.answered)
			share = &v
		}
		c.Bad = append(c.Bad, share)
		for _, q := range []struct {
			of spread
			p  float64
			to *[]*float64
		}{
			{p.times[1], 50, &c.P50},
			{p.times[1], 99, &c.P99},
			{p.times[0], 50, &c.ServiceP50},
			{p.times[0], 99, &c.ServiceP99},
		} {
			var v *float64
			if ms, ok := q.of.quantile(q.p); ok {
				v = &ms
			}
			*q.to = append(*q.to, v)
		}
		for t := range all {
			for b, n := range p.times[t] {
				all[t][b] += n
			}
		}
	}
	c.distribute(all)
	for _, s := range run.Stages {
		c.Stages = append(c.Stages, Stretch{
			Name: printable.Clean(printable.Clip(s.Name, 40)),
			From: float64(s.StartMS) / 1000, To: float64(s.EndMS) / 1000,
		})
	}
	if n := len(c.Stages); n < 2 || n > mostStretches {
		c.Stages = nil
	}
	return c
}

// distribute fills the distributions up to the last percentile above which at least one answer lies, and the maximum.
func (c *Curve) distribute(all [2]spread) {
	var n int64
	for _, count := range all[1] {
		n += count
	}
	for _, q := range append(scale[:len(scale):len(scale)], 100) {
		if q < 100 && float64(n)*(1-q/100) < 1 {
			continue
		}
		response, ok := all[1].quantile(q)
		service, also := all[0].quantile(q)
		if !ok || !also {
			continue
		}
		c.Percentiles = append(c.Percentiles, q)
		c.Quantiles = append(c.Quantiles, response)
		c.Service = append(c.Service, service)
	}
}

// nines places percentiles on an axis on which each further nine takes the same width. The maximum stands where one of
// all answers lies beyond.
func (c Curve) nines(answers int64) []float64 {
	at := make([]float64, len(c.Percentiles))
	for i, p := range c.Percentiles {
		if p >= 100 {
			at[i] = max(float64(answers), 1)
			if i > 0 {
				at[i] = max(at[i], at[i-1]*1.01)
			}
			continue
		}
		at[i] = 1 / (1 - p/100)
	}
	for i := range at {
		if math.IsInf(at[i], 0) || at[i] <= 0 {
			at[i] = 1
		}
	}
	return at
}
