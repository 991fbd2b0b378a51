package statement

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// What is split in place is what encoding/csv reads.
func FuzzPlain(f *testing.F) {
	for _, rows := range []string{
		"1,2\n3,4\n", "\"x\"\"y\",\"\"\r\n,\n", "\"a,b\",\"\"\"\"\n1,\"c\nd\"\n", "\"a\"b,c\n", "a\"b,c\n", "\"a\",\"b\n",
		"\"a\",\"b\",c\n", "1,2,3\n", "\n1,2", "\"\"\"a\"\"\",\"b\"\"\"\n",
	} {
		f.Add(rows)
	}
	f.Fuzz(func(t *testing.T, rows string) {
		text := "id,client_id\n" + rows
		got, broken := parse([]byte(text))
		if got == nil || !utf8.ValidString(text) || got.Around() != "" {
			return
		}
		want := csv.NewReader(strings.NewReader(text))
		want.Comma, want.ReuseRecord = got.Dialect.Delimiter, true
		_, _ = want.Read()
		for i := 0; ; i++ {
			cells, err := want.Read()
			if err != nil {
				if i != len(got.Rows) || errors.Is(err, io.EOF) != (broken == nil) {
					t.Fatalf("%d rows and %v, of which encoding/csv reads %d and says %v", len(got.Rows), broken, i, err)
				}
				return
			}
			line, _ := want.FieldPos(0)
			if i == len(got.Rows) || !slices.Equal(got.Rows[i].Cells, cells) || got.Rows[i].Line != line {
				t.Fatalf("row %d is not %q of line %d: %+v, %v", i, cells, line, got.Rows, broken)
			}
		}
	})
}

// A date that is read by the day that an earlier one showed is the one that is read at length.
func TestKnownDays(t *testing.T) {
	for _, cell := range []string{
		"2025-01-31T23:59:59.999Z", "2025-01-31T00:00:00Z", "2025-01-31T07:08Z", "2025-01-31T07:08:09.123456789Z",
		"2025-01-31T24:00:00Z", "2025-01-31T23:60:00Z", "2025-01-31T23:59:59.Z", "2025-01-31T23:59:59z",
		"2025-01-31T23:59:59+00:00", "2025-01-31T23:59:59 Z", "2025-01-31 23:59:59Z", "2025-01-31", "2025-01-31T",
		"2025-01-21T10:00:00Z", "2025-01-31T10:00:00", "2025-01-31T10:00:00.0000000001Z", "2025-01-3", "31/01/2025",
	} {
		knowing, fresh := dateColumn{zone: time.UTC}, dateColumn{zone: time.UTC}
		var before, got, want Moment
		knowing.read("2025-01-31T12:00:00Z", &before)
		if before.Misfit || knowing.days[1].text == "" {
			t.Fatal("no day is known")
		}
		knowing.read(cell, &got)
		fresh.read(cell, &want)
		if got != want {
			t.Errorf("%s: %+v, at length %+v", cell, got, want)
		}
		fresh.read("2025-01-31T12:00:00Z", &before)
		if got, want := knowing.settle(), fresh.settle(); got != want && want.strange == "" {
			t.Errorf("a column of %s: %+v, at length %+v", cell, got, want)
		}
	}
}
