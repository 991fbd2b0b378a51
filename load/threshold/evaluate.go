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
	Quantile(p float64) time.Duration // p in percent: 99.9
	Mean() time.Duration
	Max() time.Duration
}

// Snapshot is what was measured in a run, in a stage or in one second.
type Snapshot interface {
	// Times returns a distribution; nil or an empty one: nothing was measured.
	Times(Time) Times
	// Count returns how many requests ended in a way, and of how many; of is 0 where none could have.
	Count(Count) (n, of int64)
	// Rate returns requests per second as planned and as sent; 0, 0 where nothing was planned.
	Rate() (target, achieved float64)
}

// Source gives the snapshots of a run.
type Source interface {
	Whole() Snapshot
	Stage(number int) (Snapshot, bool) // from 1; false: there is none
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

// Evaluate judges thresholds in their order. One that has no data is not ok, and its Reason says so.
func Evaluate(list []Threshold, src Source) []Result {
	results := make([]Result, 0, len(list))
	for _, t := range list {
		results = append(results, t.judge(src))
	}
	return results
}

func (t Threshold) judge(src Source) Result {
	r := Result{Expr: t.Expr, Observed: NoData}
	if r.Expr == "" {
		r.Expr = t.String()
	}
	if t.StageName != "" && t.StageNumber == 0 {
		r.Reason = fmt.Sprintf("the plan has no stage %q", t.StageName)
		return r
	}
	snapshot := src.Whole()
	if t.StageNumber > 0 {
		var found bool
		if snapshot, found = src.Stage(t.StageNumber); !found {
			r.Reason = fmt.Sprintf("stage %d was not reached", t.StageNumber)
			return r
		}
	}
	v, reason := t.observe(snapshot)
	if reason != "" {
		r.Reason = reason
		return r
	}
	r.OK, r.Observed = t.holds(v), t.format(v)
	return r
}

// observe reads the measure in the unit of the value; a reason means that there is no data.
func (c Condition) observe(s Snapshot) (v float64, reason string) {
	m := c.measure
	switch {
	case m.time != "":
		times := s.Times(m.time)
		if times == nil || times.Count() == 0 {
			return 0, fmt.Sprintf("no %s time was measured", m.time)
		}
		switch m.stat {
		case maximum:
			return float64(times.Max()), ""
		case mean:
			return float64(times.Mean()), ""
		}
		return float64(times.Quantile(m.q)), ""
	case m.count != "":
		n, of := s.Count(m.count)
		if of <= 0 {
			return 0, m.count.none()
		}
		if c.unit == percent {
			return 100 * float64(n) / float64(of), ""
		}
		return float64(n), ""
	}
	target, sent := s.Rate()
	if target <= 0 {
		return 0, "nothing was due to be sent"
	}
	if c.unit == percent {
		return 100 * sent / target, ""
	}
	return sent, ""
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
