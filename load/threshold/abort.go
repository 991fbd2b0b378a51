package threshold

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Rule ends a run early when its condition holds for a while.
type Rule struct {
	Condition
	For  time.Duration // how long it must hold without a break; 0: it ends the run the first time
	Expr string        // as written, trimmed
}

// ParseRule reads a rule such as "errors>20% for 10s" or "missed_blocks>0". It fails with an *Error.
func ParseRule(expr string) (Rule, error) {
	r := Rule{Expr: strings.TrimSpace(expr)}
	var err error
	r.Condition, err = parse(expr, func(p *parser) (err error) {
		at := p.at
		text := p.take(func(b byte) bool { return b > ' ' })
		if r.For, err = time.ParseDuration(text); err != nil || r.For <= 0 || r.For > 24*time.Hour {
			return p.fail(at, "found %q, expected how long it must hold, such as 10s; a stage belongs to --slo", text)
		}
		return nil
	}, "for")
	return r, err
}

// Watch follows the rules of a run while it goes. It is used from one goroutine.
type Watch struct {
	rules []Rule
	since []time.Duration // start of the unbroken time in which each held; below 0: it did not hold
}

// NewWatch follows rules.
func NewWatch(rules []Rule) *Watch {
	return &Watch{rules, slices.Repeat([]time.Duration{-1}, len(rules))}
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
		case !r.holds(v):
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
