package model

import (
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/suites/record"
)

// ExportPlan is how an export is carried out: as documented until a hypothesis changes it.
type ExportPlan struct {
	Asked    *Query
	Units    [2]time.Duration     // smallest unit that files show of each date
	settings []record.FactorValue // settings of Asked

	selection
	Client func(r *ObservedQuote, text string) bool // nil: the client's ID equals the text
	Keeps  func(p *ExportPlan, r *ObservedQuote) bool
	Loses  func(p *ExportPlan, r *ObservedQuote) bool
	// LosesExactly reports whether the missing rows are those that the plan loses; nil: it loses
	// none.
	LosesExactly func(f IncompleteFile) bool
}

// selection holds the comparable fields of a plan.
type selection struct {
	Sort  DateKey // the date that orders the rows
	Order Direction
	// OrderLayout is a layout of dates. Where set, rows are ordered by the text of their date in it,
	// with "ID" replaced by the row's ID.
	OrderLayout string
	Start, End  Bound
	By, EndBy   DateKey       // the date that each bound applies to
	Unit        time.Duration // dates are compared in this unit; 0: exactly
	Empty       bool          // the export holds no rows
	// FilterOrBounds: a row passes that the filter or the bounds let pass.
	FilterOrBounds bool
	filtered       bool
	in, may        Origins // origins of rows that the export holds, and of rows that it may hold
}

// isDocumented reports whether no hypothesis changed the plan.
func (p *ExportPlan) isDocumented(as *ExportPlan) bool {
	return p.selection == as.selection && p.Client == nil && p.Keeps == nil && p.Loses == nil &&
		p.LosesExactly == nil
}

// Direction is the order of the rows of a file.
type Direction int

// The directions. EitherOrder allows both, AnyOrder allows rows that are in no order.
const (
	Rising Direction = iota
	Falling
	EitherOrder
	AnyOrder
)

// documentedPlan returns the plan of a query as documented.
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
	p.Sort, p.By, p.EndBy = q.SortDate(), q.SortDate(), q.SortDate()
	p.in = ofDefaultProduct(q.User) & q.walletOrigins() &^ originsUnexplained
	switch {
	case q.Filter.Kind == FilterTypeOnly: // no rows, or the rows without the filter
		p.may, p.in = originsOfOwner[q.User], 0
	case q.Wallet == WalletForeign:
		p.in = 0
	}
	p.in |= p.in << 12 // whether unexplained or not
	return p
}

// compareToBound returns 1 for a date on the bound or after it, -1 for one before it, and 0
// where that cannot be told.
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

// holdsRow returns 1 if the export holds a row of suitable origin, -1 if it does not, and 0
// where that cannot be told.
func (p *ExportPlan) holdsRow(r *ObservedQuote) int {
	if p.Empty {
		return -1
	}
	verdict := p.passesFilter(r)
	if p.FilterOrBounds && p.filtered && (p.Start.IsGiven() || p.End.IsGiven()) {
		return max(verdict, p.isWithinBounds(r, p.By, p.EndBy))
	}
	if verdict < 0 {
		return -1
	}
	if p.Loses != nil && p.Loses(p, r) {
		return -1
	}
	if p.Keeps != nil && p.Keeps(p, r) {
		return verdict
	}
	return min(verdict, p.isWithinBounds(r, p.By, p.EndBy))
}

// passesFilter reports whether a row passes the client filter, as 1, 0 or -1 like holdsRow.
func (p *ExportPlan) passesFilter(r *ObservedQuote) int {
	switch {
	case !p.filtered:
		return 1
	case r.Client == "":
		return 0
	case p.Client == nil && r.Client != p.Asked.Filter.Text,
		p.Client != nil && !p.Client(r, p.Asked.Filter.Text):
		return -1
	}
	return 1
}

// isWithinBounds reports whether the given dates of a row lie within the bounds, as 1, 0 or -1
// like holdsRow.
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

// CompareTrimmedTexts makes an export compare its bounds with the dates of rows as text in UTC,
// whose fractions have no trailing zeros: "03:04:05Z" then comes after "03:04:05.678Z".
func CompareTrimmedTexts(p *ExportPlan) {
	start, end := p.Start, p.End
	text := func(at int64) string { return time.Unix(0, at).UTC().Format(time.RFC3339Nano) }
	p.Keeps = func(p *ExportPlan, r *ObservedQuote) bool {
		from, until := r.Dates[p.By], r.Dates[p.EndBy]
		return (!start.IsGiven() || from.IsExact() && text(from.From) >= text(start.At)) &&
			(!end.IsGiven() || until.IsExact() && text(until.From) < text(end.At))
	}
	p.Loses = func(p *ExportPlan, r *ObservedQuote) bool {
		return r.Dates[p.By].IsExact() && r.Dates[p.EndBy].IsExact() && !p.Keeps(p, r)
	}
}

// isInOrder reports whether the rows of a file are in the order of the plan.
func (p *ExportPlan) isInOrder(u *Universe, e *SeenExport) bool {
	switch sorted := e.sorted[p.Sort]; {
	case p.Order == AnyOrder:
		return true
	case p.Order == EitherOrder:
		return sorted[Rising] || sorted[Falling]
	case p.OrderLayout == "":
		return sorted[p.Order]
	}
	var texts []string
	for _, at := range e.Rows {
		if r := &u.Rows[at]; r.Dates[p.Sort].IsExact() && !r.Unsteady {
			text := time.Unix(0, r.Dates[p.Sort].From).UTC().Format(p.OrderLayout)
			texts = append(texts, strings.Replace(text, "ID", r.ID, 1))
		}
	}
	if p.Order == Falling {
		slices.Reverse(texts)
	}
	return slices.IsSorted(texts)
}
