package loadreport

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/plot"
)

// Limits of marks: more would hide the plot.
const (
	maxMarks      = 60
	maxLimitLines = 8
)

var percentileLines = []struct {
	label      string
	percentile float64
	colour     plot.Colour
	dash       plot.Dash
}{
	{"max", 100, plot.Grey, plot.Dotted},
	{"p99.9", 99.9, plot.Pink, plot.DotDash},
	{"p99", 99, plot.Orange, plot.Solid},
	{"p90", 90, plot.Green, plot.Dashed},
	{"p50", 50, plot.Blue, plot.Solid},
}

// Colours and dashes of the classes of answers, in their order. All pairs differ.
var (
	classColours = []plot.Colour{
		plot.Green, plot.Blue, plot.Red, plot.Pink, plot.Amber, plot.Teal, plot.Orange, plot.Violet,
		plot.Grey, plot.Olive,
	}
	classDashes = []plot.Dash{
		plot.Solid, plot.Dashed, plot.Solid, plot.DotDash, plot.Dashed, plot.Dotted, plot.Solid,
	}
)

// saturationLimit marks the CPU use above which the generator is saturated.
var saturationLimit = plot.LimitLine{
	Value: 100 * results.SaturatedCPUShare, Label: "saturated above", Colour: plot.Amber,
}

// Charts returns the plots of a load run by their ID.
func Charts(run results.Run, d RunData) map[string]plot.Figure {
	charts := map[string]plot.Figure{}
	at := valuesOf(d.Points, func(p IntervalPoint) float64 { return p.To })
	marks := append(stageMarks(run.Stages), stallMarks(run.Stalls)...)
	add := func(id, title, note string, unit plot.Unit, scale plot.Scale, series ...plot.Series) {
		charts[id] = plot.Figure{
			ID: id, Title: title, Note: note, Unit: unit, Scale: scale, Series: series, X: plot.AxisElapsed,
			Group: "time", At: at, Marks: marks, Least: 1, Empty: "No interval was recorded.",
		}
	}
	times := func(of threshold.TimeKind) (series []plot.Series) {
		for _, l := range percentileLines {
			series = append(series, d.line(plot.Series{Label: l.label, Colour: l.colour, Dash: l.dash},
				func(p IntervalPoint) float64 { return p.PercentileMS(of, l.percentile) }))
		}
		return series
	}
	add("rate", "Rate", "requests per second: target and achieved", plot.UnitPerSecond,
		plot.ScaleLinear, d.line(plot.Series{Label: "achieved", Colour: plot.Blue, Fill: true},
			func(p IntervalPoint) float64 { return p.perSecond(p.Sent) }),
		d.line(plot.Series{Label: "target", Colour: plot.Grey, Dash: plot.Dashed},
			func(p IntervalPoint) float64 { return p.perSecond(p.Due) }))
	add("response", "Response time", "from when the request was due", plot.UnitMilliseconds,
		plot.ScaleAutomatic, times(threshold.TimeResponse)...)
	add("service", "Service time", "from when it was sent", plot.UnitMilliseconds, plot.ScaleAutomatic,
		times(threshold.TimeService)...)
	add("answers", "Answers", "requests per second by outcome", plot.UnitPerSecond,
		plot.ScaleAutomatic, d.answerSeries()...)
	if slices.ContainsFunc(d.Points,
		func(p IntervalPoint) bool { _, bad := p.Answers(); return bad > 0 }) {
		add("bad", "Bad answers", "per second, neither accepted nor rightly blocked",
			plot.UnitPerSecond, plot.ScaleAutomatic,
			d.line(plot.Series{Label: "bad answers", Colour: plot.Red}, func(p IntervalPoint) float64 {
				_, bad := p.Answers()
				return p.perSecond(bad)
			}))
	}
	add("lag", "Send lag", "how late requests were sent", plot.UnitMilliseconds, plot.ScaleAutomatic,
		selectSeries(times(threshold.TimeLag), "max", "p99", "p50")...)
	add("cpu", "CPU", "share of this machine's CPUs that the generator used, and all processes",
		plot.UnitPercent, plot.ScaleLinear,
		d.line(plot.Series{Label: "generator", Colour: plot.Violet, Fill: true},
			func(p IntervalPoint) float64 { return 100 * p.CPU }),
		d.line(plot.Series{Label: "all", Colour: plot.Grey, Dash: plot.Dashed},
			func(p IntervalPoint) float64 { return 100 * p.Machine }))
	add("flight", "In flight", "requests under way at the end of each interval", plot.UnitCount,
		plot.ScaleAutomatic, d.line(plot.Series{Label: "in flight", Colour: plot.Teal, Fill: true},
			func(p IntervalPoint) float64 { return float64(p.InFlight) }))
	add("files", "Time to file", "of the sampled exports, by the interval in which the file was "+
		"ready", plot.UnitMilliseconds, plot.ScaleAutomatic,
		selectSeries(times(threshold.TimeFile), "max", "p99", "p50")...)
	charts["distribution"] = d.distributionFigure()
	addLimits(charts, run)
	return charts
}

func selectSeries(list []plot.Series, labels ...string) []plot.Series {
	return slices.DeleteFunc(list,
		func(s plot.Series) bool { return !slices.Contains(labels, s.Label) })
}

