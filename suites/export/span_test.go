package export

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/target"
)

func instant(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A date stands for all instants that show the same digits: only a bound outside of them has sure sides.
func TestSide(t *testing.T) {
	for _, c := range []struct {
		date  string
		unit  time.Duration
		bound string
		side  int
	}{
		{"2025-01-01T00:00:00.500Z", time.Millisecond, "2025-01-01T00:00:00.500Z", 1},
		{"2025-01-01T00:00:00.500Z", time.Millisecond, "2025-01-01T00:00:00.501Z", -1},
		{"2025-01-01T00:00:00.500Z", time.Millisecond, "2025-01-01T00:00:00.5005Z", 0},
		{"2025-01-01T00:00:05Z", time.Second, "2025-01-01T00:00:05.400Z", 0},
		{"2025-01-01T00:00:05Z", time.Second, "2025-01-01T00:00:06Z", -1},
		{"2025-01-01T00:00:00Z", statement.Day, "2025-01-01T12:00:00Z", 0},
		{"2025-01-01T00:00:00Z", statement.Day, "2025-01-02T00:00:00Z", -1},
	} {
		m := statement.Moment{Time: instant(t, c.date), Precision: c.unit, Zoned: true}
		if got := side(m, c.unit, instant(t, c.bound)); got != c.side {
			t.Errorf("%s against %s: %d, expected %d", c.date, c.bound, got, c.side)
		}
	}
	unsure := statement.Moment{Time: instant(t, "2025-01-01T00:00:00Z"), Precision: time.Second}
	if side(unsure, time.Second, instant(t, "2026-01-01T00:00:00Z")) != 0 {
		t.Error("a date without a zone has a side")
	}
}

// A local time that happens twice is two instants: a bound between them leaves open where the row belongs, any other
// does not.
func TestATimeThatHappensTwice(t *testing.T) {
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		t.Fatal(err)
	}
	const text = "id,client_id,quote_created_at,settled_date\na,c,2018-02-17 23:21:50.729,\n"
	_, table, broken, alien := statement.Read(strings.NewReader(text), deployment.Columns{}, zone, statement.Keep{})
	if broken != nil || alien != nil {
		t.Fatal(broken, alien)
	}
	rows := table.Quotes()
	w := &window{key: statement.CreatedAt, unit: time.Millisecond} // 01:21:50.729Z or 02:21:50.729Z
	for bound, want := range map[string]int{
		"2018-02-18T01:21:50.729Z": 1, "2018-02-18T01:21:50.730Z": 0, "2018-02-18T02:21:50.729Z": 0,
		"2018-02-18T02:21:50.730Z": -1,
	} {
		at := instant(t, bound)
		if got := side(rows[0].CreatedAt, w.unit, at); got != want {
			t.Errorf("%s: %d, expected %d", bound, got, want)
		}
		sp := w.between(time.Time{}, at)
		there := within("", &sheet{rows: rows}, rows, sp)
		away := within("", &sheet{}, rows, sp)
		if there.Right() != (want <= 0) || away.Right() != (want >= 0) {
			t.Errorf("%s: there %s, away %s", bound, there.Found(), away.Found())
		}
		units := map[statement.Key]time.Duration{w.key: w.unit}
		if (defect{cut: time.Second}).reads(selection{key: w.key, until: at}, units).keeps(&rows[0]) != 0 {
			t.Errorf("%s: a defect is sure of a row that happens twice", bound)
		}
	}
	if foreign := clientWithin("", &sheet{rows: rows}, nil, "another", w); foreign.Right() {
		t.Error("a row of another client is overlooked")
	}
}

// A row without the date belongs to no range and breaks none.
func TestRowsWithoutADate(t *testing.T) {
	none := []statement.Quote{{Identity: "a", CreatedAt: statement.Moment{Empty: true}}}
	sp := span{key: statement.CreatedAt, unit: time.Second, from: instant(t, "2025-01-01T00:00:00Z")}
	found := within("the export", &sheet{rows: none}, none, sp)
	if !found.Right() {
		t.Error(found.Found())
	}
}

