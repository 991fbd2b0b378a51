package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/plot"
)

// FigureChange is a figure of both runs.
type FigureChange struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"` // ms | /s | share
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Change float64 `json:"change"` // share of Before; for a figure that is a share, the difference
	// probability that similar runs differ this much; nil: not judged
	P      *float64 `json:"p,omitempty"`
	Judged Verdict  `json:"judged,omitempty"`
	Reason string   `json:"reason,omitempty"`
}

// Units of figures.
const (
	unitMilliseconds = "ms"
	unitPerSecond    = "/s"
	unitShare        = "share"
)

// runFigure is a figure of a run.
type runFigure struct {
	name, unit string
	more       bool // a higher value is better
	of         func(results.Run) float64
	// the figure of a stretch of the run; NaN: none; nil: the figure is not judged
	sample func(loadreport.IntervalPoint) float64
	needs  int64 // minimum of answers for a judgement
}

// allRunFigures returns the figures of a run: p50, p90, p95 and p99 of both times, the rate and
// the share of bad answers.
func allRunFigures() (list []runFigure) {
	// what a user notices comes first
	for _, which := range []threshold.TimeKind{threshold.TimeResponse, threshold.TimeService} {
		for _, s := range results.Statistics() {
			f := runFigure{
				name: string(which) + " " + s.Name, unit: unitMilliseconds,
				of: func(r results.Run) float64 {
					if which == threshold.TimeService {
						return *s.Of(&r.Latency.Service)
					}
					return *s.Of(&r.Latency.Response)
				},
			}
			if s.Quantile > 0 && s.Quantile <= 99 {
				f.needs = int64(math.Ceil(10 / (1 - s.Quantile/100)))
				f.sample = func(p loadreport.IntervalPoint) float64 {
					return math.Log(max(p.PercentileMS(which, s.Quantile), 0.001))
				}
			}
			list = append(list, f)
		}
	}
	ratio := func(n, of int64) float64 { return float64(n) / float64(of) }
	return append(list,
		runFigure{
			"rate achieved", unitPerSecond, true, func(r results.Run) float64 { return r.Rate.Achieved },
			func(p loadreport.IntervalPoint) float64 { return ratio(p.Sent, max(p.Due, 1)) }, 1,
		},
		runFigure{
			"bad answers", unitShare, false, func(r results.Run) float64 { return r.Requests.BadShare() },
			func(p loadreport.IntervalPoint) float64 {
				answered, bad := p.Answers()
				return ratio(bad, answered)
			}, 1,
		},
		runFigure{
			name: "target rate", unit: unitPerSecond,
			of: func(r results.Run) float64 { return r.Rate.Target },
		})
}

// unjudgedChanges returns the recorded figures of both runs.
func unjudgedChanges(a, b results.Run) []FigureChange {
	var list []FigureChange
	for _, f := range allRunFigures() {
		m := FigureChange{Name: f.name, Unit: f.unit, Before: f.of(a), After: f.of(b)}
		m.Change = m.After - m.Before
		if f.unit != unitShare {
			m.Change = relativeChange(m.Before, m.After)
		}
		list = append(list, m)
	}
	return list
}

// significanceTest is the name of the test that separates changes from noise.
const significanceTest = "Mann-Whitney U test"

const (
	// significanceLevel is the p-value below which a change is significant. With ten figures, some
	// of them correlated, fewer than one in fifty comparisons of similar runs finds a change.
	significanceLevel = 0.0001
	// windowsPerRun is the number of stretches of a run to compare. They are long because
	// neighbouring seconds are correlated, which the test does not take into account.
	windowsPerRun = 12
	minSamples    = 12 // minimum of intervals for a judgement
)

const withinNoiseText = "within noise"

