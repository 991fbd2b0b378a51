package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// bounds: what date_start and date_end select. They all sort by quote_created_at; that bounds follow the sort is a
// rule of its own.
func (s *Suite) bounds() {
	s.Describe("date_start and date_end", func() {
		s.Rule("export.range.start_inclusive", Must, ExportOperation,
			"date_start keeps quotes dated exactly on it and later, and drops the earlier ones.", func() {
				s.selects("a start on the date of a row", from(onRow), judgement{})
				s.selects("a start on a date that several rows share", from(onShared), judgement{})
				s.holdsAnything()
				s.keepsTo("the start of the window", func(w *window) span { return w.between(w.start, time.Time{}) })
				s.selects("a start on the settled_date of a row", across(statement.SettledDate, from(onRow)),
					judgement{})
				s.keepFew(onTheDate, true)
			})

		s.Rule("export.range.end_exclusive", Must, ExportOperation,
			"date_end drops quotes dated exactly on it and later, and keeps the earlier ones.", func() {
				s.selects("an end on the date of a row", until(onRow), judgement{})
				s.selects("an end on a date that several rows share", until(onShared), judgement{})
				s.keepsTo("the end of the window", func(w *window) span { return w.between(time.Time{}, w.end) })
				s.selects("an end on the settled_date of a row", across(statement.SettledDate, until(onRow)),
					judgement{})
				s.keepFew(onTheDate, false)
			})

		s.Rule("export.range.partition", Must, ExportOperation,
			"Two adjacent ranges together hold, without overlap, what the whole range holds.", func() {
				s.together("split on the date of a row", s.cuts.until[onRow], s.cuts.from[onRow])
				s.together("split on a date that several rows share", s.cuts.until[onShared], s.cuts.from[onShared])
				s.together("split in three, between two dates and on a row's", s.cuts.thirds[:]...)
				s.splitForTarget()
				s.Uses(s.scope.rising, s.scope.settled, s.scope.whole)
				s.holds("the same rows in either order", []download{s.windowAsc}, func(l look) Rows {
					found := Rows{Export: "the export of a part of the window", Should: "the rows that the window has there"}
					if !s.lost(l.sheet(s.window)) {
						found = equal("the window in rising order", "the rows of the window in falling order",
							l.rows(s.windowAsc).rows, s.base(l).rows)
					}
					return s.wholly(l, found, func(w whole) string { return cmp.Or(w.either, w.part) })
				})
				s.eitherOrderBeside()
				s.holds("no row that only another sort shows", []download{s.settled}, s.hidden)
				s.holds("no row that only another sort without bounds shows", []download{s.window, s.bare.settled},
					s.hiddenUnsettled)
			})

		s.Rule("export.range.open", Must, ExportOperation,
			"A bound may be given alone: only a start, or only an end.", func() {
				s.selects("only a start, on a row's date", onlyStart(onRow), judgement{mustAccept: true})
				s.selects("only an end, on a row's date", onlyEnd(onRow), judgement{mustAccept: true})
				falling := across(statement.SettledDate, onlyStart(onRow))
				falling.name, falling.order, falling.in = falling.name+", newest first", "desc", control.Second
				s.selects("only a start by settled_date, newest first", falling,
					judgement{mustAccept: true, last: ofOtherSort})
				s.forTargetUser(ownStart, s.target.from, s.ownBound)
				s.forTargetUser(ownEnd, s.target.until, s.ownBound)
			})

		s.unboundedExports()

		s.Rule("export.range.empty", Must, ExportOperation, "A range whose start equals its end holds no quotes.", func() {
			same := part{
				name: "from and until a row's date", from: edge{at: onRow}, until: edge{at: onRow},
				in: control.First,
			}
			settled := across(statement.SettledDate, same)
			settled.order, settled.in = "asc", control.Second
			for _, p := range []part{ofTarget(same), ofTarget(settled)} {
				s.nothing("start and end on a row's date, "+p.name, p, func(l look, got *sheet) {
					l.unmet("",
						"the deployment refuses a range whose start equals its end (%d), so there is no file to judge",
						got.answer.Status)
				})
			}
		})

		s.Rule("export.range.start_after_end", Should, ExportOperation,
			"A range whose start is after its end holds no quotes, or is refused.", func() {
				end := func(_ look, _ time.Time, w *window) time.Time { return w.end }
				turned := part{
					name: "from the end of the window until " + string(onRow),
					from: edge{at: onRow, move: end}, until: edge{at: onRow}, order: "asc", in: control.First,
				}
				settled := across(statement.SettledDate, turned)
				settled.order, settled.in = "desc", control.Second
				for _, p := range []part{ofTarget(turned), ofTarget(settled)} {
					s.nothing("a start at the end of the window, and an end before it, "+p.name, p,
						func(look, *sheet) {})
				}
			})
	})
}

