package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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
	Describe("date_start and date_end", func() {
		s.Rule("export.range.start_inclusive", Must, ExportOperation,
			"date_start keeps quotes dated exactly on it and later, and drops the earlier ones.", func() {
				s.selects("a start on the date of a row", from(onRow), judgement{})
				s.selects("a start on a date that several rows share", from(onShared), judgement{})
				s.holdsAnything()
				s.keepsTo("the start of the window", func(w *window) span { return w.between(w.start, time.Time{}) })
				s.selects("a start on the settled_date of a row", across(statement.SettledDate, from(onRow)),
					judgement{})
				s.keepFew(false, true)
			})

		s.Rule("export.range.end_exclusive", Must, ExportOperation,
			"date_end drops quotes dated exactly on it and later, and keeps the earlier ones.", func() {
				s.selects("an end on the date of a row", until(onRow), judgement{})
				s.selects("an end on a date that several rows share", until(onShared), judgement{})
				s.keepsTo("the end of the window", func(w *window) span { return w.between(time.Time{}, w.end) })
				s.selects("an end on the settled_date of a row", across(statement.SettledDate, until(onRow)),
					judgement{})
				s.keepFew(false, false)
			})

		s.Rule("export.range.partition", Must, ExportOperation,
			"Two ranges that meet hold together, without overlap, what the whole range holds.", func() {
				s.together("split on the date of a row", s.cuts.until[onRow], s.cuts.from[onRow])
				s.together("split on a date that several rows share", s.cuts.until[onShared], s.cuts.from[onShared])
				s.together("split in three, between two dates", s.cuts.thirds[:]...)
				s.Uses(s.scope.whole) // takes longest of all where the window is large
				s.holds("the same rows in either order", []download{s.windowAsc}, func(l look) Rows {
					found := equal("the window in rising order", "the rows of the window in falling order",
						l.rows(s.windowAsc).rows, s.base(l).rows)
					return s.wholly(l, found, func(w whole) string { return cmp.Or(w.either, w.part) })
				})
				s.eitherOrderBeside()
				s.holds("no row that only another sort shows", []download{s.settled}, s.hidden)
				s.holds("no row that only another sort without bounds shows", []download{s.window, s.bare.settled},
					s.hiddenUnsettled)
			})

		s.Rule("export.range.open", Must, ExportOperation,
			"A bound may stand alone: only a start, only an end.", func() {
				s.selects("only a start, on a row's date", onlyStart(onRow), judgement{mustAccept: true})
				s.selects("only an end, on a row's date", onlyEnd(onRow), judgement{mustAccept: true})
				falling := across(statement.SettledDate, onlyStart(onRow))
				falling.name, falling.order, falling.in = falling.name+", newest first", "desc", control.Second
				s.selects("only a start by settled_date, newest first", falling, judgement{mustAccept: true})
			})

		s.unboundedExports()

		s.Rule("export.range.empty", Must, ExportOperation, "A range whose start is its end holds no quote.", func() {
			same := part{
				name: "from and until a row's date", from: edge{at: onRow}, until: edge{at: onRow},
				in: control.First,
			}
			settled := across(statement.SettledDate, same)
			settled.order, settled.in = "asc", control.Second
			for _, p := range []part{same, settled} {
				s.nothing("start and end on a row's date, "+p.name, p, func(l look, got *sheet) {
					l.unmet("",
						"the deployment refuses a range whose start is its end (%d), so there is no file to look at",
						got.answer.Status)
				})
			}
		})

		s.Rule("export.range.start_after_end", Should, ExportOperation,
			"A range whose start is after its end holds no quote, or is refused.", func() {
				end := func(_ look, _ time.Time, w *window) time.Time { return w.end }
				turned := part{
					name: "from the end of the window until " + string(onRow),
					from: edge{at: onRow, move: end}, until: edge{at: onRow}, order: "asc", in: control.First,
				}
				settled := across(statement.SettledDate, turned)
				settled.order, settled.in = "desc", control.Second
				for _, p := range []part{turned, settled} {
					s.nothing("a start at the end of the window, and an end before it, "+p.name, p,
						func(look, *sheet) {})
				}
			})
	})
}

// holdsAnything declares the spec that a window is not empty of which an export without bounds shows quotes. Those of
// its first and last day say nothing: the dates of a file may be of another zone.
func (s *Suite) holdsAnything() {
	GinkgoHelper()
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
	GinkgoHelper()
	s.holds(name, []download{s.window}, func(l look) Rows {
		l.unmetIf(s.t.Deployment.Fixtures.Window == nil, "fixtures.window", "")
		return s.keeps(l, of)
	})
}

// together declares the spec that parts hold each row of the window exactly once.
func (s *Suite) together(name string, parts ...download) {
	GinkgoHelper()
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
		return equal("the window split at "+strings.Join(marks, " and "),
			"each row of the whole window in exactly one part", rows, w.rows)
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
	GinkgoHelper()
	o := s.part(p)
	s.holds(name, []download{o}, func(l look) Rows {
		g := s.lay(l, p)
		if sh := l.sheet(o); sh.denied() {
			refused(l, sh)
		}
		if got, there := l.anything(o); there { // whether rows without the date are kept is another rule
			dated := func(q statement.Quote) bool { return !q.Moment(g.w.key).Empty }
			return equal(g.text(p), "no row", pick(got.rows, dated), nil)
		}
		return Rows{Export: g.text(p)}
	})
}

