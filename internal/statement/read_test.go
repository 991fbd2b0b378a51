package statement

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

// manyRows returns a file of some rows, which are at most a few seconds apart.
func manyRows(rows int) []byte {
	var b bytes.Buffer
	b.WriteString("id,client_id,wallet_id,quote_created_at,settled_date,amount,currency,note\n")
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range rows {
		at = at.Add(time.Duration(i%5) * 700 * time.Millisecond)
		fmt.Fprintf(&b, "7d1f5a52-5a0f-4c0e-8a37-%012d,CLIENT-%d,w,%s,%s,%d.00,USD,\n", i, i%4,
			at.Format("2006-01-02T15:04:05.000Z"),
			at.Add(time.Duration(i%72)*time.Hour).Format("2006-01-02T15:04:05.000Z"), i)
	}
	return b.Bytes()
}

// TestReadKeepsWhatItIsAskedTo checks that a file's first quotes are kept and all are counted.
func TestReadKeepsWhatItIsAskedTo(t *testing.T) {
	// longer than detectionBytes
	_, table, fileErr, columnErr := Read(bytes.NewReader(manyRows(20_000)), deployment.CSV{}, 100)
	testmust.Succeed(t, errors.Join(fileErr, columnErr))
	if table.QuoteCount() != 20_000 || table.KeptCount() != 100 ||
		!strings.HasSuffix(table.Quotes()[99].Identity, "-000000000099") {
		t.Errorf("%d of %d quotes kept", table.KeptCount(), table.QuoteCount())
	}
}

// TestLongFilesInEveryEncoding checks that files longer than detectionBytes are read like short
// ones.
func TestLongFilesInEveryEncoding(t *testing.T) {
	records := [][]string{{"id", "ção"}}
	for i := range 20_000 {
		records = append(records, []string{fmt.Sprintf("%08d", i), "São Paulo"})
	}
	for _, encoding := range []string{"utf-8", "windows-1252", "utf-16le", "utf-16be"} {
		for _, w := range []written{
			{delimiter: ';', crlf: true, bom: encoding != "windows-1252", encoding: encoding},
			{delimiter: ',', encoding: encoding},
		} {
			s, err := openStatement(bytes.NewReader(w.bytes(t, records)), noColumns)
			if err != nil || s.Dialect.Encoding != encoding || s.Dialect.Delimiter != w.delimiter ||
				s.Columns[1] != "ção" {
				t.Fatalf("%+v: %v", w, err)
			}
			rows := 0
			for ; ; rows++ {
				row, err := s.readRow()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil || row.Cells[1] != "São Paulo" || row.Cells[0] != records[rows+1][0] {
					t.Fatalf("%+v, row %d: %q, %v", w, rows, row.Cells, err)
				}
			}
			testmust.Equal(t, rows, 20_000, w)
		}
	}
}

