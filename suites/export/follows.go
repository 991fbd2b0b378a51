package export

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// followsSort: which of the two dates the bounds are about. Rows whose two dates lie on different sides of a bound
// show it.
func (s *Suite) followsSort() {
	settled := func(p part) part { return across(statement.SettledDate, p) }

	s.Describe("the date that the bounds apply to", func() {
		s.Rule("export.range.follows_sort", Must, ExportOperation, "The bounds apply to the date that sort chooses.",
			func() {
				for _, p := range acrossParts() {
					s.selects(p.name, p, judgement{})
				}
				// They do so to the digit, as they do with the other date,
				p := settled(from(afterRow))
				s.selects(p.name, p, judgement{})
				// oldest first, and where they stand alone.
				oldest := settled(until(straddling))
				oldest.name, oldest.order, oldest.in = oldest.name+", oldest first", "asc", control.First
				s.follows(oldest)
				s.follows(settled(onlyStart(straddling)), onlyStart(onRow))
				s.follows(settled(onlyEnd(straddling)), onlyEnd(onRow))
				s.forTargetUser("by settled_date for the target user", s.target.settled,
					func(w *window, rows []statement.Quote, got *sheet) Rows {
						const key = statement.SettledDate
						asked := (&window{key: key, unit: w.table.Precision(key)}).asked(got)
						found := within("the export for the target user by settled_date", got, rows, asked)
						// Rows on a bound are a matter of the bound, and none at all of the user.
						inner := func(q statement.Quote) bool {
							at := q.Moment(key).Time
							return !at.Equal(asked.from) && !at.Equal(asked.until)
						}
						found.Missing, found.Extra = pick(found.Missing, inner), pick(found.Extra, inner)
						return found
					})
				s.followsBesideFilter()
				s.holds("by settled_date, the window", []download{s.settled}, func(l look) Rows {
					s.dates(l)
					w := s.shownBy(l, s.settled, statement.SettledDate)
					l.end(w.legible(w.key))
					found := within("the export of the window by settled_date", w.sheet, nil, w.between(w.start, w.end))
					found.Extra = append(found.Extra, undated(w.rows, w.key)...)
					return found
				})
			})
	})
}

// followsBesideFilter declares the spec that the bounds follow the sort beside a client filter as well. Rows next to a
// bound are a matter of the bound.
func (s *Suite) followsBesideFilter() {
	spec.Helper()
	if s.t.Deployment.Fixtures.ClientID == "" {
		return
	}
	s.holds("by settled_date beside a client filter", []download{s.client.after, s.settled}, func(l look) Rows {
		found := Rows{Export: "the export of one client by settled_date", Should: "the rows between the bounds"}
		got, ok := l.rowsIfAny(s.client.after)
		const key = statement.SettledDate
		w := s.rowsOf(l, s.settled, key)
		if !ok || w.legible(key) != nil || len(got.rows) == 0 || !got.table.Has(statement.ClientID) ||
			overfull(got) {
			return moot("the filter leaves no rows to judge, which is for another rule")
		}
		mine, _ := split(w.rows, s.client.id)
		asked := w.asked(got)
		inner := func(q statement.Quote) bool {
			at := q.Moment(key).Time
			return next(at, w.unit).Before(asked.from) || at.After(asked.from) && next(at, w.unit).Before(asked.until) ||
				at.After(asked.until)
		}
		found = within(found.Export, got, mine, asked)
		if found.Extra = pick(found.Extra, inner); len(found.Extra) == 0 {
			return Rows{Export: found.Export, Should: found.Should, Held: found.Held} // the filter may lose rows
		}
		found.Missing = pick(found.Missing, inner)
		return found
	})
}

// across makes a part of one sort, cut at an instant that is chosen from the settled dates.
func across(sort statement.Key, p part) part {
	p.name, p.sort, p.chosen = "by "+string(sort)+" "+p.name, sort, statement.SettledDate
	return p
}

// acrossParts are cut between the two dates of a row, by either sort.
func acrossParts() []part {
	const created, settled = statement.CreatedAt, statement.SettledDate
	return []part{
		across(settled, from(straddling)), across(settled, until(straddling)), across(created, from(straddling)),
	}
}

// follows declares the spec that a part holds the rows of its sort's date, those without that date excluded. Where
// alone, the same bound by quote_created_at, selects other rows than it should, this says nothing about the sort.
func (s *Suite) follows(p part, alone ...part) {
	spec.Helper()
	var others []download
	for _, a := range alone {
		others = append(others, s.part(a))
	}
	s.selects(p.name, p, judgement{last: func(l look, found *Rows, g *ground, got *sheet) {
		found.Extra = append(found.Extra, undated(got.rows, g.w.key)...)
		s.rightAlone(l, *found, others)
	}}, others...)
}

// rightAlone ends the act where wrong rows say nothing about its rule: a bound that stands alone selects other rows
// than it should by quote_created_at, too.
func (s *Suite) rightAlone(l look, found Rows, alone []download) {
	if found.Right() {
		return
	}
	for _, o := range alone {
		got, w := l.rows(o), s.dates(l)
		l.unclearIf(!within("", got, w.rows, w.asked(got)).Right(),
			"a bound given alone selects other rows by quote_created_at as well; see %s", spec.Ref("export.range.open"))
	}
}

// undated returns the rows of a bounded export that have no date of its sort: none is on or after a bound. Where no
// row has one, the file may not show it.
func undated(rows []statement.Quote, key statement.Key) []statement.Quote {
	none := pick(rows, func(q statement.Quote) bool { return q.Moment(key).Empty })
	if len(none) == len(rows) {
		return nil
	}
	return none
}
