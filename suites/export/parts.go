package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// part is a part of the window to export.
type part struct {
	name        string
	from, until edge
	sort        statement.Key // empty: quote_created_at
	chosen      statement.Key // the date that the instants are chosen from; empty: quote_created_at
	order       string        // empty: desc
	in          control.Row   // what stands beside it
	target      bool          // of one client of the target user, in one of the rows
}

// ofTarget is a part of the rows of one client of the target user where no wallet stands beside it: whose rows they are
// changes nothing about what bounds mean, and a client filter keeps to them as well.
func ofTarget(p part) part {
	p.target = true
	return p
}

// edge is a bound of a part; the zero edge is the window's own.
type edge struct {
	at    point
	open  bool
	move  func(l look, at time.Time, w *window) time.Time
	write func(at time.Time, unit time.Duration) string // nil: in UTC, to the unit that the file shows
}

// from and until cut the window once. A bound has to hold whatever the order, and whatever else is sent.
func from(at point) part {
	p := part{name: "from " + string(at), from: edge{at: at}, in: control.First}
	if at == onShared {
		p.order, p.in = "asc", control.Second
	}
	return p
}

func until(at point) part {
	p := part{name: "until " + string(at), until: edge{at: at}, in: control.Second}
	if at == onShared {
		p.in = control.First
	}
	if at == onShared || at == afterRow {
		p.order = "asc"
	}
	return p
}

// ground is what a part comes to, given the rows of the window.
type ground struct {
	w      *window           // by the date of the part's sort
	rows   []statement.Quote // all that are known of the window
	cuts   map[point]statement.Pick
	at     time.Time // where the window is cut
	why    string
	fields target.Fields
	target bool // the rows are those of one client of the target user
	judged span // the bounds that the part is about
}

// lay works out where a part begins and ends.
func (s *Suite) lay(l look, p part) *ground {
	g := &ground{}
	key := cmp.Or(p.sort, statement.CreatedAt)
	g.w, g.rows, g.target = s.targetPart(l, p, key)
	switch {
	case g.target:
		g.cuts = s.chosen("boundaries of the target user by "+string(key), g.rows, g.w)
	case p.chosen == statement.SettledDate:
		rows, created, settled := s.known(l)
		g.rows, g.cuts = rows, s.chosen("settled boundaries", rows, settled)
		if g.w = settled; p.sort != statement.SettledDate {
			g.w = created
		}
	default:
		g.w = s.dates(l)
		g.rows, g.cuts = g.w.rows, s.chosen("boundaries", g.w.rows, g.w)
	}
	whole := g.w.between(g.place(l, p.from, g.w.start), g.place(l, p.until, g.w.end))
	g.fields = bounded(g.w.key, whole.from, whole.until, g.w.unit).With("order", cmp.Or(p.order, "desc"))
	if write := p.from.write; write != nil {
		g.fields = g.fields.With("date_start", write(whole.from, g.w.unit))
	}
	if write := p.until.write; write != nil {
		g.fields = g.fields.With("date_end", write(whole.until, g.w.unit))
	}
	if g.target {
		g.fields = clientFilter(g.fields, g.rows[0].Client)
	}
	// Whether the window's own bounds hold is judged once, and by the other date anew.
	if g.judged = whole; p.chosen == "" && p.from.at == "" {
		g.judged.from = time.Time{}
	}
	if p.chosen == "" && p.until.at == "" {
		g.judged.until = time.Time{}
	}
	return g
}

// chosen is choose for what all parts of a run share, and works it out once.
func (s *Suite) chosen(purpose string, rows []statement.Quote, w *window) map[point]statement.Pick {
	s.mu.Lock()
	choice, ok := s.choices[purpose]
	if !ok {
		choice = sync.OnceValue(func() map[point]statement.Pick { return s.choose(purpose, rows, w.key, w.unit) })
		s.choices[purpose] = choice
	}
	s.mu.Unlock()
	return choice()
}

func (g *ground) place(l look, e edge, own time.Time) time.Time {
	if e.open {
		return time.Time{}
	}
	if e.at == "" {
		return own
	}
	c := g.cuts[e.at]
	l.end(need(c))
	if e.move != nil {
		c.At = e.move(l, c.At, g.w)
	}
	g.at, g.why = c.At, c.Why
	return c.At
}

// part declares the export of a part.
func (s *Suite) part(p part) download {
	return s.export("rows "+p.name, func(l look) query {
		g := s.lay(l, p)
		q := query{fields: g.fields, company: s.company(l, p.in)}
		if g.target {
			q.header, q.company = s.targetHeader(), s.partners(l, append(eitherRow(), control.ByKey), p.in)
		}
		if s.parted() && (p.from.open || p.until.open) { // from the bound on, so that the rows of the part come first
			q.fields = q.fields.With("order", map[bool]string{true: "asc", false: "desc"}[p.until.open])
			q.open = true
		}
		return q
	})
}