// A row without the date that bounds apply to is no row of a bounded export, unless the file may not show the date at
// all.
func TestUndatedRows(t *testing.T) {
	dated := statement.Quote{SettledDate: statement.Moment{Zoned: true, Precision: time.Second}}
	empty := statement.Quote{SettledDate: statement.Moment{Empty: true}}
	unread := statement.Quote{SettledDate: statement.Moment{Misfit: true}}
	for _, c := range []struct {
		rows []statement.Quote
		want int
	}{
		{[]statement.Quote{dated, empty, empty}, 2},
		{[]statement.Quote{empty, empty}, 0},
		{[]statement.Quote{dated, unread}, 0},
		{nil, 0},
	} {
		if got := len(undated(c.rows, statement.SettledDate)); got != c.want {
			t.Errorf("%d of %d rows, expected %d", got, len(c.rows), c.want)
		}
	}
}

// Rows without a date that is one instant offer no instant to cut at, each with its reason.
func TestNoDatesNoCuts(t *testing.T) {
	window := &deployment.Window{Start: instant(t, "2025-01-01T00:00:00Z"), End: instant(t, "2025-02-01T00:00:00Z")}
	s := &Suite{t: &target.Target{Deployment: &deployment.File{Fixtures: deployment.Fixtures{Window: window}}}}
	for name, m := range map[string]statement.Moment{
		"unreadable": {Misfit: true}, "empty": {Empty: true},
		"twice": {Ambiguous: true, Zoned: true, Time: instant(t, "2025-01-15T00:00:00Z")},
	} {
		c := s.choose("a test", []statement.Quote{{Identity: "a", CreatedAt: m}, {Identity: "b", CreatedAt: m}},
			statement.CreatedAt, time.Second)
		for which, at := range c {
			if need(at) == nil {
				t.Errorf("%s: %s is %s", name, which, at.At)
			}
		}
	}
}

func TestLonely(t *testing.T) {
	row := func(at string) []statement.Quote {
		return []statement.Quote{{CreatedAt: statement.Moment{Time: instant(t, at), Zoned: true}}}
	}
	for at, want := range map[string]map[string]bool{
		"2025-01-10T15:00:00Z": {
			"2025-01-11T14:00:00Z": false, "2025-01-11T16:00:00Z": true,
			"2025-01-10T14:00:00Z": true,
		}, // the 11th in +13:00
		"2025-01-10T05:00:00Z": {
			"2025-01-09T06:00:00Z": false, "2025-01-09T04:00:00Z": true,
			"2025-01-10T06:00:00Z": true,
		}, // the 9th in -11:00
	} {
		for date, lone := range want {
			if got := lonely(row(date), statement.CreatedAt, instant(t, at)); got != lone {
				t.Errorf("%s beside %s: %v", at, date, got)
			}
		}
		if day := instant(t, at).In(anotherDay(instant(t, at))).Day(); day == 10 {
			t.Errorf("%s is the same day", at)
		}
	}
}

func TestDistinctKeepsRowsWithoutIDs(t *testing.T) {
	rows := []statement.Quote{
		{Identity: "a"},
		{Identity: "a"},
		{Identity: "x", Joined: true},
		{Identity: "x", Joined: true},
	}
	if got := len(distinct(rows)); got != 3 {
		t.Errorf("%d rows, expected 3", got)
	}
}

// Of a file that was cut, the rows before the cut are judged.
func TestAFileThatWasCut(t *testing.T) {
	const whole = "id,quote_created_at\na,2025-01-01T00:00:00Z\n"
	for rest, cut := range map[string]bool{
		"": false, "b,2025-01-0": true, "b,\"two\nlines": true,
		"b,2025-01-02T00:00:00Z": true,
	} {
		sh := read(whole+rest, cut)
		if err := sh.usable(); err != nil || len(sh.rows) != 1 || sh.rows[0].Identity != "a" {
			t.Errorf("%q: %d rows, %v", rest, len(sh.rows), err)
		}
	}
	if read(whole+"b\nc,", false).usable() == nil {
		t.Error("a whole file with a short row can be read")
	}
}

