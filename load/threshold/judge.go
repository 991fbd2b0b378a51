package threshold

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// Distribution is the distribution of one time.
type Distribution interface {
	Count() int64                     // values measured
	Quantile(p float64) time.Duration // p in percent, such as 99.9; 100 for the maximum
	Mean() time.Duration
}

// A Snapshot holds the values measured in a run, a stage or an interval.
type Snapshot struct {
	Times func(TimeKind) Distribution // an empty distribution: nothing was measured
	CountValues
	Target, Achieved    float64 // requests per second; Target 0: nothing was planned
	Accepted            float64 // requests per second
	LateRate            float64 // requests per second that were sent late; Achieved lacks them
	GeneratorUnreliable bool    // the generator was late, or Starved
	Starved             bool    // the generator was short of CPUs, ports or file descriptors
	Bound               bool    // a limit on requests in flight bounded the rate
	Crowded             bool    // the machine was short of CPUs, whatever used them

	// WithWaiting returns a response or service time with the requests that have waited for their
	// answers for longer than limit, by how long they have; nil: nobody knows.
	WithWaiting func(of TimeKind, limit time.Duration) Distribution
}

// A Result is the result of judging a threshold.
type Result struct {
	Expr     string   `json:"expr"`
	Observed string   `json:"observed"`         // with its unit: 212ms, 0.05%, 480/s, 0; or NoData
	Value    *float64 `json:"value,omitempty"`  // the same in ms, percent or requests per second
	OK       bool     `json:"ok"`               // the threshold held
	Late     bool     `json:"late,omitempty"`   // it did not hold, and the generator may be the cause
	Reason   string   `json:"reason,omitempty"` // reason for Late or for no value
	Note     string   `json:"note,omitempty"`   // says that the value rests on a single time
}

// NoData is the value of Observed if nothing was measured.
const NoData = "no data"

// Judge judges the threshold for a run. at returns the snapshot of a stage, from 1, or of the
// whole run for 0; it returns false if the stage was not reached. Without data the result is not
// OK.
func (t Threshold) Judge(at func(stage int) (Snapshot, bool)) Result {
	r := Result{Expr: t.Expr, Observed: NoData}
	if t.StageName != "" && t.StageNumber == 0 {
		r.Reason = fmt.Sprintf("the plan has no stage %q", t.StageName)
		return r
	}
	snapshot, reached := at(t.StageNumber)
	if !reached {
		r.Reason = fmt.Sprintf("stage %d was not reached", t.StageNumber)
		return r
	}
	var v float64
	if v, r.Reason = t.observeValue(snapshot); r.Reason == "" {
		shown := t.roundNearLimit(v)
		r.OK = t.isMet(v)
		r.Observed = t.unit.formatForThreshold(shown)
		r.Value = new(t.unit.toRecorded(shown))
		r.Note = t.singleTimeNote(snapshot)
		if !r.OK {
			r.Reason = t.generatorLateReason(snapshot, v)
			r.Late = r.Reason != ""
		}
	}
	return r
}

// singleTimeNote says that a percentile is the maximum because fewer times were measured than it
// takes for one to lie above it, or returns "".
func (c Condition) singleTimeNote(s Snapshot) string {
	if c.measure.q == 0 || c.measure.q == 100 {
		return ""
	}
	n := s.Times(c.measure.time).Count()
	if float64(n)*(100-c.measure.q) >= 100 {
		return ""
	}
	return "the longest of " + printable.Quantity(n, "time")
}

// generatorLateReason says why the generator may be the cause of a value, or returns "" if the
// deployment is.
func (c Condition) generatorLateReason(s Snapshot, v float64) string {
	m, trouble := c.measure, s.GeneratorUnreliable
	switch {
	case m.time == TimeResponse || m.time == TimeService:
		return c.lagReason(s, v)
	case m.time != "":
	case m.count == "" && s.Bound:
		return "a limit of ours bounded the rate"
	case m.count == "":
		trouble = trouble || c.isMet(v+s.LateRate)
	default: // late requests are left out: the others describe the deployment
		trouble = s.Starved || c.unit == unitCount && s.Late > 0 && c.isMet(v+float64(s.Late)) ||
			2*s.Late > s.Sent()+s.Late
	}
	if trouble {
		return "the generator was late or short of CPUs, which may be why"
	}
	return ""
}

// lagReason says how send lag explains a response or service time, or returns "".
func (c Condition) lagReason(s Snapshot, v float64) string {
	m := c.measure
	service, lag := s.Times(TimeService), s.Times(TimeLag)
	if lag.Count() == 0 || service.Count() == 0 ||
		!c.lagExplains(service, lag, v, s.GeneratorUnreliable || s.Crowded) {
		return ""
	}
	name := "mean"
	if m.q > 0 {
		name = fmt.Sprintf("p%g", m.q)
	}
	return fmt.Sprintf("send lag %s %s explains it: the generator was late", name,
		unitDuration.formatForPeople(math.Round(10*milliseconds(m.statistic(lag)))/10))
}