// answerSeries returns the classes that occurred.
func (d RunData) answerSeries() (series []plot.Series) {
	for i, class := range judge.Classes() {
		if slices.ContainsFunc(d.Points, func(p IntervalPoint) bool { return p.Classes[class] > 0 }) {
			series = append(series, d.line(plot.Series{
				Label: underscoresToSpaces(class.String()), Colour: classColours[i%len(classColours)],
				Dash: classDashes[i%len(classDashes)],
			}, func(p IntervalPoint) float64 { return p.perSecond(p.Classes[class]) }))
		}
	}
	return series
}

// distributionFigure returns the latency distribution of the whole run as HdrHistogram plots it:
// on an axis logarithmic in 1/(1-p).
func (d RunData) distributionFigure() plot.Figure {
	f := plot.Figure{
		ID: "distribution", Title: "Latency distribution", X: plot.AxisPercentiles,
		Unit:  plot.UnitMilliseconds,
		Empty: "No request was answered.",
		Note:  "of the whole run; each further nine takes the same width",
		Series: []plot.Series{
			{Label: "response", Colour: plot.Orange},
			{Label: "service", Colour: plot.Blue, Dash: plot.Dashed},
		},
	}
	if len(d.Points) == 0 {
		return f
	}
	const perDecade = 20
	for i, of := range []threshold.TimeKind{threshold.TimeResponse, threshold.TimeService} {
		s, whole := &f.Series[i], new(results.Distribution)
		for _, p := range d.Points {
			whole.Add(p.Times[of])
		}
		n := float64(whole.Count())
		for at, step := 1.0, 1.0; n > 0 && at < n; step++ {
			s.At, s.Values = append(s.At, at),
				append(s.Values, milliseconds(whole.Quantile(100*(1-1/at))))
			at = math.Pow(10, step/perDecade)
		}
		if n > 0 {
			s.At, s.Values = append(s.At, n), append(s.Values, milliseconds(whole.Quantile(100)))
		}
	}
	return f
}

// addLimits marks thresholds in the plots of times: over their stage, and in the distribution up
// to their percentile.
func addLimits(charts map[string]plot.Figure, run results.Run) {
	mark := func(id string, l plot.LimitLine) {
		f := charts[id]
		if len(f.Limits) < maxLimitLines {
			f.Limits = append(f.Limits, l)
		}
		charts[id] = f
	}
	mark("lag", plot.LimitLine{
		Value: run.Generator.LagLimit, Label: "limit of p99, whole run", Colour: plot.Amber,
	})
	mark("cpu", saturationLimit)
	over := map[threshold.TimeKind]string{
		threshold.TimeResponse: "response", threshold.TimeService: "service", threshold.TimeLag: "lag",
		threshold.TimeFile: "files",
	}
	for _, result := range run.Thresholds {
		which, percentile, l := thresholdLimit(result.Expr, run.Stages)
		if l.Label == "" {
			continue
		}
		mark(over[which], l)
		if l.To == 0 && (which == threshold.TimeResponse || which == threshold.TimeService) {
			l.From, l.To = 1, 1/(1-min(percentile, 99.9999999)/100)
			mark("distribution", l)
		}
	}
}

// thresholdLimit returns the limit that a threshold sets for a time; with an empty label there is
// none.
func thresholdLimit(expr string,
	stages []results.StageResult,
) (of threshold.TimeKind, percentile float64, l plot.LimitLine) {
	names := make([]string, len(stages))
	for i, s := range stages {
		names[i] = s.Name
	}
	t, err := threshold.Parse(expr)
	if err != nil || t.Bind(names) != nil {
		return of, 0, l
	}
	of, percentile, most, ok := t.TimeLimit()
	if !ok {
		return of, 0, l
	}
	l = plot.LimitLine{
		Value: milliseconds(most), Label: printable.Clip(expr, 60), Colour: plot.Red,
	}
	if n := t.StageNumber; n > 0 && n <= len(stages) {
		l.From, l.To = float64(stages[n-1].StartMS)/1000, float64(stages[n-1].EndMS)/1000
	}
	return of, percentile, l
}

// stallMarks shades the stretches without an answer; only the longest if there are many.
func stallMarks(stalls []results.Stall) (marks []plot.Mark) {
	longest := slices.SortedFunc(slices.Values(stalls),
		func(a, b results.Stall) int { return cmp.Compare(b.MS, a.MS) })
	for _, s := range longest[:min(len(longest), maxMarks)] {
		marks = append(marks, plot.Mark{
			From: s.FromMS / 1000, To: (s.FromMS + s.MS) / 1000, Label: "no answer", Kind: plot.MarkRegion,
		})
	}
	return marks
}

// stageMarks marks the stages of a run by name, if there are several.
func stageMarks(stages []results.StageResult) (marks []plot.Mark) {
	if len(stages) < 2 || len(stages) > maxMarks {
		return nil
	}
	for _, s := range stages {
		name := cmp.Or(s.Name, strconv.Itoa(s.Number))
		marks = append(marks, plot.Mark{
			From: float64(s.StartMS) / 1000, To: float64(s.EndMS) / 1000,
			Label: printable.Clip(name, 40), Kind: plot.MarkStage,
		})
	}
	return marks
}