// text describes the export of a part by the bounds that were sent.
func (g *ground) text(p part) string {
	name := p.name
	if g.target {
		name += ", of one client of the target user"
	}
	return fmt.Sprintf("the export %s (%s; %s)", name, boundsOf(g.fields), g.why)
}

func boundsOf(f target.Fields) string {
	var bounds []string
	for _, name := range []string{"date_start", "date_end"} {
		if value, there := f[name]; there {
			bounds = append(bounds, fmt.Sprintf("%s %s", name, value))
		}
	}
	return strings.Join(bounds, ", ")
}

// judgement says how the rows of a part are judged. The zero judgement takes a refusal to be about something else.
type judgement struct {
	mustAccept bool                                             // a refusal breaks the rule
	mayRefuse  bool                                             // a refusal keeps the rule
	given      point                                            // an instant that the window has to offer
	counts     func(g *ground, q statement.Quote) bool          // wrong rows that are about the rule; nil: all
	last       func(l look, found *Rows, g *ground, got *sheet) // looks at what was found
}

// selects declares the spec that a part holds the rows between its bounds and no others.
func (s *Suite) selects(name string, p part, j judgement, more ...download) {
	spec.Helper()
	o := s.part(p)
	s.selected = append(s.selected, o)
	exports := append([]download{o}, more...)
	if p.chosen == statement.SettledDate {
		exports = append(exports, s.settled)
	}
	s.holds(name, exports, func(l look) Rows {
		g := s.lay(l, p)
		l.end(need(g.cuts[j.given]))
		got, export := l.sheet(o), g.text(p)
		switch {
		case got.denied() && j.mayRefuse:
			return Rows{Export: export}
		case j.mustAccept:
			l.accepted(o, export, g.judged.should())
		}
		l.end(got.usable())
		found := within(export, got, g.rows, g.judged)
		if j.counts != nil {
			counts := func(q statement.Quote) bool { return j.counts(g, q) }
			found.Missing, found.Extra = pick(found.Missing, counts), pick(found.Extra, counts)
		}
		if j.last != nil {
			j.last(l, &found, g, got)
		}
		return found
	})
}

// cuts are exports of the window's parts that the diagnosis looks at.
type cuts struct {
	from, until map[point]download // by quote_created_at
	thirds      [3]download
	straddling  []download // by either sort, cut between the two dates of a row
	settled     []download // by settled_date, cut on a row
}

func (c cuts) all() []download {
	list := slices.Clone(c.thirds[:])
	for _, at := range cutPoints() {
		list = append(list, c.from[at], c.until[at])
	}
	return list
}

func cutPoints() []point { return []point{onRow, onShared, afterRow} }

func (s *Suite) declareCuts() {
	s.cuts = cuts{from: map[point]download{}, until: map[point]download{}}
	for _, at := range cutPoints() {
		s.cuts.from[at], s.cuts.until[at] = s.part(from(at)), s.part(until(at))
	}
	s.oneBound = []download{s.part(onlyStart(onRow)), s.part(onlyEnd(onRow))}
	for i := range s.cuts.thirds {
		s.cuts.thirds[i] = s.export(fmt.Sprintf("part %d of 3 of the window", i+1), func(l look) query {
			w := s.dates(l)
			marks := s.thirds(l, w)
			fields := bounded(w.key, marks[i], marks[i+1], w.unit).Without("order")
			return query{fields: fields, company: s.company(l, control.Row(i))}
		})
	}
	for _, p := range []part{from(onRow), until(onRow)} {
		s.cuts.settled = append(s.cuts.settled, s.part(across(statement.SettledDate, p)))
	}
	for _, p := range acrossParts() {
		s.cuts.straddling = append(s.cuts.straddling, s.part(p))
	}
}

// thirds cuts the window at two instants, where it can between two dates and on the date of a row: bounds mean the same
// without an order.
func (s *Suite) thirds(l look, w *window) (edges [4]time.Time) {
	var marks []time.Time
	choice := s.choose("thirds", w.rows, w.key, w.unit)
	for _, at := range []point{between, onRow} {
		if c := choice[at]; c.Missing == "" {
			marks = append(marks, c.At)
		}
	}
	marks = append(marks, s.datesInside(w.rows, w.key)...)
	for _, second := range marks[min(1, len(marks)):] {
		if two := []time.Time{marks[0], second}; !two[0].Equal(second) {
			slices.SortFunc(two, time.Time.Compare)
			return [4]time.Time{w.start, two[0], two[1], w.end}
		}
	}
	l.unmet("fixtures.window", "the rows of the window have too few dates to cut it in three")
	return edges
}
