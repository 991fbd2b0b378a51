package compare

import (
	"fmt"
	"math"

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
	// how large a change resampling explains, in the same measure; absent: not judged
	Noise  *float64 `json:"noise,omitempty"`
	Judged Verdict  `json:"judged,omitempty"`
	Reason string   `json:"reason,omitempty"`

	more bool // more of it is better
}

// plain are the figures of both runs side by side, as recorded. The first ten are in the order of figures.vector.
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

const withinNoise = "within noise"

// judge separates differences from noise. A change of a time or the rate counts beyond the tolerance, one of the share
// of bad answers beyond a tenth of it: 5 % more time is little, 5 % of all answers is not.
func (l *Load) judge(series [2][]piece, o Options) {
	var f [2]figures
	var n [2]noise
	for i := range series {
		f[i], n[i] = measure(series[i], o.Seed)
		l.Blocks[i] = Block{Pieces: len(series[i]), Length: n[i].block, Seconds: series[i][len(series[i])-1].to}
	}
	was, is := f[0].vector(), f[1].vector()
	answers := [2]int64{answersOf(series[0]), answersOf(series[1])}
	for i := range was {
		m := &l.Metrics[i]
		least := int64(1)
		if i < 8 {
			least = int64(math.Ceil(10 / (1 - points[i%4]/100)))
		}
		if few := min(answers[0], answers[1]); few < least {
			m.Reason = fmt.Sprintf("%s are too few; this percentile needs %d",
				digest.Quantity(int(few), "answer"), least)
			continue
		}
		change, explained, limit := is[i]-was[i], spreadOf(n[0], n[1], i), math.Log1p(o.Tolerance)
		noise := math.Expm1(min(explained, 20)) // beyond that it is not a number that anyone reads
		worse := change > 0 != m.more
		switch {
		case m.Unit == results.Share:
			limit, noise = o.Tolerance/10, explained
		case m.more || !worse:
			limit = -math.Log1p(-min(o.Tolerance, 0.99))
		}
		m.Noise = &noise
		size := math.Abs(change)
		switch {
		case size <= explained:
			m.Judged, m.Reason = Same, withinNoise
		case size <= limit:
			m.Judged, m.Reason = Same, "within the tolerance"
		case worse:
			m.Judged, m.Reason = Regression, "by more than noise explains"
		default:
			m.Judged, m.Reason = Improvement, "by more than noise explains"
		}
	}
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
