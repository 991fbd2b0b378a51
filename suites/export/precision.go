package export

import (
	"slices"
	"strings"
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// precision: how exactly a bound is the instant that it names.
func (s *Suite) precision() {
	s.Describe("the instant that a bound names", func() {
		s.Rule("export.range.precision", Must, ExportOperation, "Bounds work to the precision that the file shows.",
			func() {
				// One unit after a row, in the same second, a start drops that row and an end keeps it. Where the file
				// shows whole seconds, the bound lies in the same minute, and so on.
				close := judgement{mustAccept: true, given: justAfter, counts: near}
				s.selects("a start just after a row", from(afterRow), close)
				s.selects("an end just after a row", until(afterRow), close)
				s.keepFew(afterTheDate, true)
				s.keepFew(afterTheDate, false)

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
						mayRefuse: true, last: func(l look, found *Rows, g *ground, got *sheet) {
							s.rightAlone(l, *found, alone)
							s.notFiltered(l, *found, got)
							if found.Right() {
								return
							}
							if how := s.misread(l); how != "" {
								found.Export = how
							} else if within("", got, g.rows, g.reading(inUTC)).Right() {
								found.Export = g.asIgnored()
							}
						},
					}, alone...)
				}
			})

		s.Rule("export.range.offset.accepted", Should, ExportOperation,
			"A bound that is written with an offset is accepted.", func() {
				for _, p := range offsets() {
					export := s.part(p)
					s.It("accepts an export of rows "+p.name, func(ctx spec.Context) {
						sh := export.Await(ctx)
						if sh.variation != nil {
							ctx.GiveUp(sh.variation)
						}
						ctx.Expect(target.Answer{Exchange: sh.answer}).To(BeAccepted())
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

// misread is how the deployment reads offsets, where that explains the rows of all exports with one.
func (s *Suite) misread(l look) (how string) {
	for _, way := range []struct {
		words string
		reads func(offset time.Duration) time.Duration
	}{
		{"bounds are read as UTC, whatever their offset", inUTC},
		{"bounds are read without the minutes of their offset", func(offset time.Duration) time.Duration {
			return offset.Truncate(time.Hour)
		}},
		{"bounds are read with the sign of their offset inverted", func(offset time.Duration) time.Duration {
			return -offset
		}},
	} {
		if slices.ContainsFunc(offsets(), func(p part) bool {
			g, err := act(func(l look) *ground { return s.lay(l, p) })(l)
			got, ok := l.rowsIfAny(s.part(p))
			return err == nil && ok && !within("", got, g.rows, g.reading(way.reads)).Right()
		}) {
			continue
		}
		if how != "" {
			return "offsets of bounds are misread"
		}
		how = way.words
	}
	return how
}

func inUTC(time.Duration) time.Duration { return 0 }

// asIgnored names an export whose rows are those of a bound without its offset; of others they are not.
func (g *ground) asIgnored() string {
	name, field := "the export", "date_start"
	if g.w.key == statement.SettledDate {
		name += " by settled_date"
	}
	if text, _ := g.fields[field].(string); text == "" || strings.HasSuffix(text, "Z") {
		field = "date_end"
	}
	return name + ", as if the offset in " + field + " were ignored"
}

// reading is where the bounds of a part lie when their offsets are taken for others.
func (g *ground) reading(as func(offset time.Duration) time.Duration) span {
	misread := g.judged
	for name, bound := range map[string]*time.Time{"date_start": &misread.from, "date_end": &misread.until} {
		text, _ := g.fields[name].(string)
		if at, err := time.Parse(time.RFC3339Nano, text); err == nil && !bound.IsZero() {
			_, seconds := at.Zone()
			offset := time.Duration(seconds) * time.Second
			*bound = at.Add(offset - as(offset))
		}
	}
	return misread
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
	const another = "+13:00 or -11:00"
	named := func(p part, name string) part {
		p.name = name
		return p
	}
	start, end := named(from(nearAfter), "from "+string(afterRow)), named(until(nearRow), "until "+string(onRow))
	aloneFrom, aloneUntil := from(onRow), until(nearAfter)
	aloneFrom.name, aloneFrom.until.open = "only "+aloneFrom.name, true
	aloneUntil.name, aloneUntil.from.open = "only until "+string(afterRow), true
	return []part{
		ofTarget(in(aloneFrom, half, "asc", control.Second, inHalf)),
		ofTarget(in(end, west, "desc", control.First, inWest)),
		in(across(statement.SettledDate, start), another, "desc", control.First, anotherDay),
		in(aloneUntil, another, "desc", control.First, anotherDay), // the other lone end is in the other row
	}
}
