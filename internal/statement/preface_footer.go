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
	maxPrefaceLines = 20 // lines that may stand before the titles
	maxFooterLines  = 3  // lines that may stand below the rows
)

// Reports name themselves above their titles and count their rows below them. Neither is the table
// that a strict reader expects, and neither hides it.

// findPreface is what stands before the titles. It ends where a line holds two of the titles that
// rules know; where no line near the beginning does, the file begins with its titles.
func findPreface(text string, cols deployment.Columns) string {
	known := map[string]bool{}
	for _, key := range []ColumnKey{
		ColumnID, ColumnClientID, ColumnWalletID, ColumnCreatedAt, ColumnSettledDate,
	} {
		for _, title := range documentedTitles(key) {
			known[title] = true
		}
	}
	for _, title := range []string{
		cols.ID, cols.ClientID, cols.WalletID, cols.QuoteCreatedAt, cols.SettledDate,
	} {
		if title != "" {
			known[normaliseTitle(title)] = true
		}
	}
	at := 0
	for range maxPrefaceLines {
		line, _, more := strings.Cut(text[at:], "\n")
		found, cells := 0, 0
		for cell := range strings.FieldsFuncSeq(line,
			func(r rune) bool { return strings.ContainsRune(",;\t|", r) }) {
			if cells++; cells > maxColumns {
				break // no table that is read has as many
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

// totalRowPattern begins a line that counts or adds up the rows above it.
var totalRowPattern = regexp.MustCompile(
	`(?i)^\W*(sub)?(total|totais|sum|soma|count|rows?|records?|` +
		`registros|linhas|quantidade|end|fim)\b`,
)

// isFooter reports whether a row that is shorter than the titles stands below the table: it sums
// up, or a blank line parts it from the rows, and nothing follows but more of its kind. It reads on
// to see that.
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

// LinesAroundTable says what stands around the table; empty: nothing.
func (s *Statement) LinesAroundTable() string { return strings.Join(s.around, " and ") }
