package threshold

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Times is the distribution of one time.
type Times interface {
	Count() int64                     // values measured
	Quantile(p float64) time.Duration // p in percent: 99.9; 100 for the maximum
	Mean() time.Duration
}

// Snapshot is what was measured in a run, in a stage or in one second.
type Snapshot struct {
	Times map[Time]Times // absent or empty: nothing was measured
	Numbers
	Target, Achieved float64 // requests per second as planned and as sent; 0, 0 where nothing was planned
}

// Result is what a threshold came to.
type Result struct {
	Expr     string `json:"expr"`
	Observed string `json:"observed"` // with its unit: "212ms", "0.05%", "0"; "no data"
	OK       bool   `json:"ok"`
	Reason   string `json:"reason,omitempty"` // why it is not ok where no value says it
}

// NoData is what Observed holds when nothing was measured.
const NoData = "no data"

// Judge holds the threshold against a run, of which at gives the snapshot of a stage, from 1, or of all for 0; false:
// the stage was not reached. A threshold that has no data is not ok, and the Reason says so.
func (t Threshold) Judge(at func(stage int) (Snapshot, bool)) Result {
	r := Result{Expr: t.Expr, Observed: NoData}
	if t.StageName != "" && t.StageNumber == 0 {
		r.Reason = fmt.Sprintf("the plan has no stage %q", t.StageName)
		return r
	}
	snapshot, found := at(t.StageNumber)
	if !found {
		r.Reason = fmt.Sprintf("stage %d was not reached", t.StageNumber)
		return r
	}
	var v float64
	if v, r.Reason = t.observe(snapshot); r.Reason == "" {
		r.OK, r.Observed = t.holds(v), t.format(v)
	}
	return r
}

// observe reads the measure in the unit of the value; a reason means that there is no data.
func (c Condition) observe(s Snapshot) (v float64, reason string) {
	m := c.measure
	if m.time != "" {
		times := s.Times[m.time]
		if times == nil || times.Count() == 0 {
			return 0, fmt.Sprintf("no %s time was measured", m.time)
		}
		if m.q == 0 {
			return float64(times.Mean()), ""
		}
		return float64(times.Quantile(m.q)), ""
	}
	v, of, none := s.Achieved, s.Target, "nothing was due to be sent"
	if m.count != "" {
		n, all := m.count.of(s.Numbers)
		v, of, none = float64(n), float64(all), m.count.none()
	}
	switch {
	case of <= 0:
		return 0, none
	case c.unit == percent:
		return 100 * v / of, ""
	}
	return v, ""
}

func (c Condition) holds(v float64) bool {
	switch c.op {
	case "<":
		return v < c.value
	case "<=":
		return v <= c.value
	case ">":
		return v > c.value
	case ">=":
		return v >= c.value
	case "==":
		return v == c.value
	}
	return v != c.value
}

// format writes a value with as many digits as are needed to see on which side of the limit it is.
func (c Condition) format(v float64) string {
	for digits := 4; ; digits++ {
		text, shown := render(v, c.unit, digits)
		if digits >= 16 || v == c.value || shown != c.value && c.holds(shown) == c.holds(v) {
			return text
		}
	}
}

// render rounds v to significant digits; shown is the value that the text then says.
func render(v float64, u unit, digits int) (text string, shown float64) {
	shown = v
	if v != 0 {
		scale := math.Pow(10, float64(digits)-math.Ceil(math.Log10(math.Abs(v))))
		if rounded := math.Round(v*scale) / scale; scale > 0 && !math.IsInf(scale, 0) && !math.IsNaN(rounded) {
			shown = rounded
		}
	}
	switch u {
	case duration:
		d := time.Duration(math.Round(shown))
		return d.String(), float64(d)
	case number:
		return strconv.FormatFloat(v, 'f', -1, 64), v
	}
	return literal(shown, u), shown
}
