package statement

import (
	"strings"
	"unicode"
)

// Others are the rows that are not quotes: without a date and without an ID, such as one that holds the sum of a
// column. What else than quotes a file holds is not documented.
type Others struct {
	Count   int
	AtStart bool // all of them stand before the first quote
	AtEnd   bool // all of them stand after the last quote

	before int // quotes before the first of them
}

// add notes a row that stands after so many quotes.
func (o *Others) add(quotes int) {
	if o.Count++; o.Count == 1 {
		o.before = quotes
	}
	o.AtStart = quotes == 0
}

// Others returns the rows that are not quotes.
func (t *Table) Others() Others {
	o := t.others
	o.AtEnd = o.Count > 0 && o.before == t.count
	return o
}

// noQuote reports whether a row shows no date although the file has columns for them, and no ID. A word in place of the
// ID, such as "Total", names no quote. A quote that is not settled has no settled date: only together with the creation
// does the absence of dates say something about a row that has a name, or about rows that have none.
func (b *binder) noQuote(row Row) bool {
	created, settled := b.created.at >= 0, b.settled.at >= 0
	if !created && !settled || !dateless(row.cell(b.created.at)) || !dateless(row.cell(b.settled.at)) {
		return false
	}
	id := row.cell(b.id)
	return b.id >= 0 && blank(id) || created && (id == "" || word(id))
}

// dateless reports whether a cell shows no date, not even one that cannot be read.
func dateless(cell string) bool {
	return blank(cell) || !strings.ContainsFunc(cell, unicode.IsDigit)
}

// word reports whether an ID is text in words, as no identifier is: letters, and no digit unless beside a space.
func word(id string) bool {
	letters, digits := 0, false
	for _, r := range id {
		if unicode.IsLetter(r) {
			letters++
		}
		digits = digits || unicode.IsDigit(r)
	}
	return letters >= 3 && (!digits || strings.ContainsFunc(id, unicode.IsSpace))
}
