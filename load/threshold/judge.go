package threshold

import (
	"fmt"
	"math"
	"strconv"
	"strings"
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
	Times func(Time) Times // empty: nothing was measured
	Numbers
	Target, Achieved float64 // requests per second as planned and as sent; 0, 0 where nothing was planned
	Blurred          bool    // the generator was so late or so short of CPUs that its figures are not the deployment's alone
	Crowded          bool    // the machine was short of CPUs, for whichever process: times are not the deployment's alone
}

// Result is what a threshold came to.
type Result struct {
	Expr     string `json:"expr"`
	Observed string `json:"observed"` // with its unit: "212ms", "0.05%", "0"; "no data"
	OK       bool   `json:"ok"`
	Late     bool   `json:"late,omitempty"`   // it is not, but for all that is known the generator is to blame
	Reason   string `json:"reason,omitempty"` // why it is late, or not ok where no value says it
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
		if r.OK, r.Observed = t.holds(v), t.format(v); !r.OK {
			r.Reason = t.late(snapshot, v)
			r.Late = r.Reason != ""
		}
	}
	return r
}

// late says why a value describes the generator; empty: the deployment answers for it. For a response time it does where
// service time is on the same side of the limit.
func (c Condition) late(s Snapshot, v float64) string {
	m := c.measure
	if m.time != Response && m.time != Service {
		if s.Blurred {
			return "it may be for the generator, which was late or short of CPUs"
		}
		return ""
	}
	service, lag := s.Times(Service), s.Times(Lag)
	if lag.Count() == 0 || service.Count() == 0 {
		return ""
	}
	own, late := statistic(service, m.q), statistic(lag, m.q)
	switch other := func(v2 float64) bool { return c.holds(v2) != c.holds(v) }; {
	case other(own):
		// What lies between the two is lag; where requests waited for others to end, it must make up half of it.
		if lag.Count() < service.Count() && 2*late < v-own {
			return ""
		}
	case !s.Blurred && !s.Crowded:
		return ""
	default:
		// Who sends late writes and reads late: what exceeds both, here or at a lower percentile, is the deployment's.
		for _, q := range []float64{5, 25, 50, 75, 90, 99, m.q} {
			if q <= m.q && !other(statistic(service, q)-2*statistic(lag, q)) {
				return ""
			}
		}
	}
	name := "mean"
	if m.q > 0 {
		name = fmt.Sprintf("p%g", m.q)
	}
	return fmt.Sprintf("send lag %s %.3g ms explains it: the generator was late", name, late/float64(time.Millisecond))
}

// statistic is a percentile of a time in nanoseconds, or its mean, 0.
func statistic(t Times, q float64) float64 {
	if q == 0 {
		return float64(t.Mean())
	}
	return float64(t.Quantile(q))
}

// observe reads the measure in the unit of the value; a reason means that there is no data.
func (c Condition) observe(s Snapshot) (v float64, reason string) {
	m := c.measure
	if m.time != "" {
		times := s.Times(m.time)
		if times.Count() == 0 {
			return 0, fmt.Sprintf("no %s time was measured", m.time)
		}
		return statistic(times, m.q), ""
	}
	v, of, none := s.Achieved, s.Target, "nothing was due to be sent"
	if m.count != "" {
		v, of, none = m.count.of(s.Numbers)
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
	return strings.Contains(c.op, "=") && c.op != "!=" && v == c.value || strings.HasPrefix(c.op, "<") && v < c.value ||
		strings.HasPrefix(c.op, ">") && v > c.value || c.op == "!=" && v != c.value
}

// format writes a value with as many digits as are needed to see on which side of the limit it is.
func (c Condition) format(v float64) string {
	for digits := 4; ; digits++ {
		shown := v
		if scale := math.Pow(10, float64(digits)-math.Ceil(math.Log10(math.Abs(v)))); c.unit != number && v != 0 && scale < 1e300 {
			shown = math.Round(v*scale) / scale
		}
		text := strconv.FormatFloat(shown, 'f', -1, 64)
		switch c.unit {
		case percent:
			text += "%"
		case eachSeconds:
			text += "/s"
		case duration:
			shown = math.Round(shown)
			text = time.Duration(shown).String()
		}
		if digits >= 16 || v == c.value || shown != c.value && c.holds(shown) == c.holds(v) {
			return text
		}
	}
}

// Off is how far the observed value is from the limit, in percent of the limit: below zero it is under it. It is false
// where the limit is zero, where there is no data, or where one value is asked for and not a side of it.
func (r Result) Off() (percent float64, ok bool) {
	t, err := Parse(r.Expr)
	if err != nil || t.value == 0 || t.op == "==" || t.op == "!=" {
		return 0, false
	}
	observed, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSuffix(r.Observed, "/s"), "%"), 64)
	if t.unit == duration {
		var d time.Duration
		d, err = time.ParseDuration(r.Observed)
		observed = float64(d)
	}
	percent = 100 * (observed - t.value) / t.value
	return percent, err == nil && !math.IsNaN(percent) && !math.IsInf(percent, 0)
}

// Margin says how far the observed value is from the limit: "12% below the limit", "11 times
// the limit". It is empty where Off is false.
func (r Result) Margin() string {
	off, ok := r.Off()
	side, digits := "above", 0
	if off < 0 {
		side = "below"
	}
	if math.Abs(off) < 1 {
		digits = 2
	}
	switch {
	case !ok:
		return ""
	case off >= 900:
		return fmt.Sprintf("%.3g times the limit", 1+off/100)
	}
	return fmt.Sprintf("%s%% %s the limit", strconv.FormatFloat(math.Abs(off), 'f', digits, 64), side)
}

// Watch follows the rules of a run while it goes. It is used from one goroutine.
type Watch struct {
	rules []Rule
	since []time.Duration // start of the unbroken time in which each held; below 0: it did not hold
}

// NewWatch follows rules, as they are written.
func NewWatch(exprs []string) (*Watch, error) {
	w := &Watch{}
	for _, expr := range exprs {
		r, err := ParseRule(expr)
		if err != nil {
			return nil, err
		}
		w.rules, w.since = append(w.rules, r), append(w.since, -1)
	}
	return w, nil
}

// Observe takes the interval [from, to) of the run, counted from its start, and the run so far. A plain count is of the
// run so far; a share, a time or a rate is of the interval. An interval without data does not break what held
// before. It returns why the run must end, or "".
func (w *Watch) Observe(from, to time.Duration, interval, whole Snapshot) string {
	for i, r := range w.rules {
		s := interval
		if r.measure.count != "" && r.unit == number {
			s = whole
		}
		v, missing := r.observe(s)
		switch {
		case missing != "":
			continue
		case !r.holds(v), r.late(s, v) != "":
			w.since[i] = -1
			continue
		case w.since[i] < 0:
			w.since[i] = from
		}
		lasted := to - w.since[i]
		if r.For == 0 {
			return fmt.Sprintf("%s: observed %s", r.Expr, r.format(v))
		} else if lasted >= r.For {
			return fmt.Sprintf("%s: observed %s, held for %s", r.Expr, r.format(v), lasted.Round(time.Millisecond))
		}
	}
	return ""
}
