package export

import (
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
)

// Bounds that are cut to whole milliseconds keep the same rows as bounds that are read a millisecond early, wherever
// no other row is near. So a defect of how exactly bounds are read is confirmed by exports whose bounds tell it from
// its neighbours.

// inexact lists the defects of how exactly a bound is the instant that it names, the finest first that a file can show
// whose dates have this unit.
func inexact(unit time.Duration) (all []defect) {
	start, end, precision := []string{ruleStart}, []string{ruleEnd}, []string{rulePrecision}
	with := func(bounds ...string) []string { return slices.Concat(precision, bounds) }
	for _, u := range []struct {
		name, one   string
		unit, local time.Duration // what local time is ahead of UTC
	}{
		{"microseconds", "a microsecond", time.Microsecond, 0},
		{"milliseconds", "a millisecond", time.Millisecond, 0},
		{"seconds", "a second", time.Second, 0},
		{"minutes", "a minute", time.Minute, 0},
		{"hours", "an hour", time.Hour, 0},
		{"days", "a day", statement.Day, 0},
		{"days of Brasília", "a day of Brasília", statement.Day, -3 * time.Hour},
	} {
		if u.unit < unit {
			continue
		}
		to := " to whole " + u.name
		cut := func(t time.Time, _ time.Duration) time.Time {
			return t.UTC().Add(u.local).Truncate(u.unit).Add(-u.local)
		}
		whole := func(t time.Time, _ time.Duration) time.Time { return cut(t, 0).Add(u.unit) }
		early := func(t time.Time, _ time.Duration) time.Time { return t.Add(-u.unit) }
		late := func(t time.Time, _ time.Duration) time.Time { return t.Add(u.unit) }
		// A bound at the end of a row's unit, and just before it.
		inUnit := func(row time.Time, step time.Duration) []time.Time {
			next := whole(row, 0)
			return []time.Time{next, next.Add(-step)}
		}
		// A bound at the beginning of a row's unit, and just before it.
		atUnit := func(row time.Time, step time.Duration) []time.Time {
			return []time.Time{cut(row, 0), cut(row, 0).Add(-step)}
		}
		around := func(row time.Time, step time.Duration) []time.Time {
			return append(inUnit(row, step), atUnit(row, step)...)
		}
		after := func(row time.Time, step time.Duration) []time.Time {
			return []time.Time{late(row, 0), late(row, 0).Add(step)}
		}
		before := func(row time.Time, step time.Duration) []time.Time {
			return []time.Time{early(row, 0), early(row, 0).Add(step)}
		}
		of := strings.TrimPrefix(strings.TrimPrefix(u.one, "an "), "a ")
		all = append(all,
			defect{what: "cuts bounds" + to, rules: precision, from: cut, until: cut, bounds: inUnit},
			defect{what: "cuts the start" + to, rules: precision, from: cut, bounds: inUnit},
			defect{what: "cuts the end" + to, rules: precision, until: cut, bounds: inUnit},
		)
		if u.local != 0 {
			continue // the others read the same in any time
		}
		all = append(all,
			defect{what: "compares dates in whole " + u.name, rules: precision, cut: u.unit, bounds: inUnit},
			defect{what: "widens bounds" + to, rules: precision, from: cut, until: whole, bounds: around},
			defect{what: "keeps the rest of the end's " + of, rules: with(ruleEnd), until: whole, bounds: atUnit},
			defect{what: "reads bounds " + u.one + " early", rules: precision, from: early, until: early, bounds: after},
			defect{what: "keeps rows of " + u.one + " before the start", rules: precision, from: early, bounds: after},
			defect{
				what: "keeps rows of " + u.one + " from the end on", rules: with(ruleEnd), until: late, bounds: before,
			},
		)
		// A bound that comes to lie later is one that drops rows dated on it, or keeps them.
		for _, way := range []struct {
			words string
			round func(t time.Time, unit time.Duration) time.Time
		}{
			{" to", func(t time.Time, _ time.Duration) time.Time { return t.UTC().Round(u.unit) }},
			{" up to", func(t time.Time, unit time.Duration) time.Time { return cut(t.Add(u.unit-1), unit) }},
		} {
			to := way.words + " whole " + u.name
			all = append(all,
				defect{
					what: "rounds bounds" + to, rules: with(ruleStart, ruleEnd), from: way.round, until: way.round,
				},
				defect{what: "rounds the start" + to, rules: slices.Concat(precision, start), from: way.round},
				defect{what: "rounds the end" + to, rules: slices.Concat(precision, end), until: way.round},
			)
		}
	}
	return all
}

// confirmed reports whether exports whose bounds tell the defect from its neighbours hold what it would keep.
func (s *Suite) confirmed(l look, e *evidence, d defect) bool {
	if d.bounds == nil {
		return true
	}
	for _, bound := range []string{"date_start", "date_end"} {
		q, row, found := e.wrongAt(d, bound)
		if !found {
			continue
		}
		step := e.units[q.selection().key]
		for _, at := range d.bounds(row, step) {
			again := q
			again.label += ", with a bound that shows how exactly it is read"
			again.fields = q.fields.With(bound, statement.FormatInstant(at, step, time.UTC))
			a := again.selection()
			if !a.from.IsZero() && !a.until.IsZero() && !a.from.Before(a.until) {
				continue
			}
			if sh := s.take(l, again); sh.usable() == nil && !e.fits(d, sh) {
				return false
			}
		}
	}
	return true
}

// wrongAt finds an export that is wrong beside one of its bounds in a way that the defect explains, and the date of
// such a row.
func (e *evidence) wrongAt(d defect, bound string) (of query, row time.Time, found bool) {
	for _, sh := range e.byLabel() {
		a := sh.query.selection()
		at := map[string]time.Time{"date_start": a.from, "date_end": a.until}[bound]
		if at.IsZero() || d.only != "" && !slices.Contains(sh.query.partners(), d.only) {
			continue
		}
		if bound == "date_start" { // by itself
			a.until = time.Time{}
		} else {
			a.from = time.Time{}
		}
		was, is := defect{}.reads(a, e.units), d.reads(a, e.units)
		for _, q := range e.rows[sh.query.onBehalf()] {
			if was.keeps(&q)*is.keeps(&q) < 0 {
				return sh.query, q.Moment(a.key).Time, true
			}
		}
	}
	return of, row, false
}
