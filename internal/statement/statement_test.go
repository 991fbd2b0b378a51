package statement

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

// written is the dialect of a test's table.
type written struct {
	delimiter rune
	crlf      bool
	bom       bool
	encoding  string
}

func (w written) bytes(t testmust.TB, records [][]string) []byte {
	var text bytes.Buffer
	writer := csv.NewWriter(&text)
	writer.Comma, writer.UseCRLF = w.delimiter, w.crlf
	testmust.Succeed(t, writer.WriteAll(records))
	mark := unicode.IgnoreBOM
	if w.bom {
		mark = unicode.UseBOM
	}
	encoder := map[string]encoding.Encoding{
		"utf-8": unicode.UTF8, "windows-1252": charmap.Windows1252,
		"utf-16le": unicode.UTF16(unicode.LittleEndian, mark),
		"utf-16be": unicode.UTF16(unicode.BigEndian, mark),
	}[w.encoding]
	if w.bom && w.encoding == "utf-8" {
		encoder = unicode.UTF8BOM
	}
	return testmust.Get(encoder.NewEncoder().Bytes(text.Bytes()))(t)
}

func TestRoundTripInEveryDialect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := written{
			delimiter: rapid.SampledFrom([]rune{',', ';', '\t', '|'}).Draw(t, "delimiter"),
			crlf:      rapid.Bool().Draw(t, "crlf"),
			bom:       rapid.Bool().Draw(t, "bom"),
			encoding: rapid.SampledFrom([]string{"utf-8", "windows-1252", "utf-16le", "utf-16be"}).Draw(t,
				"encoding"),
		}
		alphabet := []rune("abcXYZ 019,;|\t\"\n'.:-éçã€")
		cell := rapid.StringOfN(rapid.SampledFrom(alphabet), 0, 12, -1)
		columns := rapid.IntRange(2, 6).Draw(t, "columns")
		header := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune("abcé_")), 1, 8, -1), columns,
			columns).Draw(t, "header")
		header[0] = "id_" + header[0] // a first cell of id_ excludes JSON and UTF-16
		records := [][]string{header}
		for range rapid.IntRange(0, 8).Draw(t, "rows") {
			records = append(records, rapid.SliceOfN(cell, columns, columns).Draw(t, "row"))
		}
		if w.encoding == "windows-1252" {
			w.bom = false
			records[0][1] = "ção"
		}
		s, err := parse(w.bytes(t, records))
		if err != nil {
			t.Fatalf("%+v: %v", w, err)
		}
		if s.Dialect.Delimiter != w.delimiter || s.Dialect.BOM != w.bom ||
			s.Dialect.Encoding != w.encoding {
			t.Errorf("dialect %+v, written as %+v", s.Dialect, w)
		}
		want := "LF"
		if w.crlf {
			want = "CRLF"
		}
		testmust.Equal(t, s.Dialect.LineEnd, want, "line ends")
		if !slices.Equal(s.Columns, records[0]) || len(s.Rows) != len(records)-1 {
			t.Fatalf("%d rows below %q, wrote %d below %q", len(s.Rows), s.Columns, len(records)-1,
				records[0])
		}
		for i, row := range s.Rows {
			if !slices.Equal(row.Cells, records[i+1]) {
				t.Errorf("row %d is %q, wrote %q", i, row.Cells, records[i+1])
			}
		}
	})
}

func TestRowsKeepTheirLines(t *testing.T) {
	s := testmust.Get(parse([]byte("id,a\n1,\"x\ny\"\n2,z\n\n\r\n\n")))(t)
	if len(s.Rows) != 2 || s.Rows[0].Line != 2 || s.Rows[1].Line != 4 {
		t.Errorf("rows %+v", s.Rows)
	}
}

