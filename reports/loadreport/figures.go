package loadreport

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/plot"
)

// mostMarks bounds the stages that are marked: beyond it they would hide the plot.
const mostMarks = 60

// together are the plots whose cursors and zoom go together.
const together = "time"

// percentiles are the statistics of a time that are drawn, by their column of series.csv.
var percentiles = []struct {
	column, label string
	colour        plot.Colour
	dash          plot.Dash
}{
	{"max", "max", plot.Grey, plot.Dotted},
	{"p99_9", "p99.9", plot.Pink, plot.DotDash},
	{"p99", "p99", plot.Orange, plot.Solid},
	{"p90", "p90", plot.Green, plot.Dashed},
	{"p50", "p50", plot.Blue, plot.Solid},
}

// looks is how classes of answers are drawn, in their order.
var looks = [...]struct {
	colour plot.Colour
	dash   plot.Dash
}{
	{plot.Green, plot.Solid},
	{plot.Blue, plot.Dashed},
	{plot.Red, plot.Solid},
	{plot.Pink, plot.DotDash},
	{plot.Amber, plot.Dashed},
	{plot.Teal, plot.Dotted},
	{plot.Orange, plot.Solid},
	{plot.Violet, plot.Dashed},
	{plot.Grey, plot.Dotted},
	{plot.Olive, plot.DotDash},
	{plot.Blue, plot.Solid},
	{plot.Green, plot.Dotted},
}

// saturated marks where the generator is short of CPUs.
var saturated = plot.Limit{Value: 100 * results.Saturated, Label: "saturated above", Colour: plot.Amber}

// figures are the plots of the page.
type figures struct {
	Rate, Response, Service, Answers, Distribution plot.Figure
	Lag, CPU, Flight, Files                        plot.Figure
}

func newFigures(run results.Run, d Data) figures {
	over := plot.Figure{
		X: plot.Elapsed, Group: together, At: d.Seconds,
		Marks: append(StageMarks(run.Stages), stallMarks(run.Stalls)...), Least: 1, Empty: "No interval was recorded.",
	}
	figure := func(id, title, note string, unit plot.Unit, series ...plot.Series) plot.Figure {
		f := over
		f.ID, f.Title, f.Note, f.Unit, f.Series = id, title, note, unit, series
		return f
	}
	var f figures
	f.Rate = figure("rate", "Rate", "requests per second: target and achieved", plot.PerSecond,
		plot.Series{Label: "achieved", Colour: plot.Blue, Fill: true, Values: d.Achieved},
		plot.Series{Label: "target", Colour: plot.Grey, Dash: plot.Dashed, Values: d.Target})
	f.Rate.Scale = plot.Linear
	f.Response = figure("response", "Response time", "from when the request was due",
		plot.Milliseconds, d.times("response")...)
	f.Service = figure("service", "Service time", "from when it was sent", plot.Milliseconds, d.times("service")...)
	var classes []plot.Series
	for _, class := range judge.Classes() {
		classes = append(classes, plot.Series{
			Label:  strings.ReplaceAll(class.String(), "_", " "),
			Colour: looks[int(class)%len(looks)].colour, Dash: looks[int(class)%len(looks)].dash, Values: plot.Measured(d.Classes[class.String()]),
		})
	}
	f.Answers = figure("answers", "Answers", "requests per second by outcome", plot.PerSecond, classes...)
	f.Lag = figure("lag", "Send lag", "how late requests were sent", plot.Milliseconds,
		plot.Series{Label: "max", Colour: plot.Grey, Dash: plot.Dotted, Values: plot.Measured(d.Times["lag_max_ms"])},
		plot.Series{Label: "p99", Colour: plot.Orange, Values: plot.Measured(d.Times["lag_p99_ms"])},
		plot.Series{Label: "p50", Colour: plot.Blue, Values: plot.Measured(d.Times["lag_p50_ms"])})
	f.CPU = figure("cpu", "CPU", "share of this machine's CPUs that the generator used", plot.Percent,
		plot.Series{Label: "CPU", Colour: plot.Violet, Fill: true, Values: d.CPU})
	f.CPU.Scale = plot.Linear
	f.Flight = figure("flight", "In flight", "requests under way at the end of each interval", plot.Count,
		plot.Series{Label: "in flight", Colour: plot.Teal, Fill: true, Values: d.InFlight})
	f.Files = figure("files", "Time to file", "of the sampled exports, by the interval in which the file was ready",
		plot.Milliseconds,
		plot.Series{Label: "max", Colour: plot.Grey, Dash: plot.Dotted, Values: plot.Measured(d.Times["file_max_ms"])},
		plot.Series{Label: "p95", Colour: plot.Orange, Values: plot.Measured(d.Times["file_p95_ms"])},
		plot.Series{Label: "p50", Colour: plot.Blue, Values: plot.Measured(d.Times["file_p50_ms"])})
	f.Files.Empty = "No file was followed."
	f.Distribution = distribution(d)
	f.limits(run)
	return f
}

