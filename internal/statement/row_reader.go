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
	// detectionBytes is how much of a file decides its dialect.
	detectionBytes = 1 << 20
	// maxRowBytes bounds a row, that of the titles too, in bytes.
	maxRowBytes = 256 << 10
	// maxColumns bounds the fields of a row.
	maxColumns = 4096
)

// openStatement reads the beginning of an export file: how it is spelled, and its titles. The rows
// are read one by one, so that a file of any length takes little memory. Every error is a
// *ParseError, but for those of r itself.
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
	if goesOn && strings.TrimSpace(text) == "" { // which is not to say that there is nothing behind
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

// lastLineEnd is where the last whole line of a beginning ends, 0 where it holds none. In UTF-16
// that is an even place.
func lastLineEnd(head []byte) int {
	end := bytes.LastIndexByte(head, '\n') + 1
	if end > 0 && (bytes.HasPrefix(head, []byte{0xff, 0xfe}) || len(head) > 1 && head[1] == 0) {
		end++ // the other half of a unit that begins with the line end
	}
	if len(head) > 1 && (head[0] == 0 || head[1] == 0 || head[0] >= 0xfe) {
		return min(end, len(head)) &^ 1
	}
	return min(end, len(head))
}

// nonTableError says why a text is not a table.
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

// readRow reads one row; io.EOF follows the last.
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

// noteRow notes the row that encoding/csv read last, and returns the line on which it began.
func (s *Statement) noteRow(cells []string) int {
	first, _ := s.csv.FieldPos(0)
	first += s.skipped
	s.line = first
	for _, cell := range cells {
		s.line += strings.Count(cell, "\n")
	}
	return first
}

// rowLimitReader ends a row that is absurdly long before it fills the memory.
type rowLimitReader struct {
	r    io.Reader
	left int // bytes until a row has to have ended
}

func (l *rowLimitReader) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, &ParseError{Detail: fmt.Sprintf("a row is longer than %d KiB", maxRowBytes>>10)}
	}
	n, err := l.r.Read(p)
	l.left -= n
	return n, err
}

// readError is a *ParseError where that is the reason, and err itself where the reading of the file
// broke.
func readError(err error) error {
	var bad *ParseError
	if errors.As(err, &bad) {
		return bad
	}
	return err
}