func TestAHeaderAloneIsNoEmptyFile(t *testing.T) {
	for _, text := range []string{
		"id,a", "id,a\n", "\xef\xbb\xbfid,a\r\n\r\n", "{id},{a}", "[id],[a]",
	} {
		s, err := parse([]byte(text))
		if err != nil || len(s.Rows) != 0 || len(s.Columns) != 2 {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
	for _, text := range []string{
		"", "\n\r\n", "\xef\xbb\xbf", "\xff\xfe", "\v",
		strings.Repeat("\n", 1<<19),
	} {
		if s, err := parse([]byte(text)); !errors.Is(err, ErrEmpty) || s != nil {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	cases := []struct {
		name, text string
		line       int
		want       string
		kept       int // rows read before the error; -1: not even the header
	}{
		{"short row", "id,a\n1,2\n3\n4,5\n", 3, "has 1 fields, the header has 2", 1},
		{"long row", "id,a\n1,2,3\n", 2, "has 3 fields, the header has 2", 0},
		{"bare quote", "id,a\n1,x\"y\n", 2, "quote inside an unquoted field", 0},
		{"open quote", "id,a\n1,2\n1,\"secret\n2,3\n", 4, "not closed", 1},
		{"open quote in the header", "id,\"a\n1,2\n", 2, "not closed", -1},
		{"text after a quote", "id,a\n\"1\"x,2\n", 2, "text after its closing quote", 0},
		{"carriage returns alone", "id,a\r1,2\r", 0, "carriage return alone", -1},
		{"JSON object", ` {"state": "READY"}`, 0, "JSON", -1},
		{"JSON array", `[{"id": 1}]`, 0, "JSON", -1},
		{"empty JSON array", `[]`, 0, "JSON", -1},
		{"truncated JSON", `{"id": 1, `, 0, "JSON", -1},
		{"JSON of numbers", " [1,2]", 0, "JSON", -1},
		{"HTML", "\n<!DOCTYPE html>\n<html></html>", 0, "HTML", -1},
		{"HTML without a type", "<p><BODY >", 0, "HTML", -1},
		{"XML", "<?xml version='1.0'?><Error/>", 0, "XML", -1},
		{"ZIP", "PK\x03\x04rest", 0, "ZIP", -1},
		{"PDF", "%PDF-1.7", 0, "PDF", -1},
		{"binary", "id,a\n1,\x00\n", 0, "binary", -1},
		{"UTF-32", "\xff\xfe\x00\x00i\x00\x00\x00", 0, "UTF-32", -1},
		{"broken UTF-8 after a mark", "\xef\xbb\xbfid,a\n1,\xff\n", 2, "UTF-8", -1},
		{"no encoding", "id,a\n1,\x81\n", 2, "0x81", -1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := parse([]byte(c.text))
			var bad *ParseError
			if !errors.As(err, &bad) {
				t.Fatalf("error %v", err)
			}
			if bad.Line != c.line || !strings.Contains(err.Error(), c.want) ||
				strings.Contains(err.Error(), "secret") {
				t.Errorf("line %d: %v", bad.Line, err)
			}
			if c.kept < 0 != (s == nil) || s != nil && len(s.Rows) != c.kept {
				t.Errorf("kept %+v, want %d rows", s, c.kept)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"id,a\n1,2\n", "\"a\";b\r\n\"x\"\"y\";\r\n", "\xff\xfei\x00d\x00", "{\"a\":1}", "id\n\xe9\n",
		"\"", "a\r",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parse(data)
		if err != nil {
			var bad *ParseError
			if !errors.As(err, &bad) {
				t.Fatalf("%T is no *ParseError", err)
			}
			return
		}
		line := 0
		for _, row := range s.Rows {
			if len(row.Cells) != len(s.Columns) || row.Line <= line {
				t.Fatalf("row %+v below %q", row, s.Columns)
			}
			line = row.Line
		}
		if table, err := s.bind(noColumns, nil); err == nil && len(table.Quotes()) != len(s.Rows) {
			t.Fatalf("%d quotes of %d rows", len(table.Quotes()), len(s.Rows))
		}
	})
}

// whole is a file with all its rows.
type whole struct {
	*Statement
	Rows []Row
}

// parse reads all rows of a file. It returns what was read before an error with it.
func parse(data []byte) (*whole, error) {
	s, err := openStatement(bytes.NewReader(data), deployment.Columns{})
	if err != nil {
		return nil, err
	}
	w := &whole{Statement: s}
	for {
		row, err := s.readRow()
		if errors.Is(err, io.EOF) {
			return w, nil
		}
		if err != nil {
			return w, err
		}
		row.Cells = slices.Clone(row.Cells)
		for i, cell := range row.Cells {
			row.Cells[i] = strings.Clone(cell)
		}
		w.Rows = append(w.Rows, row)
	}
}

// bind reads the rows as quotes.
func (w *whole) bind(cols deployment.Columns, zone *time.Location) (*Table, error) {
	b, err := w.newQuoteReader(cols, zone, 0)
	if err != nil {
		return nil, err
	}
	for _, row := range w.Rows {
		b.addRow(row)
	}
	return b.finishTable(), nil
}

// misfits counts the unreadable creation dates.
func misfits(t *Table) (n int) {
	for _, q := range t.quotes {
		if q.CreatedAt.Unreadable {
			n++
		}
	}
	return n
}
