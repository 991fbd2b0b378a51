// Package statement reads the quote statement export: a CSV file whose dialect, columns and
// date formats the API document leaves open. It detects them and reads the rows as quotes.
package statement

import (
	"encoding/csv"
	"errors"
	"fmt"
)

// Statement is an export file as a table of text.
type Statement struct {
	Columns []string // titles as written
	Dialect Dialect

	csv     *csv.Reader
	lines   *rowLimitReader
	skipped int      // lines before the table
	line    int      // on which the last row ended
	around  []string // descriptions of the lines around the table
}

// Row is one record below the header. Line is the line where it starts, counted from 1.
type Row struct {
	Line  int
	Cells []string
}

// ErrEmpty reports a file without a header.
var ErrEmpty = errors.New("the file is empty")

// ParseError says where and why a file cannot be read. Line and Column count from 1; 0 stands
// for the whole file or line. Detail never contains a cell's content.
type ParseError struct {
	Line   int
	Column int
	Detail string
	Key    ColumnKey // the missing or ambiguous column; empty: another problem
	cause  error
}

func (e *ParseError) Error() string {
	switch {
	case e.Line == 0:
		return e.Detail
	case e.Column == 0:
		return fmt.Sprintf("line %d: %s", e.Line, e.Detail)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Detail)
}

// Unwrap returns ErrEmpty for files without a header.
func (e *ParseError) Unwrap() error { return e.cause }

// explainCSVError explains an error of encoding/csv without quoting the file.
func (s *Statement) explainCSVError(err error, found, expected int) error {
	var bad *csv.ParseError
	if !errors.As(err, &bad) {
		return readError(err)
	}
	p := &ParseError{Line: bad.Line + s.skipped, Column: bad.Column}
	switch {
	case errors.Is(bad.Err, csv.ErrFieldCount):
		p.Line, p.Column = bad.StartLine+s.skipped, 0
		p.Detail = fmt.Sprintf("the row has %d fields, the header has %d", found, expected)
	case errors.Is(bad.Err, csv.ErrBareQuote):
		p.Detail = `a quote inside an unquoted field; such a field must be quoted and its quotes doubled`
	case errors.Is(bad.Err, csv.ErrQuote):
		p.Detail = `a quoted field is not closed, or there is text after its closing quote`
		if bad.StartLine != bad.Line {
			p.Detail += fmt.Sprintf(" (the row starts on line %d)", bad.StartLine+s.skipped)
		}
	default:
		p.Detail = bad.Err.Error()
	}
	return p
}
