package statement

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
)

const (
	maxPrefaceLines = 20 // before the titles
	maxFooterLines  = 3  // below the rows
)

// findPreface returns the text before the titles, such as a heading. The titles are the first line
// that holds two titles which the rules use; "" if no line near the beginning does.
func findPreface(text string, cols deployment.Columns) string {
	known := map[string]bool{}
	for _, c := range configuredColumns(cols) {
		for _, title := range append(documentedTitles(c.key), normaliseTitle(c.title)) {
			known[title] = true
		}
	}
	delete(known, "") // from columns without a title in the deployment file
	at := 0
	for range maxPrefaceLines {
		line, _, more := strings.Cut(text[at:], "\n")
		found, cells := 0, 0
		for cell := range strings.FieldsFuncSeq(line,
			func(r rune) bool { return strings.ContainsRune(",;\t|", r) }) {
			if cells++; cells > maxColumns {
				break // more than in any table that is accepted
			}
			if known[normaliseTitle(strings.Trim(cell, "\"\r "))] {
				found++
			}
		}
		if found > 1 {
			return text[:at]
		}
		if !more {
			break
		}
		at += len(line) + 1
	}
	return ""
}

// totalRowPattern matches the beginning of a line that counts or sums up the rows above.
var totalRowPattern = regexp.MustCompile(
	`(?i)^\W*(sub)?(total|totais|sum|soma|count|rows?|records?|` +
		`registros|linhas|quantidade|end|fim)\b`,
)

// isFooter reports whether a short row is below the table: it is a total, or follows a blank
// line, and only a few more short rows follow. It reads on to find out.
func (s *Statement) isFooter(row []string) bool {
	line, _ := s.csv.FieldPos(0)
	line += s.skipped
	if len(row) >= len(s.Columns) || !totalRowPattern.MatchString(row[0]) && line <= s.line+1 {
		return false
	}
	for range maxFooterLines {
		s.lines.left = maxRowBytes
		more, err := s.csv.Read()
		switch {
		case errors.Is(err, io.EOF):
			s.around = append(s.around, fmt.Sprintf("line %d is below the rows", line))
			return true
		case !errors.Is(err, csv.ErrFieldCount) || len(more) >= len(s.Columns):
			return false
		}
	}
	return false
}

// LinesAroundTable describes the lines around the table, or returns "".
func (s *Statement) LinesAroundTable() string { return strings.Join(s.around, " and ") }
