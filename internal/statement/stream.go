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
	// headSize is how much of a file decides its dialect.
	headSize = 1 << 20
	// longestRow bounds a row, that of the titles too, in bytes.
	longestRow = 256 << 10
	// mostColumns bounds the fields of a row.
	mostColumns = 4096
)

// open reads the beginning of an export file: how it is spelled, and its titles. The rows are read one by one, so that
// a file of any length takes little memory. Every error is a *ParseError, but for those of r itself.
func open(r io.Reader, cols deployment.Columns) (*Statement, error) {
	head, err := io.ReadAll(io.LimitReader(r, headSize+1))
	if err != nil {
		return nil, readError(err)
	}
	start, goesOn := head, len(head) > headSize
	if end := lastLine(head); goesOn && end > 0 {
		start = head[:end]
	}
	dialect, err := encodingOf(start)
	if err != nil {
		return nil, err
	}
	decoded, err := io.ReadAll(decoding(bytes.NewReader(start), dialect))
	if err != nil {
		return nil, readError(err)
	}
	text := string(decoded)
	if goesOn && strings.TrimSpace(text) == "" { // which is not to say that there is nothing behind
		return nil, &ParseError{Detail: fmt.Sprintf("the first %d bytes of the file are blank", headSize)}
	}
	if err := refuse(text); err != nil {
		return nil, err
	}
	before := preface(text, cols)
	text = text[len(before):]
	plainText := outside(text)
	dialect.Delimiter, dialect.LineEnd = guessDelimiter(plainText), lineEnds(plainText)
	dialect.Quoted = strings.Contains(text, `"`)
	first, _, _ := strings.Cut(text, "\n")
	if fields := 1 + strings.Count(first, string(dialect.Delimiter)); fields > mostColumns {
		return nil, &ParseError{Detail: fmt.Sprintf("the header has about %d columns, more than the %d that are read",
			fields, mostColumns)}
	}
	s := &Statement{Dialect: dialect, lines: &rowLimit{r: strings.NewReader(text), left: longestRow}}
	if s.skipped = strings.Count(before, "\n"); s.skipped > 0 {
		s.around = []string{fmt.Sprintf("the titles are on line %d", s.skipped+1)}
	}
	if goesOn {
		s.lines.r = decoding(io.MultiReader(bytes.NewReader(head), r), dialect)
		if _, err := io.CopyN(io.Discard, s.lines.r, int64(len(before))); err != nil {
			return nil, readError(err)
		}
	}
	s.csv = csv.NewReader(s.lines)
	s.csv.Comma = dialect.Delimiter
	header, err := s.csv.Read()
	if err != nil {
		return nil, s.explain(err, 0, 0)
	}
	s.Columns = header
	s.pass(header)
	return s, nil
}

// lastLine is where the last whole line of a beginning ends, 0 where it holds none. In UTF-16 that is an even place.
func lastLine(head []byte) int {
	end := bytes.LastIndexByte(head, '\n') + 1
	if end > 0 && (bytes.HasPrefix(head, []byte{0xff, 0xfe}) || len(head) > 1 && head[1] == 0) {
		end++ // the other half of a unit that begins with the line end
	}
	if len(head) > 1 && (head[0] == 0 || head[1] == 0 || head[0] >= 0xfe) {
		return min(end, len(head)) &^ 1
	}
	return min(end, len(head))
}

// refuse says why a text is not a table.
func refuse(text string) error {
	if strings.TrimSpace(text) == "" {
		return &ParseError{Detail: "the file has no header: it is empty, or has only blank lines", cause: ErrEmpty}
	}
	if err := refuseOtherFormats(text); err != nil {
		return err
	}
	if bareReturn(outside(text)) {
		return &ParseError{Detail: "the header's line ends with a carriage return alone; expected LF or CRLF"}
	}
	return nil
}

// next reads one row; io.EOF follows the last.
func (s *Statement) next() (Row, error) {
	s.lines.left = longestRow
	cells, err := s.csv.Read()
	if errors.Is(err, io.EOF) {
		return Row{}, io.EOF
	}
	if err != nil {
		bad := s.explain(err, len(cells), len(s.Columns))
		if errors.Is(err, csv.ErrFieldCount) && s.below(cells) {
			return Row{}, io.EOF
		}
		return Row{}, bad
	}
	return Row{Line: s.pass(cells), Cells: cells}, nil
}

// pass notes the row that encoding/csv read last, and returns the line on which it began.
func (s *Statement) pass(cells []string) int {
	first, _ := s.csv.FieldPos(0)
	first += s.skipped
	s.line = first
	for _, cell := range cells {
		s.line += strings.Count(cell, "\n")
	}
	return first
}

// rowLimit ends a row that is absurdly long before it fills the memory.
type rowLimit struct {
	r    io.Reader
	left int // bytes until a row has to have ended
}

func (l *rowLimit) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, &ParseError{Detail: fmt.Sprintf("a row is longer than %d KiB", longestRow>>10)}
	}
	n, err := l.r.Read(p)
	l.left -= n
	return n, err
}

// readError is a *ParseError where that is the reason, and err itself where the reading of the file broke.
func readError(err error) error {
	var bad *ParseError
	if errors.As(err, &bad) {
		return bad
	}
	return err
}