// holdsAnything declares the spec that a window is not empty of which an export without bounds shows quotes. Those of
// its first and last day say nothing: the dates of a file may be of another zone.
func (s *Suite) holdsAnything() {
	spec.Helper()
	s.holds("a window of which an export without bounds shows quotes", []download{s.window, s.bare.object},
		func(l look) Rows {
			found := Rows{Export: "the export of the window", Should: "the quotes that lie in it"}
			w, bounds := l.sheet(s.window), s.extent()
			all, ok := l.rowsIfAny(s.bare.object)
			if !w.empty() || !ok || bounds == nil || all.legible(statement.CreatedAt) != nil {
				return found
			}
			const day = 24 * time.Hour
			found.Missing = pick(all.rows, func(q statement.Quote) bool {
				m := q.Moment(statement.CreatedAt)
				return m.Usable() && m.Time.After(bounds.Start.Add(day)) && m.Time.Before(bounds.End.Add(-day))
			})
			return found
		})
}

func onlyStart(at point) part {
	return part{
		name: "with only a start, on " + string(at), from: edge{at: at}, until: edge{open: true}, order: "asc",
		in: control.First,
	}
}

func onlyEnd(at point) part {
	return part{
		name: "with only an end, on " + string(at), from: edge{open: true}, until: edge{at: at}, order: "asc",
		in: control.Second,
	}
}

// keepsTo declares the spec that the window's own rows keep to one of its bounds.
func (s *Suite) keepsTo(name string, of func(*window) span) {
	spec.Helper()
	s.holds(name, []download{s.window}, func(l look) Rows {
		l.unmetIf(s.t.Deployment.Fixtures.Window == nil, "fixtures.window", "")
		return s.keeps(l, of)
	})
}

// together declares the spec that parts hold each row of the window exactly once.
func (s *Suite) together(name string, parts ...download) {
	spec.Helper()
	s.hold(name, len(parts), parts, func(l look) Rows {
		w := s.base(l)
		var rows []statement.Quote
		var marks []string
		for i, part := range parts {
			got := l.rows(part)
			rows = append(rows, got.rows...)
			if i > 0 {
				marks = append(marks, fmt.Sprint(got.query.fields["date_start"]))
			}
		}
		slices.Sort(marks)
		at := "the window split at " + strings.Join(marks, " and ")
		found := equal(at, "each row of the whole window in exactly one part", rows, w.rows)
		lost := pick(beyond(found.Extra, w.rows), w.between(w.start, w.end).inside)
		found.Beside = Astray(found.Missing, nil, w.key)
		if len(found.Missing) == 0 && len(lost) == len(found.Extra) && len(lost) > 0 { // the parts are right
			return Rows{
				Export: "the whole window", Should: "each row that " + at + " holds", Held: len(w.rows), Missing: lost,
				Beside: Astray(lost, nil, w.key),
			}
		}
		return found
	})
}

// hidden compares the window with the rows that it has by settled_date: no sort hides a row that the bounds keep.
func (s *Suite) hidden(l look) Rows {
	w, other := s.dates(l), l.rows(s.settled)
	l.end(other.legible(w.key))
	return s.wholly(l, Rows{
		Export: "the export of the window by quote_created_at", Held: len(w.rows),
		Should:  "every row of the same window by settled_date whose quote_created_at lies in it as well",
		Missing: statement.Difference(pick(other.rows, w.between(w.start, w.end).inside), w.rows),
	}, func(w whole) string { return w.hidden })
}

// keeps compares the rows of the window with its bounds, and where it is compared in parts those of the part with its.
func (s *Suite) keeps(l look, of func(*window) span) Rows {
	const key = statement.CreatedAt
	var found Rows
	bounds := []*deployment.Window{s.t.Deployment.Fixtures.Window, nil}
	for i, o := range []download{s.first, s.window} {
		sh := l.sheet(o)
		if i > 0 {
			bounds[i] = s.extent()
		}
		l.end(sh.legible(key))
		w := sh.in(bounds[i], key)
		s.quotes(l, sh)
		found = within("the export of the window", sh, nil, of(w))
		if !found.Right() || !s.parted() {
			break
		}
	}
	return found
}

// nothing declares the spec that a range holds no row. refused ends the act where a refusal says nothing.
func (s *Suite) nothing(name string, p part, refused func(l look, got *sheet)) {
	spec.Helper()
	o := s.part(p)
	s.holds(name, []download{o}, func(l look) Rows {
		g := s.lay(l, p)
		switch sh := l.sheet(o); {
		case sh.denied():
			refused(l, sh)
		case sh.refused && sh.answer.Crashed() && !s.t.Sporadic():
			l.end(sh.variation)
			return Rows{Export: g.text(p), Should: "no row", Refused: target.Describe(sh.answer)}
		}
		if got, there := l.anything(o); there { // whether rows without the date are kept is another rule
			dated := func(q statement.Quote) bool { return !q.Moment(g.w.key).Empty }
			found := equal(g.text(p), "no row", pick(got.rows, dated), nil)
			found.Beside = Astray(nil, found.Extra, g.w.key)
			return found
		}
		return Rows{Export: g.text(p)}
	})
}

// ofOtherSort ends the act where an export by settled_date holds what its bounds select by quote_created_at: which date
// they apply to is another rule.
func ofOtherSort(l look, found *Rows, g *ground, got *sheet) {
	byOther := g.w.asked(got)
	byOther.key = statement.CreatedAt
	l.unclearIf(!found.Right() && within("", got, g.w.rows, byOther).Right(),
		"the bound selects rows by quote_created_at; see %s", spec.Ref("export.range.follows_sort"))
}