func TestLongFilesThatCannotBeRead(t *testing.T) {
	long := "id,a\n" + strings.Repeat("1,2\n", detectionBytes/4)
	lines := 1 + detectionBytes/4
	for name, c := range map[string]struct {
		tail string
		line int
		want string
	}{
		"NUL":              {"1,\x00\n", 0, "binary"},
		"neither encoding": {"1,\x81\n", lines + 1, "0x81"},
		"a short row":      {"1\n", lines + 1, "has 1 fields"},
		"an open quote":    {"1,\"" + strings.Repeat("x", 3*detectionBytes), 0, "longer than"},
		"one long row":     {"1," + strings.Repeat("x", 3*detectionBytes) + "\n", 0, "longer than"},
	} {
		_, _, fileErr, _ := Read(strings.NewReader(long+c.tail), deployment.CSV{}, 1)
		var bad *ParseError
		if !errors.As(fileErr, &bad) || bad.Line != c.line || !strings.Contains(bad.Error(), c.want) {
			t.Errorf("%s: %v", name, fileErr)
		}
	}
	for name, text := range map[string]string{
		"blanks":      strings.Repeat(" ", 2*detectionBytes) + "id,a\n1,2\n",
		"no line end": strings.Repeat(",", 2*detectionBytes),
		"columns":     strings.Repeat("a,", maxColumns) + "a\n1\n",
	} {
		if _, err := openStatement(strings.NewReader(text), deployment.Columns{}); err == nil ||
			errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), " than ") &&
			!strings.Contains(err.Error(), "are blank") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGuessedDelimiters(t *testing.T) {
	for text, want := range map[string]rune{
		"a\n1\n":                     ',',
		"\n":                         ',',
		"a;b\n1;2\n1;2;3\n":          ';', // most rows agree, not all
		"a,b,c;d\n1,2,3;4\n":         ',', // both agree: more fields win
		"a,b;c;d\n1,2;3;4\n":         ';',
		"a,b;c\n1,2;3\n":             ',', // the first among equals
		"a,b;c;d\n1,2\n":             ',', // agreement comes before more fields
		"a,b;c;d\n1,2":               ',', // a last line without an end counts
		"a,b,c\td\n1\t2\n":           '\t',
		"a|b\n":                      '|',
		"\"id;a\n1;2\n":              ';', // a quote that never closes hides nothing of the header
		"\n\"id;a\n1;2\n":            ';',
		"a,b;c;d\n1,2\n\"x":          ',', // below the header an open quote hides no other row
		"a,b;c;d\r\n\r\n1,2\r\n":     ',',
		"a,\"b;c;d\"\n1,\"2;3;4\"\n": ',',
	} {
		testmust.Equal(t, detectDelimiter(maskQuoted(text)), want, text)
	}
}

func TestLineEnds(t *testing.T) {
	for text, want := range map[string]struct {
		ends string
		bare bool // the header ends with CR alone
	}{
		"a,b": {"none", false}, "\na\n": {"LF", false}, "\r\na": {"CRLF", false},
		"a\r\nb\n":     {"mixed", false},
		"\"a\nb\"\r\n": {"CRLF", false}, "1,\"x\"\"y\nz\"\r\n": {"CRLF", false},
		"\"a\rb\",c\n": {"LF", false},
		"id\r1":        {"none", true}, "id\r": {"none", false}, "\n\nid\r1": {"LF", true},
		"id\n1\r2":      {"LF", false},
		"\"a\nb\",c\r1": {"none", true},
	} {
		if ends, bare := detectLineEnds(maskQuoted(text)),
			headerHasBareCR(maskQuoted(text)); ends != want.ends || bare != want.bare {
			t.Errorf("%q: %s, %v, want %s, %v", text, ends, bare, want.ends, want.bare)
		}
	}
}

// decode decodes a file as text.
func decode(data string) (string, Dialect, error) {
	d, err := detectEncoding([]byte(data))
	if err != nil {
		return "", d, err
	}
	text, err := io.ReadAll(decodeReader(strings.NewReader(data), d))
	return string(text), d, err
}

func TestEncodingsOfVeryShortFiles(t *testing.T) {
	for data, want := range map[string]string{
		"i\x00d\x00":    "utf-16le",
		"\x00i\x00d":    "utf-16be",
		"id":            "utf-8",
		"\xe9":          "windows-1252",
		"\xff\xfei\x00": "utf-16le",
	} {
		text, dialect, err := decode(data)
		if err != nil || dialect.Encoding != want || !strings.ContainsAny(text, "ié") {
			t.Errorf("%q: %q, %+v, %v, want %s", data, text, dialect, err, want)
		}
	}
	for _, data := range []string{
		"\x00", "ab\x00c", "a\x00b", "a\x00\x00\x00", "\x00\x00\x00a", "a\x00bc",
	} {
		_, _, err := decode(data)
		testmust.FailWith(t, err, "binary", data)
	}
}
