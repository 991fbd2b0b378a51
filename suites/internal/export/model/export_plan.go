package model

import (
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/suites/record"
)

// ExportPlan is how an export is carried out: as documented, until a hypothesis changes it.
type ExportPlan struct {
	Asked    *Query
	Units    [2]time.Duration     // smallest that files show of each date
	settings []record.FactorValue // of what is asked

	selection
	Client func(r *ObservedQuote, text string) bool // nil: the client's ID is the text
	Keeps  func(p *ExportPlan, r *ObservedQuote) bool
	Loses  func(p *ExportPlan, r *ObservedQuote) bool
	// whether the rows that a file lacks are those that it would lose; nil: it loses none
	Trim func(f IncompleteFile) bool
}

// selection is what can be compared of a plan.
type selection struct {
	Sort  DateKey // orders the rows
	Order Direction
	// they are ordered by the text of that date in a layout, in which ID is the row's; empty: by the
	// date itself
	Written    string
	Start, End Bound
	By, EndBy  DateKey       // the date that each bound applies to
	Unit       time.Duration // that dates are compared in; 0: exactly
	Nothing    bool          // it holds no row
	filtered   bool
	in, may    Origins // of the rows that the export holds, and of those that nothing is said about
}

// isDocumented reports a plan that no hypothesis changed.
func (p *ExportPlan) isDocumented(as *ExportPlan) bool {
	return p.selection == as.selection && p.Client == nil && p.Keeps == nil && p.Loses == nil &&
		p.Trim == nil
}

// Direction is that of the rows of a file.
type Direction int

// The directions; in AnyOrder the rows may stand as they like.
const (
	Rising Direction = iota
	Falling
	AnyOrder
)

