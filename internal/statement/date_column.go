package statement

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// dateFormat is a format of date cells. If mayBePartial, it is unmistakable, and some cells of
// its column may not fit. Other formats need every cell to fit.
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

// dateColumn reads the cells of a date column one by one. No cell fits two formats, so the
// column's format is decided after the last cell.
type dateColumn struct {
	at   int // -1: the file has none
	zone *time.Location

	filled  int
	formats [dateFormatNone + 1]formatCells // the last entry is for cells that fit none
	// the first cell that is not empty, and the first that fits no format
	first, odd string
}

// formatCells are the cells of one format.
type formatCells struct {
	count     int
	precision time.Duration // the smallest unit of a digit of any of them that is no padding
	needsZone bool          // some have no offset, and no zone was given
	bare      bool          // some have no offset
}

// dateSummary is the result for a whole date column: the cells of its format.
type dateSummary struct {
	formatCells
	format  int    // index in dateFormats, or dateFormatNone
	strange string // a cell that fits no format; empty: the column has a format
}

// dateFormatNone is the format of columns and cells that fit no format: the index after the
// last.
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
	case of.precision == 0 || m.significantUnit() < of.precision:
		of.precision = m.significantUnit()
	}
	of.needsZone = of.needsZone || !m.Zoned
}

// significantUnit returns the unit of the last digit that is not a zero of the fraction, as zeros
// may be padding; at least that of the seconds.
func (m DateCell) significantUnit() time.Duration {
	unit := m.Precision
	for unit < time.Second && m.Time.Nanosecond()%int(10*unit) == 0 {
		unit *= 10
	}
	return unit
}

// decideFormat decides the format of the column. Partial formats need to fit half of the cells,
// others all.
func (c *dateColumn) decideFormat() dateSummary {
	for i, format := range dateFormats {
		if fit := c.formats[i].count; fit > 0 &&
			(fit == c.filled || format.mayBePartial && 2*fit >= c.filled) {
			return dateSummary{c.formats[i], i, ""}
		}
	}
	return dateSummary{format: dateFormatNone, strange: pickUnreadable(c.first, c.odd)}
}

// UnreadableDate returns a cell of a date column that fits no format, or "" for other columns.
func (t *Table) UnreadableDate(key ColumnKey) string { return t.dates[key].strange }

// pickUnreadable returns the first cell that fits no format, or else the first one, in a form
// that may be shown. The column may not hold dates at all, so a cell that does not look like a
// date is reduced to its shape.
func pickUnreadable(first, odd string) string {
	first = cmp.Or(odd, first)
	if dateLikePattern.MatchString(first) {
		return printable.TruncateToWidth(printable.Clean(first), 48)
	}
	return cellShape(first)
}

// dateLikePattern matches text with a year, text that begins with three numbers, and counts of
// seconds.
var dateLikePattern = regexp.MustCompile(
	`\b(19|20)\d\d\b|^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}\b|^1\d{9}(\d{3})?[.,]\d*$`)

// isBlankDate reports whether a cell says that there is no date yet.
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

// isPlaceholderDate reports whether a date stands for no date: the minimum or maximum of some
// languages, or the epoch of spreadsheets or Unix.
func isPlaceholderDate(wall time.Time) bool {
	year, month, day := wall.Date()
	first := month == time.January && day == 1
	return first && (year == 1 || year == 1900 || year == 1970) ||
		year == 9999 && month == time.December && day == 31
}

// cellShape hides the content of a cell: digits become 9, letters become a.
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
