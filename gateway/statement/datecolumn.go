package statement

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// mostFindings bounds how many cells of one column are reported one by one.
const mostFindings = 20

// A dateFormat reads the cells of one column. partial formats are unmistakable, so that a column may hold some cells
// that do not fit; the others count only where the whole column agrees.
type dateFormat struct {
	name    string
	partial bool
	parse   func(string) (civil, bool)
}

func dateFormats() []dateFormat {
	return []dateFormat{
		{"ISO 8601 (YYYY-MM-DD)", true, parseISO},
		{"DD/MM/YYYY", false, parseSlashed},
		{"milliseconds since 1970", false, func(s string) (civil, bool) { return parseEpoch(s, 13) }},
		{"seconds since 1970", false, func(s string) (civil, bool) { return parseEpoch(s, 10) }},
	}
}

// moments reads a date column; it notes the format, the findings and whether a zone is missed. A column that the file
// does not have gives empty moments.
func (t *Table) moments(rows []Row, key Key, zone *time.Location) []Moment {
	moments := make([]Moment, len(rows))
	index, ok := t.columns[key]
	if !ok {
		for i := range moments {
			moments[i].Empty = true
		}
		return moments
	}
	cells := make([]string, len(rows))
	for i, row := range rows {
		cells[i] = t.cell(row, key)
	}
	format, found := formatOf(cells)
	if found {
		t.formats[key] = format.name
	}
	if !found {
		t.strange[key] = strangest(cells)
	}
	misfits := 0
	for i, cell := range cells {
		if blank(cell) {
			moments[i] = Moment{Text: cell, Empty: true}
			continue
		}
		if found {
			if c, ok := format.parse(cell); ok {
				moments[i] = c.at(cell, zone)
				t.needs[key] = t.needs[key] || !moments[i].Zoned
				continue
			}
		}
		moments[i] = Moment{Text: cell, Misfit: true}
		if misfits++; misfits <= mostFindings {
			t.findings = append(t.findings, misfit(rows[i].Line, index, t.titles[key], cell, format, found))
		}
	}
	if misfits > mostFindings {
		t.findings = append(t.findings, &ParseError{Detail: fmt.Sprintf("column %q: %d more cells hold no date that can be read",
			t.titles[key], misfits-mostFindings)})
	}
	return moments
}

func misfit(line, index int, title, cell string, format dateFormat, found bool) *ParseError {
	expected := "expected the format of the column, " + format.name
	if !found {
		expected = "no date format fits the column: expected ISO 8601, or all cells as DD/MM/YYYY or as epoch seconds or milliseconds"
	}
	return &ParseError{Line: line, Detail: fmt.Sprintf("field %d, column %q: a cell of the shape %q is no date; %s", index+1, title, shape(cell), expected)}
}

// formatOf decides by the column as a whole. Partial formats need half of the cells, the others all of them.
func formatOf(cells []string) (dateFormat, bool) {
	for _, format := range dateFormats() {
		fit, filled := 0, 0
		for _, cell := range cells {
			if blank(cell) {
				continue
			}
			filled++
			if _, ok := format.parse(cell); ok {
				fit++
			}
		}
		if fit > 0 && (fit == filled || format.partial && 2*fit >= filled) {
			return format, true
		}
	}
	return dateFormat{}, false
}

// Strange is a cell of a date column in which no cell can be read, "" for any other column.
func (t *Table) Strange(key Key) string { return t.strange[key] }

// strangest is the first cell that no format reads, else the first that is filled, as it may be shown: a column may be
// taken for one of dates by mistake, and then only the shape of its cells is.
func strangest(cells []string) string {
	first := ""
	for _, cell := range cells {
		if blank(cell) {
			continue
		}
		if !slices.ContainsFunc(dateFormats(), func(f dateFormat) bool { _, ok := f.parse(cell); return ok }) {
			first = cell
			break
		}
		if first == "" {
			first = cell
		}
	}
	if dateLike.MatchString(first) {
		return shorten(printable(first), 48)
	}
	return shape(first)
}

// dateLike tells text with a year, two numbers before another, or a count of seconds in it.
var dateLike = regexp.MustCompile(`\b(19|20)\d\d\b|^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}\b|^1\d{9}(\d{3})?[.,]\d+$`)

// blank tells the ways in which exports write that there is no date yet.
func blank(cell string) bool {
	switch strings.ToLower(cell) {
	case "", "-", "--", "null", "nil", "none", "n/a":
		return true
	}
	return false
}

// shape shows how a cell is built without what it says: digits become 9, letters a.
func shape(cell string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '9'
		case r < 0x80 && strings.ContainsRune("-/:.,+ ", r):
			return r
		}
		return 'a'
	}, shorten(cell, 40))
}