// precision: how exactly a bound is the instant that it names.
func (s *Suite) precision() {
	Describe("the instant that a bound names", func() {
		s.Rule("export.range.precision", Must, ExportOperation, "Bounds work to the precision that the file shows.",
			func() {
				// One unit after a row, in the same second, a start drops that row and an end keeps it. Where the file
				// shows whole seconds, the bound lies in the same minute, and so on.
				close := judgement{mustAccept: true, given: justAfter, counts: near}
				s.selects("a start just after a row", from(afterRow), close)
				s.selects("an end just after a row", until(afterRow), close)
				s.keepFew(true, true)
				s.keepFew(true, false)

				// A bound without a fraction is the beginning of its second: rows with one come after it.
				whole := edge{at: onRow, move: unitBefore, write: inDigits(0)}
				fraction := judgement{counts: inSecond}
				s.selects("a start on the whole second before a row",
					part{name: "from the whole second before a row", from: whole, order: "asc", in: control.Second},
					fraction)
				s.selects("an end on the whole second before a row",
					part{name: "until the whole second before a row", until: whole, in: control.First}, fraction)

				// .5 is half a second, however many digits there are. None are documented: what is refused is not
				// judged.
				undocumented := judgement{mayRefuse: true, counts: near}
				s.selects("an end with a fraction of one digit",
					part{name: "until " + string(tenth), until: edge{at: tenth, write: inDigits(1)}, order: "asc"},
					undocumented)
				s.selects("a start with a fraction of six digits",
					part{name: "from " + string(thousandth), from: edge{at: thousandth, write: inDigits(6)}},
					undocumented)
			})

		s.Rule("export.range.offset", Must, ExportOperation,
			"The same instant written with another offset selects the same quotes.", func() {
				for _, p := range offsets() { // or refused, which is the next rule
					var alone []download
					for _, same := range []part{onlyStart(onRow), onlyEnd(onRow)} {
						if same.from.open == p.from.open && same.until.open == p.until.open {
							alone = append(alone, s.part(same))
						}
					}
					s.selects(p.name, p, judgement{
						mayRefuse: true, last: func(l look, found *Rows, _ *ground, _ *sheet) {
							for _, o := range alone {
								if !found.Right() {
									s.rightAlone(l, o)
								}
							}
						},
					}, alone...)
				}
			})

		s.Rule("export.range.offset.accepted", Should, ExportOperation,
			"A bound that is written with an offset is accepted.", func() {
				for _, p := range offsets() {
					export := s.part(p)
					It("accepts an export of rows "+p.name, func(ctx SpecContext) {
						sh := export.Await(ctx)
						if sh.variation != nil {
							spec.GiveUp(sh.variation)
						}
						Expect(target.Answer{Exchange: sh.answer}).To(BeAccepted())
					})
				}
			})
	})
}

// near lets those rows count that show how fine a bound is: those in the same second as what is just before the
// bound, or where the file shows no parts of one, in the same minute, hour or day. A row on the bound belongs to
// another rule.
func near(g *ground, q statement.Quote) bool {
	coarse, last, at := statement.Coarser(g.w.unit), g.at.Add(-1), q.Moment(g.w.key).Time
	if g.w.unit >= statement.Day {
		return next(at, g.w.unit).Equal(g.at)
	}
	return !at.Equal(g.at) && at.Truncate(coarse).Equal(last.Truncate(coarse))
}

// inSecond lets the rows of the bound's second count. Rows of other seconds say nothing about fractions, and where
// the file shows none, rows on the bound belong to another rule.
func inSecond(g *ground, q statement.Quote) bool {
	at := q.Moment(g.w.key).Time
	if g.w.unit >= time.Second {
		return at.Equal(g.cuts[onRow].At)
	}
	return at.Truncate(time.Second).Equal(g.at)
}

// unitBefore is the whole second before a row, or where the file shows no fractions, the unit before it that it
// shows.
func unitBefore(l look, at time.Time, w *window) time.Time {
	if w.unit < time.Second {
		return at.Truncate(time.Second)
	}
	at = shift(at, w.unit, -1)
	l.unmetIf(!at.After(w.start), "fixtures.window",
		"the rows of the window have too few dates to set a bound before one")
	return at
}

// inDigits writes an instant with a fraction of so many digits.
func inDigits(count int) func(time.Time, time.Duration) string {
	layout := "2006-01-02T15:04:05"
	if count > 0 {
		layout += "." + strings.Repeat("0", count)
	}
	return func(at time.Time, _ time.Duration) string { return at.UTC().Format(layout + "Z07:00") }
}

// offsets are parts with a bound that is written as in another place.
func offsets() []part {
	in := func(p part, place, order string, row control.Row, zone func(at time.Time) *time.Location) part {
		write := func(at time.Time, unit time.Duration) string { return statement.FormatInstant(at, unit, zone(at)) }
		if p.from.at != "" {
			p.from.write = write
		} else {
			p.until.write = write
		}
		p.name, p.order, p.in = p.name+", written with "+place, order, row
		return p
	}
	fixed := func(place string, offset time.Duration) (string, func(time.Time) *time.Location) {
		zone := time.FixedZone(place, int(offset.Seconds()))
		return place, func(time.Time) *time.Location { return zone }
	}
	half, inHalf := fixed("+05:30", 5*time.Hour+30*time.Minute)
	west, inWest := fixed("-03:00", -3*time.Hour)
	const another = "the offset of a place with another day"
	aloneFrom, aloneUntil := from(onRow), until(afterRow)
	aloneFrom.name, aloneFrom.until.open = "only "+aloneFrom.name, true
	aloneUntil.name, aloneUntil.from.open = "only "+aloneUntil.name, true
	return []part{
		in(aloneFrom, half, "asc", control.Second, inHalf),
		in(until(onRow), west, "desc", control.First, inWest),
		in(across(statement.SettledDate, from(afterRow)), another, "desc", control.First, anotherDay),
		in(aloneUntil, another, "desc", control.Second, anotherDay),
	}
}
