package export

import (
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// What bounds, sort and order mean does not depend on whose rows there are, nor on a filter.

// The specs about just that.
const (
	ownStart = "only a start, for the target user"
	ownEnd   = "only an end, for the target user"
)

// declareOwnBounds declares the exports of the target user's rows of one client that have one bound, just after a row.
func (s *Suite) declareOwnBounds() {
	of := func(what string, ask func(w *window, at time.Time) target.Fields) download {
		return s.export("the rows of one client for the target user, "+what, func(l look) query {
			w, mine, ok := s.clientOfTarget(l)
			at, _, dates := edges(mine, statement.CreatedAt)
			l.unmetIf(!ok || !dates, "", "the export for the target user shows too few rows")
			return query{
				fields: clientFilter(ask(w, next(at, w.unit)), mine[0].Client), header: s.targetHeader(),
				company: s.partners(l, eitherRow(), control.Second), open: s.parted(),
			}
		})
	}
	s.target.until = of("with only an end", func(w *window, at time.Time) target.Fields {
		return bounded(w.key, time.Time{}, at, w.unit)
	})
	s.target.from = of("with only a start", func(w *window, at time.Time) target.Fields {
		if s.parted() { // the rows that are compared come first
			return bounded(w.key, at, time.Time{}, w.unit).With("order", "asc")
		}
		return bounded(w.key, at, time.Time{}, w.unit).Without("sort", "order")
	})
}

// targetPart are the target user's rows of one client, for a part that may be of those, by one of their dates.
func (s *Suite) targetPart(l look, p part, key statement.Key) (*window, []statement.Quote, bool) {
	f := s.t.Deployment.Fixtures
	in := control.Second // no wallet stands beside it, which would be the caller's
	if s.c.FileRow(in).Has(target.HeaderWallet) {
		in = control.First
	}
	if !p.target || p.in != in || f.ProductID == "" || f.TargetUserID == "" {
		return nil, nil, false
	}
	w, mine, ok := s.clientOfTarget(l)
	if _, _, dates := edges(mine, key); !ok || !dates || w.legible(key) != nil {
		return nil, nil, false
	}
	w = w.in(s.extent(), key)
	return w, mine, len(pick(mine, w.between(w.start, w.end).inside)) > 1 // else no bound can be set on one of them
}

// sortedOtherwise reports an export without sort whose bounds select by settled_date: which date they apply to then is
// export.default.sort.
func (s *Suite) sortedOtherwise(w *window, rows []statement.Quote, got *sheet) bool {
	if got.query.fields["sort"] != nil {
		return false
	}
	other := w.asked(got)
	other.key, other.unit = statement.SettledDate, w.table.Precision(statement.SettledDate)
	return !within("", got, rows, w.asked(got)).Right() && within("", got, rows, other).Right()
}

// ownBound compares an export of one client of the target user with its one bound. What lies next to it is for rules
// about just that.
func (s *Suite) ownBound(w *window, rows []statement.Quote, got *sheet) Rows {
	a := w.asked(got)
	mine, _ := split(rows, got.query.selection().client)
	found := within("the "+got.query.label, got, mine, a)
	farther := func(q statement.Quote) bool {
		off := q.Moment(w.key).Time.Sub(a.from)
		if a.from.IsZero() {
			off = q.Moment(w.key).Time.Sub(a.until)
		}
		return off.Abs() > statement.Coarser(w.unit).Abs()
	}
	found.Missing, found.Extra = pick(found.Missing, farther), common(pick(found.Extra, farther), mine)
	if len(found.Extra) == 0 && len(got.rows) > 0 {
		found.Missing = nil // the filter may lose rows
	}
	return found
}

// splitForTarget declares the spec that the exports with one bound hold together each row of the client once.
func (s *Suite) splitForTarget() {
	spec.Helper()
	s.ofOwnBounds("one client of the target user, split just after a row", s.target.until,
		func(w *window, mine []statement.Quote, from *sheet, l look) Rows {
			until, ok := l.rowsIfAny(s.target.until)
			if !ok || overfull(until) || s.sortedOtherwise(w, mine, from) || len(until.rows)+len(from.rows) == 0 {
				return moot("the exports with one bound hold no rows of that client alone, which other rules judge")
			}
			inside := w.between(w.start, w.end).inside
			found := equal("", "each row of that client in the window in exactly one part",
				pick(slices.Concat(until.rows, from.rows), inside), pick(mine, inside))
			cut := w.asked(from).from
			found.Missing = pick(found.Missing, func(q statement.Quote) bool { // the filter may lose others
				return q.Moment(w.key).Time.Sub(cut).Abs() <= statement.Coarser(w.unit)
			})
			s.rightAlone(l, found, s.oneBound)
			return found
		})
}

// defaultForTarget declares the spec that a default is the same for the target user.
func (s *Suite) defaultForTarget(left, should string, find func(w *window, mine []statement.Quote, got *sheet) Rows) {
	spec.Helper()
	s.ofOwnBounds(left+" left out for the target user", s.target.until,
		func(w *window, mine []statement.Quote, got *sheet, l look) (found Rows) {
			found = moot("the export that names both is not right either, which other rules judge")
			until, ok := l.rowsIfAny(s.target.until)
			if ok && within("", until, mine, w.asked(until)).Right() && got.query.fields["order"] == nil &&
				Disorder(until.rows, w.key, false) == "" {
				found = find(w, mine, got)
			}
			found.Should = should
			return found
		})
}

// ofOwnBounds declares a spec about the export of one client of the target user with only a start, and another one.
// Where its rows are not that client's, they say nothing.
func (s *Suite) ofOwnBounds(name string, other download,
	find func(w *window, mine []statement.Quote, from *sheet, l look) Rows,
) {
	spec.Helper()
	if f := s.t.Deployment.Fixtures; f.ProductID == "" || f.TargetUserID == "" {
		return
	}
	s.holds(name, []download{s.target.from, other}, func(l look) (found Rows) {
		found = moot("no export of that client alone could be had, which other rules judge")
		base := s.base(l)
		w, mine, ok := s.clientOfTarget(l)
		if from, there := l.rowsIfAny(s.target.from); ok && there && !overfull(from) &&
			len(beyond(common(from.rows, base.rows), mine)) == 0 {
			found = find(w, mine, from, l)
			found.Held = len(from.rows)
		}
		found.Export = "the export of " + name
		if what, whose, ok := strings.Cut(name, " left out "); ok {
			found.Export = "the export " + whose + " without " + what
		}
		return found
	})
}
