package model

import "slices"

// IncompleteFile is an export and the rows that it lacks.
type IncompleteFile struct {
	u       *Universe
	e       *SeenExport
	p       *ExportPlan
	missing []int
}

// isBeyond reports whether a row would stand beyond an end of the file: after its last row or
// before its first.
func (f IncompleteFile) isBeyond(end fileEnd, row int) bool {
	d := f.u.Rows[row].Dates[f.p.Sort]
	return !slices.ContainsFunc(f.e.Rows, func(at int) bool {
		o := f.u.Rows[at].Dates[f.p.Sort]
		return !f.u.Rows[at].Unsteady && d.IsExact() && o.IsExact() && d.From != o.From &&
			(d.From > o.From) != ((f.p.Order == Rising) == (end == lastRow))
	})
}

// fileEnd is one of the two ends of a file.
type fileEnd int

const (
	firstRow fileEnd = iota
	lastRow
)

// LosesLastRow reports whether the file lacks its last row.
func LosesLastRow(f IncompleteFile) bool { return f.lacksRowAt(lastRow) }

// LosesFirstRow reports whether the file lacks its first row.
func LosesFirstRow(f IncompleteFile) bool { return f.lacksRowAt(firstRow) }

// lacksRowAt reports whether the file lacks the row at one of its ends. That row may not be
// known; then no other file of the same rows shows one beyond this end and outside the bounds.
func (f IncompleteFile) lacksRowAt(end fileEnd) bool {
	switch {
	case len(f.missing) > 0:
		return len(f.missing) == 1 && f.isBeyond(end, f.missing[0])
	case len(f.e.Rows) == 0 || f.p.in == 0:
		return true
	}
	outermost := f.e.Rows[0]
	if end == lastRow {
		outermost = f.e.Rows[len(f.e.Rows)-1]
	}
	return !slices.ContainsFunc(f.u.Exports, func(o *SeenExport) bool {
		return o != f.e && o.HoldsRow(outermost) && o.plain.in == f.p.in && o.plain.Sort == f.p.Sort &&
			(o.Filter.Text == "" || o.Filter == f.e.Filter) && f.showsExcludedRow(o, end)
	})
}

// showsExcludedRow reports whether another file shows a row beyond an end of this one that its
// bounds exclude.
func (f IncompleteFile) showsExcludedRow(other *SeenExport, end fileEnd) bool {
	bounds := *f.p
	bounds.filtered = false
	return slices.ContainsFunc(other.Rows, func(at int) bool {
		r := &f.u.Rows[at]
		return r.Dates[f.p.Sort].IsExact() && bounds.holdsRow(r) < 0 && f.isBeyond(end, at)
	})
}

// EndsAtPageLimit reports whether the missing rows are at the end and no other file has more
// rows.
func EndsAtPageLimit(f IncompleteFile) bool {
	if len(f.missing) == 0 {
		return true
	}
	isInside := func(row int) bool { return !f.isBeyond(lastRow, row) }
	hasMore := func(o *SeenExport) bool { return len(o.Rows) > len(f.e.Rows) }
	return !slices.ContainsFunc(f.missing, isInside) && !slices.ContainsFunc(f.u.Exports, hasMore)
}

// LosesRowsAtPageEnds reports whether the file lacks one row per page of some length, as where
// each page begins a row late. Some of the rows lost may not be known.
func LosesRowsAtPageEnds(f IncompleteFile) bool {
	const smallestPage = 10
	// possible positions of the missing rows: anywhere among rows of the same date
	var first, last []int
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

// KeepsOneRowPerDate reports whether the file keeps one row of those that share a date.
func KeepsOneRowPerDate(f IncompleteFile) bool {
	there := map[int64]int{}
	for _, at := range f.e.Rows {
		if d := f.u.Rows[at].Dates[f.p.Sort]; d.IsExact() {
			there[d.From]++
			if there[d.From] > 1 {
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
