package run

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// margin tells how far an observed value is from the limit of its threshold, in percent of the limit; empty where the
// limit is zero or one of the two is no quantity.
func margin(expr, observed string) string {
	condition, _, _ := strings.Cut(expr, " for ")
	condition, _, _ = strings.Cut(condition, " in ")
	at := strings.IndexAny(condition, "<>=!")
	if at < 0 {
		return ""
	}
	op := condition[at : at+len(condition[at:])-len(strings.TrimLeft(condition[at:], "<>=!"))]
	limit, ok := quantity(strings.TrimLeft(condition[at:], "<>=! "))
	seen, known := quantity(observed)
	if !ok || !known || limit == 0 || strings.HasPrefix(op, "=") || strings.HasPrefix(op, "!") {
		return ""
	}
	off := 100 * (seen - limit) / math.Abs(limit)
	side := "above"
	if off < 0 {
		side = "below"
	}
	return fmt.Sprintf("%s %s the limit", strconv.FormatFloat(math.Abs(off), 'f', precision(off), 64)+"%", side)
}

func precision(percent float64) int {
	if math.Abs(percent) < 1 {
		return 2
	}
	return 0
}

// quantity reads a duration, a share, a rate or a count.
func quantity(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if d, err := time.ParseDuration(s); err == nil {
		return d.Seconds(), true
	}
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(s, "/s"), "%"))
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}
