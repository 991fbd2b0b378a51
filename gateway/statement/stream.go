package statement

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unsafe"

	"github.com/gateassay/gateassay/gateway/deployment"
)

const (
	// headSize is how much of a file decides its dialect.
	headSize = 1 << 20
	// longestRow bounds a row, that of the titles too, in bytes.
	longestRow = 256 << 10
	// mostColumns bounds the fields of a row.
	mostColumns = 4096
	// maxInflated bounds what a compressed file may grow to.
	maxInflated = 4 << 30
)

// open reads the beginning of an export file: how it is spelled, and its titles. The rows are read one by one, so that
// a file of any length takes little memory. Every error is a *ParseError, but for those of r itself.
func open(r io.Reader, cols deployment.Columns) (*Statement, error) {
	plain, err := inflated(bufio.NewReaderSize(r, 64<<10), maxInflated)
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(plain, headSize+1))
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
	dialect.Delimiter = guessDelimiter(text)
	first, _, _ := strings.Cut(text, "\n")
	if fields := 1 + strings.Count(first, string(dialect.Delimiter)); fields > mostColumns {
		return nil, &ParseError{Detail: fmt.Sprintf("the header has about %d columns, more than the %d that are read",
			fields, mostColumns)}
	}
	dialect.LineEnd, dialect.Quoted = inspect(text, dialect.Delimiter)
	s := &Statement{Dialect: dialect, lines: &rowLimit{r: strings.NewReader(text), left: longestRow}}
	if s.skipped = strings.Count(before, "\n"); s.skipped > 0 {
		s.around = []string{fmt.Sprintf("the titles are on line %d", s.skipped+1)}
	}
	if goesOn {
		s.lines.r = decoding(io.MultiReader(bytes.NewReader(head), plain), dialect)
		if _, err := io.CopyN(io.Discard, s.lines.r, int64(len(before))); err != nil {
			return nil, readError(err)
		}
	}
	s.in = bufio.NewReaderSize(s.lines, 64<<10)
	s.csv = csv.NewReader(s.in) // which reads out of this buffer, as it is large enough
	s.csv.Comma, s.csv.ReuseRecord = dialect.Delimiter, true
	header, err := s.csv.Read()
	if err != nil {
		return nil, s.explain(err, 0, 0)
	}
	s.Columns = slices.Clone(header)
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
	if line, ok := bareReturn(text); ok {
		return &ParseError{
			Line:   line,
			Detail: "the header's line ends with a carriage return alone; expected LF or CRLF",
		}
	}
	return nil
}

// next reads one row; io.EOF follows the last. Its cells are only good until the next call.
func (s *Statement) next() (Row, error) {
	if cells := s.plain(); cells != nil {
		return Row{Line: s.line, Cells: cells}, nil
	}
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

// plain splits the next line in place where it is a row as most are: in the buffer as a whole, each quote where it
// belongs, and with a field for each title. nil leaves it to encoding/csv, which makes a copy and explains what is
// wrong.
func (s *Statement) plain() []string {
	ahead, _ := s.in.Peek(s.in.Buffered())
	end := bytes.IndexByte(ahead, '\n')
	if end <= 0 {
		return nil
	}
	rest := unsafe.String(&ahead[0], end) //nolint:gosec // the buffer stays as it is until more is read
	rest = strings.TrimSuffix(rest, "\r")
	if rest == "" {
		return nil
	}
	quotes := strings.IndexByte(rest, '"') >= 0
	s.cells, s.unquoted = s.cells[:0], s.unquoted[:0]
	for more := true; more; {
		var cell string
		ok := true
		if quotes {
			cell, rest, more, ok = s.cell(rest)
		} else {
			cell, rest, more = cutByte(rest, byte(s.Dialect.Delimiter))
		}
		if !ok || len(s.cells) == len(s.Columns) {
			return nil
		}
		s.cells = append(s.cells, cell)
	}
	if len(s.cells) != len(s.Columns) {
		return nil
	}
	_, _ = s.in.Discard(end + 1) // which is in the buffer
	s.skipped++
	s.line++
	return s.cells
}

// cell takes the first field of a line; more: another one follows. A quote that does not belong there gives !ok.
func (s *Statement) cell(line string) (cell, rest string, more, ok bool) {
	delimiter := byte(s.Dialect.Delimiter)
	if !strings.HasPrefix(line, `"`) {
		cell, rest, more = cutByte(line, delimiter)
		return cell, rest, more, strings.IndexByte(cell, '"') < 0
	}
	end := strings.IndexByte(line[1:], '"') + 1
	if end == 0 {
		return "", "", false, false // it goes on in the next line
	}
	cell, rest = line[1:end], line[end+1:]
	if strings.HasPrefix(rest, `"`) { // a quote within: what is read is no longer what is written
		from := len(s.unquoted)
		s.unquoted = append(s.unquoted, cell...)
		for strings.HasPrefix(rest, `"`) {
			if end = strings.IndexByte(rest[1:], '"') + 1; end == 0 {
				return "", "", false, false
			}
			s.unquoted = append(s.unquoted, rest[:end]...)
			rest = rest[end+1:]
		}
		cell = unsafe.String(&s.unquoted[from], len(s.unquoted)-from) //nolint:gosec // it stays until the next row
	}
	switch {
	case rest == "":
		return cell, "", false, true
	case rest[0] == delimiter:
		return cell, rest[1:], true, true
	}
	return "", "", false, false
}

// cutByte is strings.Cut around one byte.
func cutByte(text string, by byte) (before, after string, found bool) {
	if at := strings.IndexByte(text, by); at >= 0 {
		return text[:at], text[at+1:], true
	}
	return text, "", false
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
	for more := 0; n < len(p)/2 && err == nil; n += more { // rows that lie in the buffer as a whole are read fastest
		more, err = l.r.Read(p[n:])
	}
	l.left -= n
	return n, err
}

// inflated undoes gzip where the file starts with its magic number.
func inflated(r *bufio.Reader, limit int64) (io.Reader, error) {
	if magic, _ := r.Peek(3); !bytes.Equal(magic, []byte{0x1f, 0x8b, 8}) {
		return r, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, notCSV("it starts like gzip but cannot be unpacked: " + err.Error())
	}
	return &sizeLimit{z, limit, limit}, nil
}

// sizeLimit bounds what comes out of a compressed file.
type sizeLimit struct {
	r           io.Reader
	left, limit int64
}

func (u *sizeLimit) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	switch u.left -= int64(n); {
	case u.left < 0:
		return 0, notCSV(fmt.Sprintf("it is gzip that unpacks to more than %d bytes", u.limit))
	case err != nil && !errors.Is(err, io.EOF):
		return n, notCSV("it is gzip that breaks off: " + err.Error())
	}
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
