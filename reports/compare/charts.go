package compare

import (
	"math"
	"slices"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/plot"
)

// lineStyle is how a run is drawn: dashed lines are before, whole ones after.
type lineStyle struct {
	name        string
	slow, quick plot.Colour // 99th percentile, median
	dash        plot.Dash
	marker      plot.Marker
}

var drawnAs = [2]lineStyle{
	{"before", plot.Violet, plot.Teal, plot.Dashed, plot.Square},
	{"after", plot.Orange, plot.Blue, plot.Solid, plot.Dot},
}

// figures are both runs overlaid.
func (l *Load) figures() []plot.Figure {
	over := plot.Figure{X: plot.Elapsed, Group: "time", Least: 1, Empty: "No interval was recorded."}
	over.Marks = loadreport.StageMarks(l.stages)
	figure := func(id, title, note string, unit plot.Unit) plot.Figure {
		f := over
		f.ID, f.Title, f.Note, f.Unit = id, title, note, unit
		return f
	}
	response := figure("response", "Response time", "from when the request was due", plot.Milliseconds)
	service := figure("service", "Service time", "from when it was sent", plot.Milliseconds)
	rate := figure("rate", "Rate", "requests per second: target and achieved", plot.PerSecond)
	bad := figure("bad", "Bad answers", "per second, neither accepted nor rightly blocked", plot.PerSecond)
	bad.Empty = "No answer was bad in either run."
	rate.Scale = plot.Linear
	distribution := plot.Figure{
		ID: "distribution", Title: "Latency distribution", X: plot.Nines, Unit: plot.Milliseconds, Empty: "No request was answered.",
		Note: "of the whole run up to its maximum; each further nine is as wide as the last",
	}
	for i, d := range drawnAs {
		run := l.data[i]
		add := func(f *plot.Figure, label string, colour plot.Colour, values plot.Values) {
			f.Series = append(f.Series, plot.Series{
				Label: label + " " + d.name, Colour: colour, Dash: d.dash, At: run.Seconds, Values: values,
			})
		}
		add(&response, "p99", d.slow, plot.Measured(run.Times["response_p99_ms"]))
		add(&response, "p50", d.quick, plot.Measured(run.Times["response_p50_ms"]))
		add(&service, "p99", d.slow, plot.Measured(run.Times["service_p99_ms"]))
		add(&service, "p50", d.quick, plot.Measured(run.Times["service_p50_ms"]))
		if values, some := badAnswers(run); some {
			add(&bad, "bad answers", d.slow, values)
		}
		add(&rate, "achieved", d.quick, run.Achieved)
		rate.Series = append(rate.Series, plot.Series{
			Label: "target " + d.name, Colour: []plot.Colour{plot.Grey, plot.Olive}[i], Dash: plot.Dotted, At: run.Seconds, Values: run.Target,
		})
		for _, s := range []plot.Series{{Label: "response", Colour: d.slow}, {Label: "service", Colour: d.quick}} {
			for _, q := range run.Quantile[s.Label] {
				s.At, s.Values = append(s.At, q[0]), append(s.Values, q[1])
			}
			s.Label, s.Dash = s.Label+" "+d.name, d.dash
			distribution.Series = append(distribution.Series, s)
		}
	}
	return []plot.Figure{response, service, distribution, rate, bad}
}

// badAnswers are those of each interval, a second.
func badAnswers(run loadreport.Data) (values plot.Values, some bool) {
	values = make(plot.Values, len(run.Seconds))
	for _, class := range judge.Classes() {
		for i, v := range run.Classes[class.String()] {
			if class.Bad() && v != nil {
				values[i] += *v
				some = some || *v > 0
			}
		}
	}
	return values, some
}

// figures are the curves of both searches overlaid.
func (c *Capacity) figures() []plot.Figure {
	latency := plot.Figure{
		ID: "curve", Title: "Latency by rate", Note: "response times at each rate that was tried; shaded: where the " +
			"capacity lies", Unit: plot.Milliseconds, X: plot.Rates,
		Group: "rates", Tall: 300, Empty: "No rate was tried.",
	}
	failed := plot.Figure{
		ID: "errors", Title: "Bad answers by rate", Note: "share of the requests that were neither accepted nor " +
			"rightly blocked", Unit: plot.Percent, X: plot.Rates,
		Group: "rates", Empty: "No rate was tried.",
	}
	for i, d := range drawnAs {
		s := c.Searches[i]
		at := values(s.Curve, func(p capacity.Point) float64 { return p.Rate })
		add := func(f *plot.Figure, label string, colour plot.Colour, of func(capacity.Point) float64) {
			f.Series = append(f.Series, plot.Series{
				Label:  label + " " + d.name,
				Colour: colour, Dash: d.dash, Marker: d.marker, At: at, Values: values(s.Curve, of),
			})
		}
		add(&latency, "p99", d.slow, func(p capacity.Point) float64 { return p.P99MS })
		add(&latency, "p50", d.quick, func(p capacity.Point) float64 { return p.P50MS })
		add(&failed, "bad answers", d.slow, func(p capacity.Point) float64 { return 100 * p.Errors })
		mark := plot.Mark{From: s.Low, To: s.High, Label: "capacity " + d.name, Kind: plot.Region}
		if s.High <= 0 {
			mark.Kind, mark.To, mark.Label = plot.Point, 0, "at least, "+d.name
		}
		if s.Low > 0 || s.High > 0 {
			latency.Marks, failed.Marks = append(latency.Marks, mark), append(failed.Marks, mark)
		}
		if s.Knee != nil {
			latency.Marks = append(latency.Marks,
				plot.Mark{From: s.Knee.Rate, Label: "bend " + d.name, Kind: plot.Point})
		}
	}
	latency.Limits = plot.ResponseLimits(sorted(slices.Concat(c.Searches[0].Thresholds, c.Searches[1].Thresholds)))
	return []plot.Figure{latency, failed}
}

func values(curve []capacity.Point, of func(capacity.Point) float64) plot.Values {
	list := make(plot.Values, len(curve))
	for i, p := range curve {
		if list[i] = of(p); math.Abs(list[i]) > highestRate { // no figure that was measured
			list[i] = math.NaN()
		}
	}
	return list
}
