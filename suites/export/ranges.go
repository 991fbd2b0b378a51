package export

import (
	"fmt"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
)

// bounds: what date_start and date_end select. They all sort by quote_created_at; that bounds follow the sort is a
// rule of its own.
func (s *Suite) bounds() {
	Describe("date_start and date_end", func() {
		s.Rule("export.range.start_inclusive", Must, ExportOperation,
			"date_start keeps quotes dated exactly on it and later, and drops the earlier ones.", func() {
				s.selects("a start on the date of a row", from(onRow), judgement{})
				s.selects("a start on a date that several rows share", from(onShared), judgement{})
				s.keepsTo("the start of the window", func(w *window) span { return span{from: w.start} })
			})

		s.Rule("export.range.end_exclusive", Must, ExportOperation,
			"date_end drops quotes dated exactly on it and later, and keeps the earlier ones.", func() {
				s.selects("an end on the date of a row", until(onRow), judgement{})
				s.selects("an end on a date that several rows share", until(onShared), judgement{})
				s.keepsTo("the end of the window", func(w *window) span { return span{until: w.end} })
			})

		s.Rule("export.range.partition", Must, ExportOperation,
			"Two ranges that meet hold together, without overlap, what the whole range holds.", func() {
				s.together("split on the date of a row", s.cuts.until[onRow], s.cuts.from[onRow])
				s.together("split on a date that several rows share", s.cuts.until[onShared], s.cuts.from[onShared])
				s.together("split between two dates", s.cuts.until[between], s.cuts.from[between])
				s.together("split in three", s.cuts.thirds[:]...)
				s.holds("the same rows in either order", []download{s.windowAsc}, func(l look) Rows {
					return equal("the window in rising order", "the rows of the window in falling order",
						l.rows(s.windowAsc).rows, s.base(l).rows)
				})
				s.holds("no row that only another sort shows", []download{s.settled}, s.hidden)
			})

		s.Rule("export.range.open", Must, ExportOperation,
			"A bound may stand alone: only a start, only an end.", func() {
				for _, at := range []point{between, onRow} {
					s.selects("only a start, on "+string(at), onlyStart(at), judgement{mustAccept: true})
					s.selects("only an end, on "+string(at), onlyEnd(at), judgement{mustAccept: true})
				}
			})

		s.Rule("export.range.empty", Must, ExportOperation, "A range whose start is its end holds no quote.", func() {
			for _, at := range []point{onRow, between} {
				s.nothing("start and end on "+string(at), part{
					name: "from and until " + string(at), from: edge{at: at}, until: edge{at: at},
				}, func(l look, got *sheet) {
					l.unmet("", "the deployment refuses a range whose start is its end (%d), so there is no file to look at",
						got.answer.Status)
				})
			}
		})

		s.Rule("export.range.start_after_end", Should, ExportOperation,
			"A range whose start is after its end holds no quote, or is refused.", func() {
				end := func(_ time.Time, w *window) (time.Time, error) { return w.end, nil }
				s.nothing("a start at the end of the window, and an end before it", part{
					name: "from the end of the window until " + string(onRow),
					from: edge{at: onRow, move: end}, until: edge{at: onRow},
				}, func(look, *sheet) {})
			})
	})
}

func onlyStart(at point) part {
	return part{name: "with only a start, on " + string(at), from: edge{at: at}, until: edge{open: true}}
}

func onlyEnd(at point) part {
	return part{name: "with only an end, on " + string(at), from: edge{open: true}, until: edge{at: at}}
}

// keepsTo declares the spec that the window's own rows keep to one of its bounds.
func (s *Suite) keepsTo(name string, of func(*window) span) {
	GinkgoHelper()
	s.holds(name, []download{s.window}, func(l look) Rows {
		w := s.dates(l)
		return within("the export of the window", w.sheet, nil, w.key, w.unit, of(w))
	})
}

// together declares the spec that parts hold each row of the window exactly once.
func (s *Suite) together(name string, parts ...download) {
	GinkgoHelper()
	s.holds(name, parts, func(l look) Rows {
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
		return equal("the window split at "+strings.Join(marks, " and "),
			"each row of the whole window in exactly one part", rows, w.rows)
	})
}

// hidden compares the window with the rows that it has by settled_date: no sort hides a row that the bounds keep.
func (s *Suite) hidden(l look) Rows {
	w, other := s.dates(l), l.rows(s.settled)
	l.end(other.legible(w.key))
	all := span{w.start, w.end}
	return Rows{
		Export: "the export of the window by quote_created_at", Held: len(w.rows),
		Should:  "every row of the same window by settled_date whose quote_created_at lies in it as well",
		Missing: statement.Difference(pick(other.rows, all.inside(w.key, w.unit)), w.rows),
	}
}

// nothing declares the spec that a range holds no row. refused ends the act where a refusal says nothing.
func (s *Suite) nothing(name string, p part, refused func(l look, got *sheet)) {
	GinkgoHelper()
	o := s.part(p)
	s.holds(name, []download{o}, func(l look) Rows {
		g := s.lay(l, p)
		got := l.sheet(o)
		if got.denied() {
			refused(l, got)
		}
		if got.gaveNothing() {
			return Rows{Export: g.text(p)}
		}
		l.end(got.fileless())
		l.end(got.usable())
		return equal(g.text(p), "no row", got.rows, nil)
	})
}
