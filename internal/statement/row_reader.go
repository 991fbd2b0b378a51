package statement

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
)

const (
	// detectionBytes is how much of a file is used to detect its dialect.
	detectionBytes = 1 << 20
	// maxRowBytes is the maximum size of a row, including the header, in bytes.
	maxRowBytes = 256 << 10
	// maxColumns is the maximum number of fields in a row.
	maxColumns = 4096
)

// openStatement detects the dialect of an export file and reads its titles. Rows are read one
// by one later, so memory use does not depend on the file's length. Errors are *ParseErrors,
// except for errors of r.
func openStatement(r io.Reader, cols deployment.Columns) (*Statement, error) {
	head, err := io.ReadAll(io.LimitReader(r, detectionBytes+1))
	if err != nil {
		return nil, readError(err)
	}
	start, goesOn := head, len(head) > detectionBytes
	if end := lastLineEnd(head); goesOn && end > 0 {
		start = head[:end]
	}
	dialect, err := detectEncoding(start)
	if err != nil {
		return nil, err
	}
	decoded, err := io.ReadAll(decodeReader(bytes.NewReader(start), dialect))
	if err != nil {
		return nil, readError(err)
	}
	text := string(decoded)
	if goesOn && strings.TrimSpace(text) == "" { // something may still follow
		return nil, &ParseError{Detail: fmt.Sprintf("the first %d bytes of the file are blank",
			detectionBytes)}
	}
	if err := nonTableError(text); err != nil {
		return nil, err
	}
	before := findPreface(text, cols)
	text = text[len(before):]
	plainText := maskQuoted(text)
	dialect.Delimiter, dialect.LineEnd = detectDelimiter(plainText), detectLineEnds(plainText)
	dialect.Quoted = strings.Contains(text, `"`)
	first, _, _ := strings.Cut(text, "\n")
	if fields := 1 + strings.Count(first, string(dialect.Delimiter)); fields > maxColumns {
		return nil, &ParseError{
			Detail: fmt.Sprintf("the header has about %d columns, more than the %d that are read",
				fields, maxColumns),
		}
	}
	s := &Statement{
		Dialect: dialect,
		lines:   &rowLimitReader{r: strings.NewReader(text), left: maxRowBytes},
	}
	if s.skipped = strings.Count(before, "\n"); s.skipped > 0 {
		s.around = []string{fmt.Sprintf("the titles are on line %d", s.skipped+1)}
	}
	if goesOn {
		s.lines.r = decodeReader(io.MultiReader(bytes.NewReader(head), r), dialect)
		if _, err := io.CopyN(io.Discard, s.lines.r, int64(len(before))); err != nil {
			return nil, readError(err)
		}
	}
	s.csv = csv.NewReader(s.lines)
	s.csv.Comma = dialect.Delimiter
	header, err := s.csv.Read()
	if err != nil {
		return nil, s.explainCSVError(err, 0, 0)
	}
	s.Columns = header
	s.noteRow(header)
	return s, nil
}

// lastLineEnd returns the length of the whole lines at the beginning of a file, or 0. In UTF-16
// it is even.
func lastLineEnd(head []byte) int {
	end := bytes.LastIndexByte(head, '\n') + 1
	if end > 0 && (bytes.HasPrefix(head, []byte{0xff, 0xfe}) || len(head) > 1 && head[1] == 0) {
		end++ // the second byte of a little-endian line end
	}
	if len(head) > 1 && (head[0] == 0 || head[1] == 0 || head[0] >= 0xfe) {
		return min(end, len(head)) &^ 1
	}
	return min(end, len(head))
}

// nonTableError returns an error that says why a text is not a table, or nil.
func nonTableError(text string) error {
	if strings.TrimSpace(text) == "" {
		return &ParseError{
			Detail: "the file has no header: it is empty, or has only blank lines",
			cause:  ErrEmpty,
		}
	}
	if err := otherFormatError(text); err != nil {
		return err
	}
	if headerHasBareCR(maskQuoted(text)) {
		return &ParseError{
			Detail: "the header's line ends with a carriage return alone; expected LF or CRLF",
		}
	}
	return nil
}

// readRow reads the next row, or returns io.EOF after the last.
func (s *Statement) readRow() (Row, error) {
	s.lines.left = maxRowBytes
	cells, err := s.csv.Read()
	if errors.Is(err, io.EOF) {
		return Row{}, io.EOF
	}
	if err != nil {
		bad := s.explainCSVError(err, len(cells), len(s.Columns))
		if errors.Is(err, csv.ErrFieldCount) && s.isFooter(cells) {
			return Row{}, io.EOF
		}
		return Row{}, bad
	}
	return Row{Line: s.noteRow(cells), Cells: cells}, nil
}

// noteRow records where the row that encoding/csv just read ends, and returns the line where it
// starts.
func (s *Statement) noteRow(cells []string) int {
	first, _ := s.csv.FieldPos(0)
	first += s.skipped
	s.line = first
	for _, cell := range cells {
		s.line += strings.Count(cell, "\n")
	}
	return first
}

// rowLimitReader fails if a row is too long, before it fills the memory.
type rowLimitReader struct {
	r    io.Reader
	left int // bytes until the row must have ended
}

func (l *rowLimitReader) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, &ParseError{Detail: fmt.Sprintf("a row is longer than %d KiB", maxRowBytes>>10)}
	}
	n, err := l.r.Read(p)
	l.left -= n
	return n, err
}

// readError returns the *ParseError in an error of a read, or else the error itself.
func readError(err error) error {
	var bad *ParseError
	if errors.As(err, &bad) {
		return bad
	}
	return err
}
