package model

import (
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/suites/record"
)

// plan is how an export is carried out: as documented, until a hypothesis changes it.
type plan struct {
	asked    *Query
	settings []record.FactorValue // of what is asked
	units    [2]time.Duration

	selection
	client func(r *Row, text string) bool // nil: the client's ID is the text
	keeps  func(p *plan, r *Row) bool
	loses  func(p *plan, r *Row) bool
	// trim reports whether the rows that a file lacks are those that it would lose; nil: it loses
	// none.
	trim func(f file) bool
}

// selection is what can be compared of a plan.
type selection struct {
	sort  Key // orders the rows
	order direction
	// they are ordered by the text of that date in a layout, in which ID is the row's; empty: by the
	// date itself
	written    string
	start, end edge
	by, endBy  Key           // the date that each bound applies to
	unit       time.Duration // that dates are compared in; 0: exactly
	filtered   bool
	in, may    Labels // of the rows that the export holds, and of those that nothing is said about
	nothing    bool   // it holds no row
}

// documented reports a plan that no hypothesis changed.
func (p *plan) documented(as *plan) bool {
	return p.selection == as.selection && p.client == nil && p.keeps == nil && p.loses == nil &&
		p.trim == nil
}

type direction int

const (
	rising direction = iota
	falling
	anyOrder
)

// plan carries a query out as documented.
func (u *Universe) plan(q *Query) plan {
	p := plan{
		asked: q, settings: q.settings(), units: u.Unit,
		selection: selection{
			order:    falling,
			start:    readEdge(q.Start),
			end:      readEdge(q.End),
			filtered: q.Filter.Text != "",
		},
	}
	if q.Order == "asc" {
		p.order = rising
	}
	if q.Sort == Settled.String() {
		p.sort = Settled
	}
	p.by, p.endBy = p.sort, p.sort
	wallet := byDefault
	if q.Wallet == OtherWallet {
		wallet = another
	}
	p.in = ofOwner[q.User] & ofWallet[wallet] & ofProduct[byDefault] &^ marked
	if q.Filter.Kind == TypeOnly || q.Wallet == ForeignWallet { // nothing, or as without it
		p.may, p.in = ofOwner[q.User], 0
	}
	p.in |= p.in << 12 // whether they are marked or not
	return p
}

// side is where a date lies for a bound: 1 on it or after, -1 before it, 0 where that is open.
func (p *plan) side(d Date, key Key, at int64) int {
	if d.From == never {
		return 0
	}
	from, until := d.From, d.Until
	if unit := int64(p.unit); unit > 0 {
		if d.Until-d.From > unit {
			return 0
		}
		from, at = floor(from, unit), floor(at, unit)
		until = from + unit
	}
	sides := where(from, until, at)
	if d.Later != 0 && sides != where(from+d.Later, until+d.Later, at) {
		return 0
	}
	return sides
}

func where(from, until, at int64) int {
	switch {
	case from >= at:
		return 1
	case until <= at:
		return -1
	}
	return 0
}

// holds reports whether the export holds a row, given that it holds its owner's, its wallet's and
// so on: 1 it does, -1 it does not, 0 nobody can tell.
func (p *plan) holds(r *Row) int {
	if p.nothing {
		return -1
	}
	verdict := 1
	if p.filtered {
		switch {
		case r.Client == "":
			verdict = 0
		case p.client == nil && r.Client != p.asked.Filter.Text, p.client != nil && !p.client(r,
			p.asked.Filter.Text):
			return -1
		}
	}
	if p.loses != nil && p.loses(p, r) {
		return -1
	}
	if p.keeps != nil && p.keeps(p, r) {
		return verdict
	}
	for _, bound := range [...]struct {
		edge
		key  Key
		sign int
	}{{p.start, p.by, 1}, {p.end, p.endBy, -1}} {
		if !bound.given() {
			continue
		}
		d := r.Dates[bound.key]
		if d.None {
			return -1
		}
		verdict = min(verdict, bound.sign*p.side(d, bound.key, bound.at))
	}
	return verdict
}

// inOrder reports whether the rows of a file are in the order of the plan.
func (p *plan) inOrder(u *Universe, e *Export) bool {
	if p.order == anyOrder || p.written == "" {
		return p.order == anyOrder || e.sorted[p.sort][p.order]
	}
	var texts []string
	for _, at := range e.Rows {
		if r := &u.Rows[at]; r.Dates[p.sort].Known() && !r.Unsteady {
			text := time.Unix(0, r.Dates[p.sort].From).UTC().Format(p.written)
			texts = append(texts, strings.Replace(text, "ID", r.ID, 1))
		}
	}
	if p.order == falling {
		slices.Reverse(texts)
	}
	return slices.IsSorted(texts)
}

// file is an export that lacks rows which it should hold.
type file struct {
	u       *Universe
	e       *Export
	p       *plan
	missing []int
}

// beyond reports whether a row would stand after, or before, all that are there.
func (f file) beyond(row int, atEnd bool) bool {
	d := f.u.Rows[row].Dates[f.p.sort]
	return !slices.ContainsFunc(f.e.Rows, func(at int) bool {
		o := f.u.Rows[at].Dates[f.p.sort]
		return !f.u.Rows[at].Unsteady && d.Known() && o.Known() && d.From != o.From &&
			(d.From > o.From) != ((f.p.order == rising) == atEnd)
	})
}

// one is a file that lacks the row at one of its ends. Which that is may not be known: then a file
// of the same rows that goes on beyond the bounds of this one would show it.
func one(atEnd bool) func(file) bool {
	return func(f file) bool {
		if len(f.missing) > 0 || len(f.e.Rows) == 0 || f.p.in == 0 {
			return len(f.missing) < 2 && (len(f.missing) == 0 || f.beyond(f.missing[0], atEnd))
		}
		bounds, outermost := *f.p, f.e.Rows[0]
		if bounds.filtered = false; atEnd {
			outermost = f.e.Rows[len(f.e.Rows)-1]
		}
		return !slices.ContainsFunc(f.u.Exports, func(o *Export) bool {
			return o != f.e && o.Holds(outermost) && o.plain.in == f.p.in && o.plain.sort == f.p.sort &&
				(o.Filter.Text == "" || o.Filter == f.e.Filter) && slices.ContainsFunc(o.Rows,
				func(at int) bool {
					r := &f.u.Rows[at]
					return r.Dates[f.p.sort].Known() && bounds.holds(r) < 0 && f.beyond(at, atEnd)
				})
		})
	}
}

// cutAt is a file that ends after as many rows as no other one exceeds.
func cutAt(f file) bool {
	if len(f.missing) == 0 {
		return true
	}
	for _, row := range f.missing {
		if !f.beyond(row, true) {
			return false
		}
	}
	return !slices.ContainsFunc(f.u.Exports,
		func(o *Export) bool { return len(o.Rows) > len(f.e.Rows) })
}

// oneOfEach is a file that keeps one row of those that share a date.
func oneOfEach(f file) bool {
	there := map[int64]int{}
	for _, at := range f.e.Rows {
		if d := f.u.Rows[at].Dates[f.p.sort]; d.Known() {
			if there[d.From]++; there[d.From] > 1 {
				return false
			}
		}
	}
	for _, at := range f.missing {
		if d := f.u.Rows[at].Dates[f.p.sort]; !d.Known() || there[d.From] == 0 {
			return false
		}
	}
	return true
}
