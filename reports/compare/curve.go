package compare

import (
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
	97, 97.5, 98, 98.5, 99, 99.25, 99.5, 99.75, 99.9, 99.95, 99.975, 99.99, 99.995, 99.999, 100,
}

// mostStretches is how many stages are marked: beyond it they would hide the plot.
const mostStretches = 60

func curve(pieces []piece, run results.Run) Curve {
	c := Curve{
		Seconds: []float64{}, Meant: []float64{}, Rate: []float64{}, Bad: []*float64{},
		P50: []*float64{}, P99: []*float64{}, ServiceP50: []*float64{}, ServiceP99: []*float64{},
		Percentiles: []float64{}, Quantiles: []float64{}, Service: []float64{},
	}
	service, response := spread{}, spread{}
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
		c.P50, c.P99 = append(c.P50, p.times[1].quantile(50)), append(c.P99, p.times[1].quantile(99))
		c.ServiceP50 = append(c.ServiceP50, p.times[0].quantile(50))
		c.ServiceP99 = append(c.ServiceP99, p.times[0].quantile(99))
		service.add(p.times[0])
		response.add(p.times[1])
	}
	// up to the last percentile above which at least one answer lies, and the maximum
	for _, q := range scale {
		if q < 100 && float64(response.count())*(1-q/100) < 1 {
			continue
		}
		if x, y := response.quantile(q), service.quantile(q); x != nil && y != nil {
			c.Percentiles = append(c.Percentiles, q)
			c.Quantiles, c.Service = append(c.Quantiles, *x), append(c.Service, *y)
		}
	}
	if n := len(run.Stages); n < 2 || n > mostStretches {
		return c
	}
	for _, s := range run.Stages {
		c.Stages = append(c.Stages, Stretch{
			printable.Clean(printable.Clip(s.Name, 40)), float64(s.StartMS) / 1000, float64(s.EndMS) / 1000,
		})
	}
	return c
}

// nines places percentiles on an axis on which each further nine takes the same width. The maximum stands where one of
// all answers lies beyond.
func (c Curve) nines(answers int64) []float64 {
	at := make([]float64, len(c.Percentiles))
	for i, p := range c.Percentiles {
		if at[i] = 1 / (1 - p/100); p >= 100 {
			at[i] = max(float64(answers), 1)
			if i > 0 {
				at[i] = max(at[i], at[i-1]*1.01)
			}
		}
	}
	return at
}
