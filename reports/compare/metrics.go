package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/digest"
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
func (l *Load) judge(series [2][]piece, o Options) {
	answers := min(answersOf(series[0]), answersOf(series[1]))
	var stretches [2][]piece
	for i, s := range series {
		stretches[i] = joined(s, (len(s)+windows-1)/windows)
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
func samples(list []piece, i int) (found []sample) {
	for _, p := range list {
		switch {
		case i < 2*len(points):
			if ms := p.times[i/len(points)].quantile(points[i%len(points)]); ms != nil {
				found = append(found, sample{p.stage, math.Log(*ms)})
			}
		case i == 2*len(points):
			found = append(found, sample{p.stage, ratio(p.sent, p.due)})
		case p.answered > 0:
			found = append(found, sample{p.stage, ratio(p.bad, p.answered)})
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

func answersOf(pieces []piece) (n int64) {
	for _, p := range pieces {
		n += p.answered
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