// lagExplains reports whether send lag may be why a response or service time is on its side of the
// limit. The deployment is the cause of a response time if the service time is on the same side,
// unless the generator had trouble.
func (c Condition) lagExplains(service, lag Distribution, v float64, trouble bool) bool {
	m, served := c.measure, c.measure.statistic(service)
	differs := func(other float64) bool { return c.isMet(other) != c.isMet(v) }
	if differs(served) {
		// Lag must explain the difference, or half of it if some requests waited for a worker.
		return lag.Count() >= service.Count() || 2*m.statistic(lag) >= v-served
	}
	if !trouble {
		return false
	}
	// A generator that sends late also reads late. If service time misses the limit by more than
	// twice the lag, here or at a lower percentile, the deployment is the cause.
	for _, q := range []float64{5, 25, 50, 75, 90, 99, m.q} {
		at := measure{q: q}
		if q <= m.q && !differs(at.statistic(service)-2*at.statistic(lag)) {
			return false
		}
	}
	return true
}

func (m measure) statistic(t Distribution) float64 {
	if m.q == 0 {
		return float64(t.Mean())
	}
	return float64(t.Quantile(m.q))
}

// observeValue returns the measured value in the unit of the limit, or says why there is no
// data.
func (c Condition) observeValue(s Snapshot) (v float64, missing string) {
	m := c.measure
	if m.time != "" {
		times := s.Times(m.time)
		if times.Count() == 0 {
			return 0, fmt.Sprintf("no %s time was measured", m.time)
		}
		return m.statistic(times), ""
	}
	v, of, none := s.Achieved, s.Target, "nothing was due to be sent"
	switch {
	case m.count != "":
		v, of, none = m.count.countIn(s.CountValues)
	case m.accepted:
		v = s.Accepted
	}
	switch {
	case of <= 0:
		return 0, none
	case c.unit == unitPercent:
		return 100 * v / of, ""
	}
	return v, ""
}

func (c Condition) isMet(v float64) bool {
	switch c.op {
	case "<":
		return v < c.limit
	case "<=":
		return v <= c.limit
	case ">":
		return v > c.limit
	case ">=":
		return v >= c.limit
	case "==":
		return v == c.limit
	}
	return v != c.limit
}

// roundNearLimit rounds a value to at least four digits, and to as many as needed to show on
// which side of the limit it is.
func (c Condition) roundNearLimit(v float64) float64 {
	for digits := 4; digits < 16 && v != c.limit && c.unit != unitCount; digits++ {
		// cannot fail: text of a number
		shown, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
		if c.unit == unitDuration {
			shown = math.Round(shown)
		}
		if shown != c.limit && c.isMet(shown) == c.isMet(v) {
			return shown
		}
	}
	return v
}

// Describe describes the observed value: "p99 2.8 ms", "errors 0.05%", "achieved 480/s".
func (r Result) Describe() string {
	if t, err := Parse(r.Expr); err == nil && r.Value != nil {
		return splitExpression(r.Expr).measure + " " + t.unit.formatForPeople(*r.Value)
	}
	return r.Observed
}

// Excess returns how far the observed value is above the limit, as a share of the limit: 0.1 is
// a tenth above, -0.1 a tenth below. ok is false without data, for a limit of zero, and for ==
// and !=.
func (r Result) Excess() (ratio float64, ok bool) {
	t, err := Parse(r.Expr)
	if err != nil || r.Value == nil || t.limit == 0 || t.op == "==" || t.op == "!=" {
		return 0, false
	}
	limit := t.unit.toRecorded(t.limit)
	return (*r.Value - limit) / limit, true
}

// Margin says how far the observed value is from the limit: "12% below the limit", "11 times the
// limit". It returns "" if Excess returns false.
func (r Result) Margin() string {
	ratio, ok := r.Excess()
	side, digits := "above", 0
	if ratio < 0 {
		side = "below"
	}
	if math.Abs(ratio) < 0.01 {
		digits = 2
	}
	switch {
	case !ok:
		return ""
	case ratio >= 99:
		return printable.Number(int64(math.Round(1+ratio))) + " times the limit"
	case ratio >= 9:
		return fmt.Sprintf("%.3g times the limit", 1+ratio)
	}
	return fmt.Sprintf("%.*f%% %s the limit", digits, 100*math.Abs(ratio), side)
}