// judgeFigures separates differences from noise. Changes of times and the rate count above the
// tolerance, changes of the share of bad answers above a tenth of it: 5 % more time is little, 5 %
// of all answers is not.
func (l *LoadComparison) judgeFigures(series [2][]loadreport.IntervalPoint) {
	answers := min(countAnswers(series[0]), countAnswers(series[1]))
	var stretches [2][]loadreport.IntervalPoint
	for i, s := range series {
		stretches[i] = loadreport.Downsample(s, (len(s)+windowsPerRun-1)/windowsPerRun)
	}
	for i, f := range allRunFigures() {
		m := &l.Metrics[i]
		switch {
		case f.sample == nil:
			continue
		case answers < f.needs:
			m.Reason = fmt.Sprintf("%s are too few; this percentile needs %d",
				printable.Quantity(answers, "answer"), f.needs)
			continue
		}
		p := f.pValue(stretches)
		m.P = &p
		limit, worse := l.Tolerance, m.Change > 0 != f.more
		switch {
		case f.unit == unitShare:
			limit = l.Tolerance / 10
		case f.more || !worse: // a decrease by the same factor
			limit = 1 - 1/(1+l.Tolerance)
		}
		switch {
		case p >= significanceLevel:
			m.Judged, m.Reason = VerdictSame, withinNoiseText
		case math.Abs(m.Change) <= limit:
			m.Judged, m.Reason = VerdictSame, "within the tolerance"
		case worse:
			m.Judged = VerdictRegression
		default:
			m.Judged = VerdictImprovement
		}
	}
}

// pValue returns the probability that similar runs differ this much. The mean of its stage is
// subtracted from each value.
func (f runFigure) pValue(stretches [2][]loadreport.IntervalPoint) float64 {
	sums, counts := map[int]float64{}, map[int]float64{}
	for _, p := range slices.Concat(stretches[0], stretches[1]) {
		if v := f.sample(p); !math.IsNaN(v) {
			sums[p.Stage] += v
			counts[p.Stage]++
		}
	}
	var centred [2][]float64
	for i, list := range stretches {
		for _, p := range list {
			if v := f.sample(p); !math.IsNaN(v) {
				centred[i] = append(centred[i], v-sums[p.Stage]/counts[p.Stage])
			}
		}
	}
	return rankSumPValue(centred[0], centred[1])
}

func countAnswers(list []loadreport.IntervalPoint) (n int64) {
	for _, p := range list {
		all, _ := p.Answers()
		n += all
	}
	return n
}

// relativeChange returns the change as a share of before; 0 if before is 0. The result is finite
// for any numbers of a record, so that it can be written.
func relativeChange(before, after float64) float64 {
	if !(before > 0) {
		return 0
	}
	return min(after/before-1, 1e9)
}

func (m FigureChange) formatValue(v float64) string {
	switch m.Unit {
	case unitShare:
		return fmt.Sprintf("%.2f%%", 100*v)
	case unitPerSecond:
		return plot.UnitPerSecond.FormatValue(v)
	}
	return plot.UnitMilliseconds.FormatValue(v)
}

// formatChange returns the signed change in percent; for shares in percentage points.
func (m FigureChange) formatChange() string {
	switch {
	case m.Unit == unitShare:
		return fmt.Sprintf("%+.2f pp", 100*m.Change)
	case m.Before <= 0 || m.Unit == unitMilliseconds && m.After <= 0:
		return "–"
	}
	return formatSigned(m.Change)
}

// formatSigned returns a signed share in percent; from ten times on, the factor.
func formatSigned(change float64) string {
	if change >= 10 {
		return fmt.Sprintf("×%.3g", 1+change)
	}
	return fmt.Sprintf("%+.1f%%", 100*change)
}

func (m FigureChange) formatP() string {
	switch {
	case m.P == nil || math.IsNaN(*m.P):
		return "–"
	case *m.P < significanceLevel/10:
		return fmt.Sprintf("<%g", significanceLevel/10)
	}
	return fmt.Sprintf("%.2g", *m.P)
}
