package export

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// compared is what comparisons of exports found.
type compared struct {
	*spec.Observation[[]matchers.Rows]

	rule    string         // that it is about
	exports []spec.Awaited // that it rests on
}

// compare declares a comparison. Where it finds something wrong, the window is exported again: rows that changed while
// the run went on must not be taken for a violation. What another broken rule explains is no violation of this one.
func (s *suite) compare(name string, act func(ctx context.Context) ([]matchers.Rows, error)) *compared {
	c := &compared{}
	c.Observation = spec.Observe(s.p, name, func(ctx context.Context) ([]matchers.Rows, error) {
		rows, err := act(ctx)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(rows, func(r matchers.Rows) bool { return !r.Right() && r.Refused == "" }) {
			if err := s.unchanged(ctx, time.Now()); err != nil {
				return nil, err
			}
			if err := s.explained(ctx, c.rule, rows, c.exports); err != nil {
				return nil, err
			}
		}
		return rows, nil
	})
	return c
}

// holds declares the check of a comparison. exports are those that it waits for one after another: naming them here
// sends them all at once. They come before the comparison, which only looks at the window again: they are what to repeat.
func (s *suite) holds(rule, name string, c *compared, exports ...spec.Awaited) {
	c.rule, c.exports = rule, exports
	s.p.It(rule, name, spec.After(slices.Concat(exports, []spec.Awaited{c})...), func(ctx context.Context) {
		rows, wrong := c.Await(ctx), 0
		for _, r := range rows {
			if !r.Right() {
				wrong++
			}
		}
		s.p.Attempts(len(rows), wrong)
		for _, r := range rows {
			Expect(r).To(matchers.HoldItsRows())
		}
	})
}

// rewatch remembers the last time that the window was looked at again.
type rewatch struct {
	mu      sync.Mutex
	started time.Time
	changed error // why exports cannot be compared; nil: they can
	times   int
}

// unchanged looks at the window again, unless that was done since, and gives a reason for no judgement when its rows are
// not those that the run began with.
func (s *suite) unchanged(ctx context.Context, since time.Time) error {
	s.again.mu.Lock()
	defer s.again.mu.Unlock()
	if s.again.started.Before(since) {
		started, changed := time.Now(), error(nil)
		s.again.times++
		for _, before := range []struct {
			seen *seen
			sort statement.Key
		}{{s.first, statement.CreatedAt}, {s.settled, statement.SettledDate}} {
			if !before.seen.Launched() {
				continue
			}
			then, err := read(ctx, before.seen)
			if err != nil {
				continue // it served no comparison
			}
			now, err := s.watch(ctx, before.sort)
			if err != nil {
				return err
			}
			if err := now.usable(); err != nil {
				return err
			}
			if now.fileID == then.fileID {
				return spec.Unclear("two exports of the window got one file ID, so files cannot be told apart; see export.response.distinct_ids")
			}
			if changed == nil && !sameDated(then.rows, now.rows) {
				if changed, err = s.unlike(ctx, now, before.sort); err != nil {
					return err
				}
			}
		}
		s.again.started, s.again.changed = started, changed
	}
	return s.again.changed
}

// unlike says why the window holds other rows than it did. Asked for once more at once, it tells a deployment that answers
// the same export differently from quotes that change.
func (s *suite) unlike(ctx context.Context, now *sheet, sort statement.Key) (reason, err error) {
	more, err := s.watch(ctx, sort)
	if err != nil {
		return nil, err
	}
	window := s.t.Deployment.Fixtures.Window
	if more.usable() == nil && !sameDated(now.rows, more.rows) && window != nil && window.End.Before(target.Clock(now.answer)) {
		return spec.Unclear("two exports of the window, asked for one right after the other, hold other rows, and the window is past: " +
			"the deployment answers the same export differently, so exports cannot be compared"), nil
	}
	return spec.Unclear("the quotes of the window changed during the run, or the deployment answers the same export differently, " +
		"so exports cannot be compared; choose a window in the past (fixtures.window)"), nil
}

// watch exports the window once more: in the same words, and where those are refused, as they may be for being the same,
// in others.
func (s *suite) watch(ctx context.Context, sort statement.Key) (*sheet, error) {
	const label = "the window again, to see whether it changed"
	now, err := s.take(ctx, wish{label: label, fields: s.whole(sort)})
	if err != nil || !now.refused {
		return now, err
	}
	const forms = 4 // of each bound: none to nine digits
	return s.take(ctx, wish{label: label, fields: s.spelled(sort, s.again.times%forms, s.again.times/forms%forms).With("order", "asc")})
}

// sameDated tells whether both hold the same quotes with the same dates.
func sameDated(a, b []statement.Quote) bool {
	key := func(q statement.Quote) string {
		return fmt.Sprintf("%q %q %q", q.Identity, q.CreatedAt.Text, q.SettledDate.Text)
	}
	count := map[string]int{}
	for _, q := range a {
		count[key(q)]++
	}
	for _, q := range b {
		count[key(q)]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// span is a range of dates; a zero bound is open.
type span struct{ from, until time.Time }

// side tells where a date lies for a bound: -1 before it, 1 on it or after, 0 when that is open: for the digits that the
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

// inside and outside tell rows that surely are, and that surely are not, in the span.
func (sp span) inside(key statement.Key, unit time.Duration) func(statement.Quote) bool {
	return func(q statement.Quote) bool {
		m := q.Moment(key)
		return len(m.Instants()) > 0 && (sp.from.IsZero() || side(m, unit, sp.from) > 0) && (sp.until.IsZero() || side(m, unit, sp.until) < 0)
	}
}

func (sp span) outside(key statement.Key, unit time.Duration) func(statement.Quote) bool {
	return func(q statement.Quote) bool {
		m := q.Moment(key)
		return !sp.from.IsZero() && side(m, unit, sp.from) < 0 || !sp.until.IsZero() && side(m, unit, sp.until) > 0
	}
}

func pick(quotes []statement.Quote, keep func(statement.Quote) bool) []statement.Quote {
	var kept []statement.Quote
	for _, q := range quotes {
		if keep(q) {
			kept = append(kept, q)
		}
	}
	return kept
}

// within compares an export with the rows that it should hold: those of want that lie in the span, and none outside it.
// Rows in the span that want does not know are not judged here: whether ranges hold together what the whole holds is a
// rule of its own.
func within(export string, got *sheet, want []statement.Quote, key statement.Key, unit time.Duration, sp span) matchers.Rows {
	return matchers.Rows{
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
func equal(export, should string, got, want []statement.Quote) matchers.Rows {
	return matchers.Rows{
		Export: export, Should: should, Held: len(got),
		Missing: statement.Difference(want, got), Extra: statement.Difference(got, want),
	}
}

// notAccepted is the finding that a valid export was refused.
func notAccepted(export, should string, sh *sheet) matchers.Rows {
	return matchers.Rows{Export: export, Should: should, Refused: target.Describe(sh.answer)}
}
