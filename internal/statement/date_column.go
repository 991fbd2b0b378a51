package statement

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// dateFormat reads the cells of one column. Formats that mayBePartial are unmistakable, so that a
// column may hold some cells that do not fit; the others count only where the whole column agrees.
type dateFormat struct {
	mayBePartial bool
	parse        func(string) (writtenDate, bool)
}

var dateFormats = [...]dateFormat{
	{true, parseISO},
	{false, parseSlashed},
	{false, func(s string) (writtenDate, bool) { return parseEpoch(s, 13) }},
	{false, func(s string) (writtenDate, bool) { return parseEpoch(s, 10) }},
}

// dateColumn reads the cells of a date column one by one. No cell fits two formats, so which one
// the column has can be settled once all were seen.
type dateColumn struct {
	at   int // -1: the file has none
	zone *time.Location

	filled  int
	formats [dateFormatNone + 1]formatCells // by format; the last are the cells that fit none
	// the first cell that is filled, and the first that no format reads
	first, odd string
}

// formatCells are the cells of one format.
type formatCells struct {
	count    int
	smallest time.Duration // unit that any of them shows
	unzoned  bool          // some carry no offset, and no zone was given
	bare     bool          // some carry no offset of their own
}

// dateSummary is what a date column as a whole comes to.
type dateSummary struct {
	format    int // place in dateFormats, of no format: dateFormatNone
	precision time.Duration
	needsZone bool
	bare      bool
	strange   string
}

// dateFormatNone is the format of a column or a cell that fits none of dateFormats: an index behind
// the last of them.
const dateFormatNone = len(dateFormats)

func (c *dateColumn) readCell(cell string, m *DateCell) {
	m.Text = cell
	if m.Empty = isBlankDate(cell); m.Empty {
		return
	}
	m.Unreadable, m.format = true, dateFormatNone
	for i, format := range dateFormats {
		if date, ok := format.parse(cell); ok {
			if isPlaceholderDate(date.wall) {
				*m = DateCell{Text: cell, Empty: true}
				return
			}
			*m = date.inZone(cell, c.zone)
			m.format = i
			c.formats[i].bare = c.formats[i].bare || !date.hasOffset
			break
		}
	}
	if c.filled++; c.filled == 1 {
		c.first = cell
	}
	of := &c.formats[m.format]
	of.count++
	switch {
	case m.format == dateFormatNone:
		if c.odd == "" {
			c.odd = cell
		}
		return
	case of.smallest == 0 || m.Precision < of.smallest:
		of.smallest = m.Precision
	}
	of.unzoned = of.unzoned || !m.Zoned
}

// decideFormat decides by the column as a whole. Partial formats need half of the cells, the others
// all of them.
func (c *dateColumn) decideFormat() dateSummary {
	s := dateSummary{format: dateFormatNone}
	if c.filled == 0 {
		return s
	}
	for i, format := range dateFormats {
		if fit := c.formats[i].count; fit > 0 &&
			(fit == c.filled || format.mayBePartial && 2*fit >= c.filled) {
			of := c.formats[i]
			s = dateSummary{format: i, precision: of.smallest, needsZone: of.unzoned, bare: of.bare}
			break
		}
	}
	if s.format == dateFormatNone {
		s.strange = pickUnreadable(c.first, c.odd)
	}
	return s
}

// UnreadableDate is a cell of a date column in which no cell can be read, "" for any other column.
func (t *Table) UnreadableDate(key ColumnKey) string { return t.dates[key].strange }

// pickUnreadable is the first cell that no format reads, else the first that is filled, as it may
// be shown: a column may be taken for one of dates by mistake, and then only the shape of its cells
// is.
func pickUnreadable(first, odd string) string {
	first = cmp.Or(odd, first)
	if dateLikePattern.MatchString(first) {
		return printable.TruncateToWidth(printable.Clean(first), 48)
	}
	return cellShape(first)
}

// dateLikePattern matches text with a year, two numbers before another, or a count of seconds in
// it.
var dateLikePattern = regexp.MustCompile(
	`\b(19|20)\d\d\b|^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}\b|^1\d{9}(\d{3})?[.,]\d*$`)

// isBlankDate reports whether a cell is a way to write that there is no date yet.
func isBlankDate(cell string) bool {
	if len(cell) > len("null") {
		return false
	}
	switch strings.ToLower(cell) {
	case "", "-", "--", "null", "nil", "none", "n/a":
		return true
	}
	return false
}

// isPlaceholderDate reports a date that programs write where there is none: the least and the
// greatest that some languages know, and the beginning of what spreadsheets and Unix count.
func isPlaceholderDate(wall time.Time) bool {
	year, month, day := wall.Date()
	first := month == time.January && day == 1
	return first && (year == 1 || year == 1900 || year == 1970) ||
		year == 9999 && month == time.December && day == 31
}

// cellShape shows how a cell is built without what it says: digits become 9, letters a.
func cellShape(cell string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '9'
		case r < 0x80 && strings.ContainsRune("-/:.,+ ", r):
			return r
		}
		return 'a'
	}, printable.TruncateToWidth(cell, 40))
}