func read(text string, cut bool) *sheet {
	sh := &sheet{fetched: client.ExportFile{Cut: cut}}
	sh.read(strings.NewReader(text), deployment.CSV{}, statement.Keep{})
	sh.finish()
	return sh
}

// Of a file that was cut, a row is absent where it would stand before the last one that was read.
func TestRowsOfACutFileThatAreAbsent(t *testing.T) {
	const file = "id,quote_created_at\na,2025-01-01T00:00:00Z\nb,2025-01-03T00:00:00Z\nc,2025-01-0"
	for _, c := range []struct {
		order, date string
		cut, absent bool
	}{
		{"asc", "2025-01-02", true, true},
		{"asc", "2025-01-03", true, false},
		{"asc", "2025-01-04", true, false},
		{"desc", "2025-01-04", true, false}, // it is not in that order: nothing can be said
		{"desc", "2025-01-01", false, true},
	} {
		sh := read(file, c.cut)
		sh.query.fields = target.Fields{"order": c.order}
		q := statement.Quote{CreatedAt: statement.Moment{Time: instant(t, c.date+"T00:00:00Z"), Zoned: true}}
		if got := sh.absent(statement.CreatedAt)(q); got != c.absent {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestWhereOtherRowsStand(t *testing.T) {
	for text, others := range map[string]statement.Others{
		"none": {}, "1 row without a date and an ID, at the end": {Count: 1, AtEnd: true},
		"2 rows without a date and an ID, at the beginning": {Count: 2, AtStart: true},
		"1 row without a date and an ID, within the file":   {Count: 1},
		"3 rows without a date and an ID, at the end":       {Count: 3, AtStart: true, AtEnd: true},
	} {
		if got := otherRows(others); got != text {
			t.Errorf("%q, expected %q", got, text)
		}
	}
}

func TestUntitled(t *testing.T) {
	for text, data := range map[string]bool{
		"id,client_id": false, "Cotação,Criada em": false,
		"7d1f5a52-5a0f-4c0e-8a37-6d1b3e9a0c11,x": true, "x,2025-01-01T00:00:00Z": true, "x,01/02/2025 10:00": true,
		"x,12.50": true,
	} {
		s, _, broken, _ := statement.Read(strings.NewReader(text+"\n"), deployment.Columns{}, nil, statement.Keep{})
		if broken != nil {
			t.Fatal(broken)
		}
		if got := untitled(s); got != data {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestWhatIsNotedCanBeCompared(t *testing.T) {
	if a, b := roughly(1200*time.Millisecond), roughly(4900*time.Millisecond); a != b || a != "1s to 5s" {
		t.Errorf("%s, %s", a, b)
	}
	value := map[string]any{"b": []any{map[string]any{"x": true}}, "a": "text", "c": nil}
	if got := shape(value); got != "{a string, b [{x boolean}], c null}" {
		t.Error(got)
	}
	for name, ext := range map[string]string{"quotes.CSV": ".csv", "q.csv.gz": ".csv.gz", "quotes": "no extension"} {
		if got := extension(name); got != ext {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestPartsOfClientIDs(t *testing.T) {
	for id, want := range map[string][2][]string{
		"42":     {{"4"}, {"2"}},
		"7":      {nil, nil},
		"0042":   {{"004", "00", "0"}, {"2"}},
		"AB-1":   {{"AB-", "AB", "A"}, {"B-1", "-1", "1"}},
		"007331": {{"00733", "0073", "007", "00", "0"}, {"331", "31", "1"}},
		"ação":   {{"açã", "aç", "a"}, {"ção", "ão", "o"}},
		"{7d":    {{"{7"}, {"d"}},
		"--":     {nil, nil},
		"a b":    {{"a"}, {"b"}},
		"  420 ": {{"42", "4"}, {"20", "0"}},
	} {
		if got := prefixesOf(id); !slices.Equal(got, want[0]) {
			t.Errorf("%q begins with %q, want %q", id, got, want[0])
		}
		if got := suffixesOf(id); !slices.Equal(got, want[1]) {
			t.Errorf("%q ends with %q, want %q", id, got, want[1])
		}
	}
}
