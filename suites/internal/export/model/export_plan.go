package model

import (
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/suites/record"
)

// exportPlan is how an export is carried out: as documented, until a hypothesis changes it.
type exportPlan struct {
	asked    *Query
	settings []record.FactorValue // of what is asked
	units    [2]time.Duration

	selection
	client func(r *ObservedQuote, text string) bool // nil: the client's ID is the text
	keeps  func(p *exportPlan, r *ObservedQuote) bool
	loses  func(p *exportPlan, r *ObservedQuote) bool
	// trim reports whether the rows that a file lacks are those that it would lose; nil: it loses
	// none.
	trim func(f incompleteFile) bool
}

// selection is what can be compared of a plan.
type selection struct {
	sort  DateKey // orders the rows
	order sortDirection
	// they are ordered by the text of that date in a layout, in which ID is the row's; empty: by the
	// date itself
	written    string
	start, end rangeBound
	by, endBy  DateKey       // the date that each bound applies to
	unit       time.Duration // that dates are compared in; 0: exactly
	filtered   bool
	in, may    Origins // of the rows that the export holds, and of those that nothing is said about
	nothing    bool    // it holds no row
}

// isDocumented reports a plan that no hypothesis changed.
func (p *exportPlan) isDocumented(as *exportPlan) bool {
	return p.selection == as.selection && p.client == nil && p.keeps == nil && p.loses == nil &&
		p.trim == nil
}

type sortDirection int

const (
	directionRising sortDirection = iota
	directionFalling
	directionAny
)

// documentedPlan carries a query out as documented.
func (u *Universe) documentedPlan(q *Query) exportPlan {
	p := exportPlan{
		asked: q, settings: q.settings(), units: u.Unit,
		selection: selection{
			order:    directionFalling,
			start:    parseBound(q.Start),
			end:      parseBound(q.End),
			filtered: q.Filter.Text != "",
		},
	}
	if q.Order == "asc" {
		p.order = directionRising
	}
	if q.Sort == DateSettled.String() {
		p.sort = DateSettled
	}
	p.by, p.endBy = p.sort, p.sort
	wallet := choiceDefault
	if q.Wallet == WalletOther {
		wallet = choiceOther
	}
	p.in = originsOfOwner[q.User] & originsInWallet[wallet] & originsOfProduct[choiceDefault] &^ originsUnexplained
	switch {
	case q.Filter.Kind == FilterTypeOnly: // nothing, or as without it
		p.may, p.in = originsOfOwner[q.User], 0
	case q.Wallet == WalletForeign:
		p.in = 0
	}
	p.in |= p.in << 12 // whether they are marked or not
	return p
}

// compareToBound says where a date lies for a bound: 1 on it or after, -1 before it, 0 where that
// is open.
func (p *exportPlan) compareToBound(d RowDate, key DateKey, at int64) int {
	if d.From == unknownTime {
		return 0
	}
	from, until := d.From, d.Until
	if unit := int64(p.unit); unit > 0 {
		if d.Until-d.From > unit {
			return 0
		}
		from, at = floorTo(from, unit), floorTo(at, unit)
		until = from + unit
	}
	sides := compareRangeTo(from, until, at)
	if d.Later != 0 && sides != compareRangeTo(from+d.Later, until+d.Later, at) {
		return 0
	}
	return sides
}

func compareRangeTo(from, until, at int64) int {
	switch {
	case from >= at:
		return 1
	case until <= at:
		return -1
	}
	return 0
}

// holdsRow reports whether the export holds a row, given that it holds its owner's, its wallet's
// and so on: 1 it does, -1 it does not, 0 nobody can tell.
func (p *exportPlan) holdsRow(r *ObservedQuote) int {
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
		rangeBound
		key  DateKey
		sign int
	}{{p.start, p.by, 1}, {p.end, p.endBy, -1}} {
		if !bound.isGiven() {
			continue
		}
		d := r.Dates[bound.key]
		if d.None {
			return -1
		}
		verdict = min(verdict, bound.sign*p.compareToBound(d, bound.key, bound.at))
	}
	return verdict
}

