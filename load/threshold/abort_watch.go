package threshold

import "time"

// An AbortWatch applies abort rules during a run. It is not safe for concurrent use.
type AbortWatch struct {
	rules []AbortRule
	since []time.Duration // since when each has held without a break; negative: it does not hold
}

// NewAbortWatch parses rules. It returns the errors of ParseAbortRule.
func NewAbortWatch(exprs []string) (*AbortWatch, error) {
	w := &AbortWatch{}
	for _, expr := range exprs {
		r, err := ParseAbortRule(expr)
		if err != nil {
			return nil, err
		}
		w.rules, w.since = append(w.rules, r), append(w.since, -1)
	}
	return w, nil
}

// Observe takes the interval [from, to) of the run, counted from its start, and the run so far.
// Rules on counts apply to the run so far, all others to the interval; those on times, also to
// requests that have waited for longer than the limit. An interval without data changes nothing.
// Observe returns the reason why the run must end, or "".
func (w *AbortWatch) Observe(from, to time.Duration, interval, whole Snapshot) string {
	for i, r := range w.rules {
		s := interval
		if r.unit == unitCount {
			s = whole
		}
		if of := r.measure.time; (of == TimeResponse || of == TimeService) && r.op[0] == '>' &&
			s.WithWaiting != nil {
			times := s.Times
			s.Times = func(other TimeKind) Distribution {
				if other == TimeLag || other == TimeFile {
					return times(other)
				}
				return s.WithWaiting(other, time.Duration(r.limit))
			}
		}
		v, missing := r.observeValue(s)
		switch {
		case missing != "":
			continue
		case !r.isMet(v), r.generatorLateReason(s, v) != "":
			w.since[i] = -1
			continue
		case w.since[i] < 0:
			w.since[i] = from
		}
		if lasted := to - w.since[i]; lasted >= r.For {
			text := r.Expr + ": observed " + r.unit.formatForPeople(r.unit.toRecorded(r.roundNearLimit(v)))
			if r.For > 0 {
				text += " for " + lasted.Round(time.Millisecond).String()
			}
			return text
		}
	}
	return ""
}
