package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/plot"
)

// Metric is one figure of both runs.
type Metric struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"` // ms | /s | share
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Change float64 `json:"change"` // share of before; for a share the difference
	// how likely two runs alike differ as much, by the test; absent: not judged
	P      *float64 `json:"p,omitempty"`
	Judged Verdict  `json:"judged,omitempty"`
	Reason string   `json:"reason,omitempty"`

	more bool // more of it is better
}

// plain are the figures of both runs side by side, as recorded. The first are those that are judged: p50, p90, p95 and p99 of
// service and of response times, the rate and the share of bad answers.
func plain(a, b results.Run) []Metric {
	var list []Metric
	for _, f := range results.Figures() {
		m := Metric{Name: f.Name, Unit: f.Unit, Before: f.Of(a), After: f.Of(b), more: f.More}
		m.Change = m.After - m.Before
		if f.Unit != results.Share {
			m.Change = relative(m.Before, m.After)
		}
		list = append(list, m)
	}
	return list
}

// Test is the name of the test that tells a change from noise.
const Test = "Mann-Whitney U test"

const (
	// sure is the p-value below which a change is no chance. With ten figures judged at once, some of which move together,
	// two runs alike are called different in fewer than one of fifty comparisons.
	sure = 0.0001
	// windows is how many stretches of a run are compared: long ones, as neighbouring seconds are alike, which the test
	// takes no account of.
	windows = 12
	fewest  = 12 // intervals from which on a run is judged
)

// points are the percentiles that are judged.
var points = []float64{50, 90, 95, 99}

const withinNoise = "within noise"

// judge separates differences from noise. A change of a time or the rate counts beyond the tolerance, one of the share
// of bad answers beyond a tenth of it: 5 % more time is little, 5 % of all answers is not.
func (l *Load) judge(series [2][]loadreport.Point, o Options) {
	answers := min(answersOf(series[0]), answersOf(series[1]))
	var stretches [2][]loadreport.Point
	for i, s := range series {
		stretches[i] = loadreport.Join(s, (len(s)+windows-1)/windows)
	}
	for i := range l.Metrics[:2*len(points)+2] {
		m := &l.Metrics[i]
		if least := needed(i); answers < least {
			m.Reason = fmt.Sprintf("%s are too few; this percentile needs %d",
				digest.Quantity(int(answers), "answer"), least)
			continue
		}
		p := chance(samples(stretches[0], i), samples(stretches[1], i))
		m.P = &p
		limit, worse := o.Tolerance, m.Change > 0 != m.more
		switch {
		case m.Unit == results.Share:
			limit = o.Tolerance / 10
		case m.more || !worse: // a fall by the same factor
			limit = 1 - 1/(1+o.Tolerance)
		}
		switch {
		case p >= sure:
			m.Judged, m.Reason = Same, withinNoise
		case math.Abs(m.Change) <= limit:
			m.Judged, m.Reason = Same, "within the tolerance"
		case worse:
			m.Judged = Regression
		default:
			m.Judged = Improvement
		}
	}
}

// needed is how many answers the i-th figure takes.
func needed(i int) int64 {
	if i >= 2*len(points) {
		return 1
	}
	return int64(math.Ceil(10 / (1 - points[i%len(points)]/100)))
}

// sample is a figure of one stretch of a run.
type sample struct {
	stage int
	value float64
}

// samples are those of the i-th figure, in the order of results.Figures.
func samples(list []loadreport.Point, i int) (found []sample) {
	for _, p := range list {
		answered, bad := p.Answers()
		switch {
		case i < 2*len(points):
			of := []threshold.Time{threshold.Response, threshold.Service}[i/len(points)]
			if ms := p.MS(of, points[i%len(points)]); !math.IsNaN(ms) {
				found = append(found, sample{p.Stage, math.Log(max(ms, 0.001))})
			}
		case i == 2*len(points):
			found = append(found, sample{p.Stage, ratio(p.Sent, p.Due)})
		case answered > 0:
			found = append(found, sample{p.Stage, ratio(bad, answered)})
		}
	}
	return found
}

// chance is how likely values of two runs alike differ as much, each held against those of its stage.
func chance(a, b []sample) float64 {
	sums, counts := map[int]float64{}, map[int]float64{}
	for _, s := range slices.Concat(a, b) {
		sums[s.stage] += s.value
		counts[s.stage]++
	}
	centred := func(list []sample) (values []float64) {
		for _, s := range list {
			values = append(values, s.value-sums[s.stage]/counts[s.stage])
		}
		return values
	}
	result, err := stats.MannWhitneyUTest(centred(a), centred(b), stats.LocationDiffers)
	if err != nil { // all values are the same, or there are none
		return 1
	}
	return result.P
}

func ratio(n, of int64) float64 {
	if of <= 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func answersOf(list []loadreport.Point) (n int64) {
	for _, p := range list {
		all, _ := p.Answers()
		n += all
	}
	return n
}

// relative is a change as a share of what was before; 0 where nothing was. A record can hold any number, and the result
// must be one that can be written.
func relative(before, after float64) float64 {
	if !(before > 0) {
		return 0
	}
	return min(after/before-1, 1e9)
}

func (m Metric) value(v float64) string {
	switch m.Unit {
	case results.Share:
		return fmt.Sprintf("%.2f %%", 100*v)
	case results.PerSecond:
		return plot.PerSecond.Say(v)
	}
	return plot.Milliseconds.Say(v)
}

// change is the difference with its sign: percent, for shares percentage points.
func (m Metric) change() string {
	switch {
	case m.Unit == results.Share:
		return fmt.Sprintf("%+.2f pp", 100*m.Change)
	case m.Before <= 0 || m.Unit == results.Milliseconds && m.After <= 0:
		return "–"
	}
	return signed(m.Change)
}

// signed is a change that is a share, with its sign; of ten times and more the factor.
func signed(change float64) string {
	if change >= 10 {
		return fmt.Sprintf("×%.3g", 1+change)
	}
	return fmt.Sprintf("%+.1f %%", 100*change)
}

func (m Metric) p() string {
	switch {
	case m.P == nil || math.IsNaN(*m.P):
		return "–"
	case *m.P < sure/10:
		return fmt.Sprintf("<%g", sure/10)
	}
	return fmt.Sprintf("%.2g", *m.P)
}