// isInOrder reports whether the rows of a file are in the order of the plan.
func (p *exportPlan) isInOrder(u *Universe, e *SeenExport) bool {
	if p.order == directionAny || p.written == "" {
		return p.order == directionAny || e.sorted[p.sort][p.order]
	}
	var texts []string
	for _, at := range e.Rows {
		if r := &u.Rows[at]; r.Dates[p.sort].IsExact() && !r.Unsteady {
			text := time.Unix(0, r.Dates[p.sort].From).UTC().Format(p.written)
			texts = append(texts, strings.Replace(text, "ID", r.ID, 1))
		}
	}
	if p.order == directionFalling {
		slices.Reverse(texts)
	}
	return slices.IsSorted(texts)
}

// incompleteFile is an export that lacks rows which it should hold.
type incompleteFile struct {
	u       *Universe
	e       *SeenExport
	p       *exportPlan
	missing []int
}

// isBeyondRows reports whether a row would stand after, or before, all that are there.
func (f incompleteFile) isBeyondRows(row int, atEnd bool) bool {
	d := f.u.Rows[row].Dates[f.p.sort]
	return !slices.ContainsFunc(f.e.Rows, func(at int) bool {
		o := f.u.Rows[at].Dates[f.p.sort]
		return !f.u.Rows[at].Unsteady && d.IsExact() && o.IsExact() && d.From != o.From &&
			(d.From > o.From) != ((f.p.order == directionRising) == atEnd)
	})
}

// lacksRowAtEnd reports a file that lacks the row at one of its ends. Which that is may not be
// known: then a file of the same rows that goes on beyond the bounds of this one would show it.
func lacksRowAtEnd(atEnd bool) func(incompleteFile) bool {
	return func(f incompleteFile) bool {
		if len(f.missing) > 0 || len(f.e.Rows) == 0 || f.p.in == 0 {
			return len(f.missing) < 2 && (len(f.missing) == 0 || f.isBeyondRows(f.missing[0], atEnd))
		}
		bounds, outermost := *f.p, f.e.Rows[0]
		if bounds.filtered = false; atEnd {
			outermost = f.e.Rows[len(f.e.Rows)-1]
		}
		return !slices.ContainsFunc(f.u.Exports, func(o *SeenExport) bool {
			return o != f.e && o.HoldsRow(outermost) && o.plain.in == f.p.in && o.plain.sort == f.p.sort &&
				(o.Filter.Text == "" || o.Filter == f.e.Filter) && slices.ContainsFunc(o.Rows,
				func(at int) bool {
					r := &f.u.Rows[at]
					return r.Dates[f.p.sort].IsExact() && bounds.holdsRow(r) < 0 && f.isBeyondRows(at, atEnd)
				})
		})
	}
}

// endsAtPageLimit reports a file that ends after as many rows as no other one exceeds.
func endsAtPageLimit(f incompleteFile) bool {
	if len(f.missing) == 0 {
		return true
	}
	for _, row := range f.missing {
		if !f.isBeyondRows(row, true) {
			return false
		}
	}
	return !slices.ContainsFunc(f.u.Exports,
		func(o *SeenExport) bool { return len(o.Rows) > len(f.e.Rows) })
}

// keepsOneRowPerDate reports a file that keeps one row of those that share a date.
func keepsOneRowPerDate(f incompleteFile) bool {
	there := map[int64]int{}
	for _, at := range f.e.Rows {
		if d := f.u.Rows[at].Dates[f.p.sort]; d.IsExact() {
			if there[d.From]++; there[d.From] > 1 {
				return false
			}
		}
	}
	for _, at := range f.missing {
		if d := f.u.Rows[at].Dates[f.p.sort]; !d.IsExact() || there[d.From] == 0 {
			return false
		}
	}
	return true
}
