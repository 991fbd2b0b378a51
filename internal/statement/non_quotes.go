package statement

import (
	"regexp"
	"strings"
	"unicode"
)

// isNotQuote reports whether a row is not a quote: it shows none of the dates that the file has
// columns for, and no ID. A word instead of an ID, such as "Total", is no ID; then the settled
// date may hold anything, such as the time of the export. Quotes that are not settled have no
// settled date, so without a creation column, only a row with a blank ID is not a quote.
func (b *quoteReader) isNotQuote(row Row) bool {
	created, settled, id := b.created.at >= 0, b.settled.at >= 0, row.cellAt(b.id)
	switch {
	case !created && !settled, !showsNoDate(row.cellAt(b.created.at)):
		return false
	// a word, or the title repeated
	case created && (isWords(id) || id != "" && id == strings.TrimSpace(b.t.titles[ColumnID])):
		return true
	}
	return showsNoDate(row.cellAt(b.settled.at)) &&
		(b.id >= 0 && isBlankDate(id) || created && id == "")
}

// showsNoDate reports whether a cell holds neither a date nor something that could be an
// unreadable date: it is blank, without digits, or a small number.
func showsNoDate(cell string) bool {
	const longest = len("123456.78")
	return isBlankDate(cell) || !strings.ContainsFunc(cell, unicode.IsDigit) ||
		len(cell) <= longest && smallNumberPattern.MatchString(cell)
}

// smallNumberPattern matches a number that is too small for a date, such as a count of rows.
var smallNumberPattern = regexp.MustCompile(`^\d{1,6}([.,]\d{1,2})?$`)

// isWords reports whether an ID is words rather than an identifier: it has letters, and digits
// only next to spaces.
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
