package statement

import (
	"regexp"
	"strings"
	"unicode"
)

// isNotQuote reports whether a row shows no date although the file has columns for them, and no ID.
// A word in place of the ID, such as "Total", names no quote. A quote that is not settled has no
// settled date: only together with the creation does the absence of dates say something about a row
// that has a name, or about rows that have none. A row of a word that was never created may hold
// anything in place of the settlement, such as when the file was made.
func (b *quoteReader) isNotQuote(row Row) bool {
	created, settled, id := b.created.at >= 0, b.settled.at >= 0, row.cellAt(b.id)
	switch {
	case !created && !settled, !showsNoDate(row.cellAt(b.created.at)):
		return false
	// the titles once more
	case created && (isWords(id) || id != "" && id == strings.TrimSpace(b.t.titles[ColumnID])):
		return true
	}
	return showsNoDate(row.cellAt(b.settled.at)) &&
		(b.id >= 0 && isBlankDate(id) || created && id == "")
}

// showsNoDate reports whether a cell shows no date, not even one that cannot be read: nothing, a
// word, or a count.
func showsNoDate(cell string) bool {
	const longest = len("123456.78")
	return isBlankDate(cell) || !strings.ContainsFunc(cell, unicode.IsDigit) ||
		len(cell) <= longest && smallNumberPattern.MatchString(cell)
}

// smallNumberPattern matches a number that is too small for a date, such as how many rows there
// are.
var smallNumberPattern = regexp.MustCompile(`^\d{1,6}([.,]\d{1,2})?$`)

// isWords reports whether an ID is text in words, as no identifier is: letters, and no digit unless
// beside a space.
func isWords(id string) bool {
	letters, digits := 0, false
	for _, r := range id {
		if unicode.IsLetter(r) {
			letters++
		}
		digits = digits || unicode.IsDigit(r)
	}
	return letters >= 3 && (!digits || strings.ContainsFunc(id, unicode.IsSpace))
}
