package statement

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// manyRows is a file of so many rows, a few seconds apart.
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

func BenchmarkRead(b *testing.B) {
	data := manyRows(100_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		_, table, broken, _ := Read(bytes.NewReader(data), deployment.Columns{}, nil, Keep{Most: 2000, Brief: true})
		if broken != nil || table.Count() != 100_000 {
			b.Fatal(broken)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100_000, "ns/row")
}

// What is kept of a file by rows and by its digest is the same.
func TestReadKeepsWhatItIsAskedTo(t *testing.T) {
	data := manyRows(20_000) // beyond the head
	s, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.bind(deployment.Columns{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := all.Quotes()[19_999].Identity
	csv, table, broken, alien := Read(bytes.NewReader(data), deployment.Columns{}, nil, Keep{
		Most: 100, Brief: true, Also: func(q *Quote) bool { return q.Identity == last },
		Marks: func(q *Quote) bool { return q.Client == "CLIENT-1" },
	})
	if broken != nil || alien != nil || csv.Dialect != s.Dialect {
		t.Fatal(broken, alien, csv.Dialect)
	}
	kept := table.Quotes()
	if table.Count() != 20_000 || len(kept) != 101 ||
		!slices.EqualFunc(kept[:100], all.Quotes()[:100], func(a, b Quote) bool { return a.Identity == b.Identity }) ||
		kept[100].Identity != last {
		t.Errorf("%d of %d quotes kept", len(kept), table.Count())
	}
	d := table.Digest()
	if d.Marked() != 5_000 || d.Disorder(CreatedAt, true) != "" || d.Disorder(CreatedAt, false) == "" {
		t.Errorf("%d marked, %q", d.Marked(), d.Disorder(CreatedAt, true))
	}
	if text := d.Disorder(SettledDate, true); !strings.Contains(text, "of 20000, whose settled_date is ") {
		t.Error(text)
	}
}

func TestDigestsAreCompared(t *testing.T) {
	digest := func(rows ...string) (*Digest, []Quote) {
		_, table, broken, alien := Read(strings.NewReader("id,quote_created_at\n"+strings.Join(rows, "\n")),
			deployment.Columns{}, nil, Keep{Brief: true})
		if err := errors.Join(broken, alien); err != nil {
			t.Fatal(err)
		}
		return table.Digest(), table.Quotes()
	}
	at := func(day int) time.Time { return time.Date(2025, 1, day, 0, 0, 0, 0, time.UTC) }
	a, rows := digest("a,2025-01-01T00:00:00Z", "b,2025-01-02T00:00:00Z", "c,2025-01-03T00:00:00Z")
	b, _ := digest("c,2025-01-03T00:00:00Z", "a,2025-01-01T00:00:00Z")
	if got := a.Without(b); got != "1 row, the first created 2025-01-02T00:00:00Z" {
		t.Error(got)
	}
	if got := b.Without(a) + a.Without(a) + a.Beyond(b, at(3), at(9)); got != "" {
		t.Error(got)
	}
	if got := a.WithoutRows(rows[:1], at(1), at(3)); !strings.HasPrefix(got, "1 row") {
		t.Error(got)
	}
	if got := b.Strangers(rows); !strings.Contains(got, "1 row only in an export of a part of it: b") {
		t.Error(got)
	}
}

// A slice shows everything that rules need, and so few rows that all can be compared.
func TestSlices(t *testing.T) {
	_, table, _, _ := Read(bytes.NewReader(manyRows(50_000)), deployment.Columns{}, nil, Keep{
		Most: 1, Brief: true, Marks: func(q *Quote) bool { return q.Client == "CLIENT-1" },
	})
	window := deployment.Window{
		Start: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
		End:   time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC),
	}
	part, ok := table.Digest().Slice(seeded(1), window, table.Precision(CreatedAt), table.Precision(SettledDate))
	if !ok {
		t.Fatal("no slice")
	}
	_, all, _, _ := Read(bytes.NewReader(manyRows(50_000)), deployment.Columns{}, nil, Keep{})
	inside := slices.DeleteFunc(all.Quotes(), func(q Quote) bool {
		return q.CreatedAt.Time.Before(part.Start) || !q.CreatedAt.Time.Before(part.End)
	})
	if len(inside) < 200 || len(inside) > mostSlice {
		t.Errorf("%d rows from %s until %s", len(inside), part.Start, part.End)
	}
	if slices.ContainsFunc(inside, func(q Quote) bool { return q.CreatedAt.Time.Equal(part.Start) }) {
		t.Error("an edge lies on a row, although there is room beside it")
	}
	b := Choose(seeded(1), inside, CreatedAt, part)
	if none := b.Shared.Missing + b.SubSecond.Missing + b.JustAfter.Missing + b.Between.Missing; none != "" {
		t.Error(none)
	}
	day := "id,quote_created_at\n" + strings.Repeat("a,2025-01-01\n", 3000)
	_, days, _, _ := Read(strings.NewReader(day), deployment.Columns{}, time.UTC, Keep{Brief: true})
	if _, ok := days.Digest().Slice(seeded(1), window, Day, Day); ok {
		t.Error("a slice out of one day")
	}
}

// Whatever the encoding, a file beyond the head reads as a short one does.
func TestLongFilesInEveryEncoding(t *testing.T) {
	records := [][]string{{"id", "ção"}}
	for i := range 60_000 {
		records = append(records, []string{fmt.Sprintf("%08d", i), "São Paulo"})
	}
	for _, encoding := range []string{"utf-8", "windows-1252", "utf-16le", "utf-16be"} {
		for _, w := range []written{
			{delimiter: ';', crlf: true, bom: encoding != "windows-1252", encoding: encoding},
			{delimiter: ',', encoding: encoding, gzipped: true},
		} {
			s, err := open(bytes.NewReader(w.bytes(t, records)), noColumns)
			if err != nil || s.Dialect.Encoding != encoding || s.Dialect.Delimiter != w.delimiter ||
				s.Columns[1] != "ção" {
				t.Fatalf("%+v: %v", w, err)
			}
			rows := 0
			for ; ; rows++ {
				row, err := s.next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil || row.Cells[1] != "São Paulo" || row.Cells[0] != records[rows+1][0] {
					t.Fatalf("%+v, row %d: %q, %v", w, rows, row.Cells, err)
				}
			}
			if rows != 60_000 {
				t.Errorf("%+v: %d rows", w, rows)
			}
		}
	}
}

func TestLongFilesThatCannotBeRead(t *testing.T) {
	long := "id,a\n" + strings.Repeat("1,2\n", headSize/4)
	lines := 1 + headSize/4
	for name, c := range map[string]struct {
		tail string
		line int
		want string
	}{
		"NUL":              {"1,\x00\n", 0, "binary"},
		"neither encoding": {"1,\x81\n", lines + 1, "0x81"},
		"a short row":      {"1\n", lines + 1, "has 1 fields"},
		"an open quote":    {"1,\"" + strings.Repeat("x", 3*headSize), 0, "longer than"},
		"one long row":     {"1," + strings.Repeat("x", 3*headSize) + "\n", 0, "longer than"},
	} {
		_, _, broken, _ := Read(strings.NewReader(long+c.tail), deployment.Columns{}, nil, Keep{Most: 1})
		var bad *ParseError
		if !errors.As(broken, &bad) || bad.Line != c.line || !strings.Contains(bad.Error(), c.want) {
			t.Errorf("%s: %v", name, broken)
		}
	}
	for name, text := range map[string]string{
		"blanks": strings.Repeat(" ", 2*headSize) + "id,a\n1,2\n", "no line end": strings.Repeat(",", 50<<20),
		"columns": strings.Repeat("a,", mostColumns) + "a\n1\n",
	} {
		if _, err := open(strings.NewReader(text), deployment.Columns{}); err == nil || errors.Is(err, ErrEmpty) ||
			!strings.Contains(err.Error(), " than ") && !strings.Contains(err.Error(), "are blank") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
