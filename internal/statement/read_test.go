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
