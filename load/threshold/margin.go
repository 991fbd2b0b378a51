package threshold

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Off is how far the observed value is from the limit, in percent of the limit: below zero it is under it. It is false
// where the limit is zero, where there is no data, or where one value is asked for and not a side of it.
func (r Result) Off() (percent float64, ok bool) {
	t, err := Parse(r.Expr)
	if err != nil || t.value == 0 || strings.HasPrefix(t.op, "=") || strings.HasPrefix(t.op, "!") {
		return 0, false
	}
	observed, known := quantity(r.Observed)
	if !known {
		return 0, false
	}
	percent = 100 * (observed - t.value) / math.Abs(t.value)
	return percent, !math.IsNaN(percent) && !math.IsInf(percent, 0)
}

// Margin says how far the observed value is from the limit: "12% below the limit", "11 times
// the limit". It is empty where Off is false.
func (r Result) Margin() string {
	off, ok := r.Off()
	if !ok {
		return ""
	}
	side, digits := "above", 0
	if off < 0 {
		side = "below"
	}
	if math.Abs(off) < 1 {
		digits = 2
	}
	if off >= 900 {
		return fmt.Sprintf("%.3g times the limit", 1+off/100)
	}
	return fmt.Sprintf("%s%% %s the limit", strconv.FormatFloat(math.Abs(off), 'f', digits, 64), side)
}

// quantity reads a duration in nanoseconds, a share, a rate or a count.
func quantity(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if d, err := time.ParseDuration(s); err == nil && strings.Trim(s, "0123456789.") != "" {
		return float64(d), true
	}
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(s, "/s"), "%"))
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

// TimeLimit says which time a condition limits, up to which percentile (100 for the maximum), and the limit. It is
// false for a condition on something else or on the mean.
func (c Condition) TimeLimit() (which Time, percentile float64, limit time.Duration, ok bool) {
	if m := c.measure; m.time != "" && m.q > 0 {
		return m.time, m.q, time.Duration(c.value), true
	}
	return "", 0, 0, false
}

// OnErrors reports whether a condition limits the errors of a run or a stage.
func (c Condition) OnErrors() bool { return c.measure.count == Errors }
