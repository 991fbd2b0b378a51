package compare

import (
	"math"
	"slices"
	"strconv"

	"github.com/gateassay/gateassay/load/capacity"
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
	over := func(id, title, note string, unit plot.Unit) plot.Figure {
		f := plot.Figure{
			ID: id, Title: title, Note: note, Unit: unit, X: plot.Elapsed,
			Group: "time", Least: 1, Empty: "No interval was recorded.",
		}
		for i, s := range l.stretches() {
			name := s.Name
			if name == "" {
				name = strconv.Itoa(i + 1)
			}
			f.Marks = append(f.Marks, plot.Mark{From: s.From, To: s.To, Label: name, Kind: plot.Stage})
		}
		return f
	}
	response := over("response", "Response time", "from when the request was due", plot.Milliseconds)
	service := over("service", "Service time", "from when it was sent", plot.Milliseconds)
	rate := over("rate", "Rate", "requests per second: target and achieved", plot.PerSecond)
	bad := over("bad", "Bad answers", "share of the answers that were neither accepted nor rightly blocked",
		plot.Percent)
	rate.Scale = plot.Linear
	distribution := plot.Figure{
		ID: "distribution", Title: "Latency distribution",
		Note: "of the whole run up to its maximum; each further nine is as wide as the last",
		Unit: plot.Milliseconds, X: plot.Nines, Empty: "No request was answered.",
	}
	for i, d := range drawnAs {
		c := l.Curves[i]
		add := func(f *plot.Figure, label string, colour plot.Colour, values plot.Values) {
			f.Series = append(f.Series, plot.Series{
				Label: label + " " + d.name, Colour: colour, Dash: d.dash, At: c.Seconds, Values: values,
			})
		}
		add(&response, "p99", d.slow, plot.Measured(c.P99))
		add(&response, "p50", d.quick, plot.Measured(c.P50))
		add(&service, "p99", d.slow, plot.Measured(c.ServiceP99))
		add(&service, "p50", d.quick, plot.Measured(c.ServiceP50))
		add(&bad, "bad answers", d.slow, percents(c.Bad))
		add(&rate, "achieved", d.quick, c.Rate)
		at := c.nines(l.answers[i])
		for _, s := range []struct {
			label  string
			colour plot.Colour
			values plot.Values
		}{{"response", d.slow, c.Quantiles}, {"service", d.quick, c.Service}} {
			distribution.Series = append(distribution.Series,
				plot.Series{Label: s.label + " " + d.name, Colour: s.colour, Dash: d.dash, At: at, Values: s.values})
		}
		label := "target " + d.name
		if rate.Series = append(rate.Series, plot.Series{
			Label: label, Colour: []plot.Colour{plot.Grey, plot.Olive}[i],
			Dash: plot.Dotted, At: c.Seconds, Values: c.Meant,
		}); i == 1 && l.sameRate() {
			rate.Series = rate.Series[:len(rate.Series)-1]
		}
	}
	if !some(l.Curves[0].Bad) && !some(l.Curves[1].Bad) {
		bad.Series, bad.Empty = nil, "No answer was bad in either run."
	}
	return []plot.Figure{response, service, distribution, rate, bad}
}

// stretches are the stages of the run that lasted longer.
func (l *Load) stretches() []Stretch {
	a, b := l.Curves[0].Stages, l.Curves[1].Stages
	if len(a) == 0 || len(b) > 0 && b[len(b)-1].To > a[len(a)-1].To {
		return b
	}
	return a
}

// sameRate reports whether both runs were meant to send alike, so that one line says it.
func (l *Load) sameRate() bool {
	a, b := l.Curves[0].Meant, l.Curves[1].Meant
	for i := range min(len(a), len(b)) - 1 { // the last interval is seldom a whole one
		if math.Abs(a[i]-b[i]) > 0.05*max(a[i], b[i]) {
			return false
		}
	}
	return len(a) >= len(b)
}

// some reports whether a share is above zero.
func some(shares []*float64) bool {
	return slices.ContainsFunc(shares, func(v *float64) bool { return v != nil && *v > 0 })
}

func percents(shares []*float64) plot.Values {
	values := plot.Measured(shares)
	for i := range values {
		values[i] *= 100
	}
	return values
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