// limits marks thresholds for times in their plots: for the stretch of a stage where they are of one, and in the
// distribution up to their percentile.
func (f *figures) limits(run results.Run) {
	over := map[threshold.Time]*plot.Figure{
		threshold.Response: &f.Response,
		threshold.Service:  &f.Service, threshold.Lag: &f.Lag, threshold.File: &f.Files,
	}
	f.Lag.Limits = []plot.Limit{{Value: run.Generator.LagLimit, Label: "limit of p99, whole run", Colour: plot.Amber}}
	f.CPU.Limits = []plot.Limit{saturated}
	names := make([]string, len(run.Stages))
	for i, s := range run.Stages {
		names[i] = s.Name
	}
	for _, result := range run.Thresholds {
		t, err := threshold.Parse(result.Expr)
		if err != nil || t.Bind(names) != nil {
			continue
		}
		which, percentile, limit, ok := t.TimeLimit()
		drawn := over[which]
		if !ok || drawn == nil || len(drawn.Limits) > 8 {
			continue
		}
		l := plot.Limit{
			Value: milliseconds(limit), Label: printable.Clean(printable.Clip(result.Expr, 60)),
			Colour: plot.Red,
		}
		if n := t.StageNumber; n > 0 && n <= len(run.Stages) {
			l.From, l.To = float64(run.Stages[n-1].StartMS)/1000, float64(run.Stages[n-1].EndMS)/1000
		} else if which == threshold.Response || which == threshold.Service {
			upTo := l
			upTo.From, upTo.To = 1, 1/(1-min(percentile, 99.9999999)/100)
			f.Distribution.Limits = append(f.Distribution.Limits, upTo)
		}
		drawn.Limits = append(drawn.Limits, l)
	}
}

// times are the percentiles of a time over the run.
func (d Data) times(name string) []plot.Series {
	var series []plot.Series
	for _, p := range percentiles {
		series = append(series, plot.Series{
			Label: p.label, Colour: p.colour,
			Dash: p.dash, Values: plot.Measured(d.Times[name+"_"+p.column+"_ms"]),
		})
	}
	return series
}

// distribution is the latency of the whole run up to its maximum, as HdrHistogram's plots show it.
func distribution(d Data) plot.Figure {
	f := plot.Figure{
		ID: "distribution", Title: "Latency distribution",
		Note: "of the whole run up to its maximum; each further nine is as wide as the last", X: plot.Nines,
		Unit: plot.Milliseconds, Empty: "No request was answered.",
	}
	for _, s := range []plot.Series{
		{Label: "response", Colour: plot.Orange},
		{Label: "service", Colour: plot.Blue, Dash: plot.Dashed},
	} {
		s.At, s.Values = plot.Values{}, plot.Values{}
		for _, q := range d.Quantile[s.Label] {
			s.At, s.Values = append(s.At, q[0]), append(s.Values, q[1])
		}
		f.Series = append(f.Series, s)
	}
	return f
}

// stallMarks shade the stretches without an answer; the longest where there are many.
func stallMarks(stalls []results.Stall) []plot.Mark {
	longest := slices.SortedFunc(slices.Values(stalls), func(a, b results.Stall) int { return cmp.Compare(b.MS, a.MS) })
	var marks []plot.Mark
	for _, s := range longest[:min(len(longest), mostMarks)] {
		marks = append(marks, plot.Mark{
			From: s.FromMS / 1000, To: (s.FromMS + s.MS) / 1000,
			Label: "no answer", Kind: plot.Region,
		})
	}
	return marks
}

// StageMarks name the stages of a run in its plots, where there are several.
func StageMarks(stages []results.Stage) []plot.Mark {
	if len(stages) < 2 || len(stages) > mostMarks {
		return nil
	}
	var marks []plot.Mark
	for _, s := range stages {
		name := s.Name
		if name == "" {
			name = strconv.Itoa(s.Number)
		}
		marks = append(marks, plot.Mark{
			From: float64(s.StartMS) / 1000, To: float64(s.EndMS) / 1000,
			Label: printable.Clean(printable.Clip(name, 40)), Kind: plot.Stage,
		})
	}
	return marks
}