// documentedPlan carries a query out as documented.
func (u *Universe) documentedPlan(q *Query) ExportPlan {
	p := ExportPlan{
		Asked: q, settings: q.settings(), Units: u.Unit,
		selection: selection{
			Order:    Falling,
			Start:    parseBound(q.Start),
			End:      parseBound(q.End),
			filtered: q.Filter.Text != "",
		},
	}
	if q.Order == "asc" {
		p.Order = Rising
	}
	if q.Sort == DateSettled.String() {
		p.Sort = DateSettled
	}
	p.By, p.EndBy = p.Sort, p.Sort
	wallet := choiceDefault
	if q.Wallet == WalletOther {
		wallet = choiceOther
	}
	p.in = ofDefaultProduct(q.User) & originsInWallet[wallet] &^ originsUnexplained
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
func (p *ExportPlan) compareToBound(d RowDate, key DateKey, at int64) int {
	if d.From == unknownTime {
		return 0
	}
	from, until := d.From, d.Until
	if unit := int64(p.Unit); unit > 0 {
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
func (p *ExportPlan) holdsRow(r *ObservedQuote) int {
	if p.Nothing {
		return -1
	}
	verdict := 1
	if p.filtered {
		switch {
		case r.Client == "":
			verdict = 0
		case p.Client == nil && r.Client != p.Asked.Filter.Text,
			p.Client != nil && !p.Client(r, p.Asked.Filter.Text):
			return -1
		}
	}
	if p.Loses != nil && p.Loses(p, r) {
		return -1
	}
	if p.Keeps != nil && p.Keeps(p, r) {
		return verdict
	}
	return min(verdict, p.isWithinBounds(r, p.By, p.EndBy))
}

// isWithinBounds reports whether a row lies within the bounds by these of its dates, as holdsRow.
func (p *ExportPlan) isWithinBounds(r *ObservedQuote, by, endBy DateKey) int {
	verdict := 1
	for _, bound := range [...]struct {
		Bound
		key  DateKey
		sign int
	}{{p.Start, by, 1}, {p.End, endBy, -1}} {
		if !bound.IsGiven() {
			continue
		}
		d := r.Dates[bound.key]
		if d.None {
			return -1
		}
		verdict = min(verdict, bound.sign*p.compareToBound(d, bound.key, bound.At))
	}
	return verdict
}

// isInOrder reports whether the rows of a file are in the order of the plan.
func (p *ExportPlan) isInOrder(u *Universe, e *SeenExport) bool {
	if p.Order == AnyOrder || p.Written == "" {
		return p.Order == AnyOrder || e.sorted[p.Sort][p.Order]
	}
	var texts []string
	for _, at := range e.Rows {
		if r := &u.Rows[at]; r.Dates[p.Sort].IsExact() && !r.Unsteady {
			text := time.Unix(0, r.Dates[p.Sort].From).UTC().Format(p.Written)
			texts = append(texts, strings.Replace(text, "ID", r.ID, 1))
		}
	}
	if p.Order == Falling {
		slices.Reverse(texts)
	}
	return slices.IsSorted(texts)
}

// IncompleteFile is an export that lacks rows which it should hold.
type IncompleteFile struct {
	u       *Universe
	e       *SeenExport
	p       *ExportPlan
	missing []int
}

// isBeyondRows reports whether a row would stand after, or before, all that are there.
func (f IncompleteFile) isBeyondRows(row int, atEnd bool) bool {
	d := f.u.Rows[row].Dates[f.p.Sort]
	return !slices.ContainsFunc(f.e.Rows, func(at int) bool {
		o := f.u.Rows[at].Dates[f.p.Sort]
		return !f.u.Rows[at].Unsteady && d.IsExact() && o.IsExact() && d.From != o.From &&
			(d.From > o.From) != ((f.p.Order == Rising) == atEnd)
	})
}

// LosesLastRow reports a file that lacks the row at its end.
func LosesLastRow(f IncompleteFile) bool { return f.lacksRowAt(true) }

// LosesFirstRow reports a file that lacks the row at its beginning.
func LosesFirstRow(f IncompleteFile) bool { return f.lacksRowAt(false) }

// lacksRowAt reports a file that lacks the row at one of its ends. Which that is may not be known:
// then a file of the same rows that goes on beyond the bounds of this one would show it.
func (f IncompleteFile) lacksRowAt(atEnd bool) bool {
	if len(f.missing) > 0 || len(f.e.Rows) == 0 || f.p.in == 0 {
		return len(f.missing) < 2 && (len(f.missing) == 0 || f.isBeyondRows(f.missing[0], atEnd))
	}
	bounds, outermost := *f.p, f.e.Rows[0]
	if bounds.filtered = false; atEnd {
		outermost = f.e.Rows[len(f.e.Rows)-1]
	}
	return !slices.ContainsFunc(f.u.Exports, func(o *SeenExport) bool {
		return o != f.e && o.HoldsRow(outermost) && o.plain.in == f.p.in && o.plain.Sort == f.p.Sort &&
			(o.Filter.Text == "" || o.Filter == f.e.Filter) && slices.ContainsFunc(o.Rows,
			func(at int) bool {
				r := &f.u.Rows[at]
				return r.Dates[f.p.Sort].IsExact() && bounds.holdsRow(r) < 0 && f.isBeyondRows(at, atEnd)
			})
	})
}

// EndsAtPageLimit reports a file that ends after as many rows as no other one exceeds.
func EndsAtPageLimit(f IncompleteFile) bool {
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

// LosesRowsAtPageEnds reports a file that lacks every so many rows, as one does that is put together
// of pages, each of which begins a row late. Some that it lost may not be known.
func LosesRowsAtPageEnds(f IncompleteFile) bool {
	const smallestPage = 10
	var first, last []int // places of the missing rows, which may stand anywhere among those of one date
	for _, row := range f.missing {
		ahead, ties := 0, 0
		d := f.u.Rows[row].Dates[f.p.Sort]
		for _, at := range slices.Concat(f.e.Rows, f.missing) {
			switch o := f.u.Rows[at].Dates[f.p.Sort]; {
			case !o.IsExact() || o.From == d.From:
				ties++
			case (o.From < d.From) == (f.p.Order == Rising):
				ahead++
			}
		}
		first, last = append(first, ahead+1), append(last, ahead+ties)
	}
	endsPage := func(i, every int) bool {
		page := max((first[i]+every-1)/every, 1)
		return page*every <= last[i]+page-1
	}
	if len(first) == 0 {
		return true
	}
	for every := smallestPage; every <= len(f.e.Rows)+len(first); every++ {
		fits := true
		for i := range first {
			fits = fits && endsPage(i, every)
		}
		if fits {
			return true
		}
	}
	return false
}

// KeepsOneRowPerDate reports a file that keeps one row of those that share a date.
func KeepsOneRowPerDate(f IncompleteFile) bool {
	there := map[int64]int{}
	for _, at := range f.e.Rows {
		if d := f.u.Rows[at].Dates[f.p.Sort]; d.IsExact() {
			if there[d.From]++; there[d.From] > 1 {
				return false
			}
		}
	}
	for _, at := range f.missing {
		if d := f.u.Rows[at].Dates[f.p.Sort]; !d.IsExact() || there[d.From] == 0 {
			return false
		}
	}
	return true
}
