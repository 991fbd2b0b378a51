package export

import (
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/target"
)

// span is a range of dates; a zero bound is open.
type span struct{ from, until time.Time }

// side is where a date lies for a bound: -1 before it, 1 on it or after, 0 when that is open: for the digits that the
// file shows, and for a local time that happens twice, before the bound and after it.
func side(m statement.Moment, unit time.Duration, bound time.Time) int {
	if m.Precision == statement.Day && unit < statement.Day {
		return 0
	}
	sides := 0
	for i, at := range m.Instants() {
		of := 0
		switch {
		case !at.Before(bound):
			of = 1
		case !next(at, unit).After(bound):
			of = -1
		}
		if i > 0 && of != sides {
			return 0
		}
		sides = of
	}
	return sides
}

// inside and outside report rows that surely are, and that surely are not, in the span.
func (sp span) inside(key statement.Key, unit time.Duration) func(statement.Quote) bool {
	return func(q statement.Quote) bool {
		m := q.Moment(key)
		return len(m.Instants()) > 0 && (sp.from.IsZero() || side(m, unit, sp.from) > 0) &&
			(sp.until.IsZero() || side(m, unit, sp.until) < 0)
	}
}

func (sp span) outside(key statement.Key, unit time.Duration) func(statement.Quote) bool {
	return func(q statement.Quote) bool {
		m := q.Moment(key)
		return !sp.from.IsZero() && side(m, unit, sp.from) < 0 || !sp.until.IsZero() && side(m, unit, sp.until) > 0
	}
}

// within compares an export with the rows that it should hold: those of want that lie in the span, and none outside
// it. Rows in the span that want does not know are not judged here: whether ranges hold together what the whole holds
// is a rule of its own.
func within(export string, got *sheet, want []statement.Quote, key statement.Key, unit time.Duration, sp span) Rows {
	return Rows{
		Export:  export,
		Should:  sp.should(key, unit),
		Held:    len(got.rows),
		Missing: statement.Difference(pick(want, sp.inside(key, unit)), got.rows),
		Extra:   pick(got.rows, sp.outside(key, unit)),
	}
}

func (sp span) should(key statement.Key, unit time.Duration) string {
	text := func(t time.Time) string { return statement.FormatInstant(t, unit, time.UTC) }
	switch {
	case sp.until.IsZero():
		return fmt.Sprintf("every row whose %s is %s or later, and none before", key, text(sp.from))
	case sp.from.IsZero():
		return fmt.Sprintf("every row whose %s is before %s, and none on it or after", key, text(sp.until))
	}
	return fmt.Sprintf("every row whose %s is %s or later and before %s, and no other", key, text(sp.from), text(sp.until))
}

// equal compares two exports that should hold the same rows, in any order.
func equal(export, should string, got, want []statement.Quote) Rows {
	return Rows{
		Export: export, Should: should, Held: len(got),
		Missing: statement.Difference(want, got), Extra: statement.Difference(got, want),
	}
}

// notAccepted is the finding that a valid export was refused.
func notAccepted(export, should string, sh *sheet) Rows {
	return Rows{Export: export, Should: should, Refused: target.Describe(sh.answer)}
}
