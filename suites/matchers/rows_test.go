package matchers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
)

// quotes reads rows that are written as "id created settled", as a file would show them.
func quotes(t *testing.T, rows ...string) []statement.Quote {
	t.Helper()
	text := "id,quote_created_at,settled_date,note\n"
	for _, row := range rows {
		text += strings.ReplaceAll(row, " ", ",") + ",private\n"
	}
	_, table, broken, alien := statement.Read(strings.NewReader(text), deployment.Columns{}, time.UTC, statement.Keep{})
	if broken != nil || alien != nil {
		t.Fatal(broken, alien)
	}
	return table.Quotes()
}

func TestRowsMessages(t *testing.T) {
	rows := quotes(t, "a 2025-01-01T00:00:00Z 2025-01-02", "b 2025-01-02T00:00:00Z -")
	const a, b = "a (created 2025-01-01T00:00:00Z, settled 2025-01-02)", "b (created 2025-01-02T00:00:00Z, settled –)"
	for _, c := range []struct {
		rows Rows
		want string
	}{
		{
			Rows{
				Export: "the export", Should: "all", Held: 1, Missing: rows[:1], Extra: rows[1:],
				Order: "on line 3, x",
			},
			"Export: 1 row missing, 1 row too many, the first dated 2025-01-01T00:00:00Z\nexpected: all\nactual: 1 row; 1 missing: " + a + "; 1 that should not be there: " + b + "; on line 3, x",
		},
		{
			Rows{Export: "the export", Should: "none", Held: 1, Extra: rows[1:]},
			"Export: 1 row too many, dated 2025-01-02T00:00:00Z\nexpected: none\nactual: 1 row; 1 that should not be there: " + b,
		},
		{
			Rows{Export: "the export", Should: "falling dates", Held: 2, Order: "on line 3, x"},
			"Export is out of order on line 3, expected falling dates\nexpected: falling dates\nactual: 2 rows; on line 3, x",
		},
		{
			Rows{Export: "the export", Should: "rows", Refused: "400 Bad Request", Missing: rows},
			"Export not accepted: 400 Bad Request, expected its file\nexpected: rows\nactual: the export was not accepted: 400 Bad Request",
		},
	} {
		if ok, err := HoldItsRows().Match(c.rows); ok || err != nil {
			t.Errorf("held: %s", c.want)
		}
		says(t, HoldItsRows().FailureMessage(c.rows), c.want)
	}
	if ok, err := HoldItsRows().Match(Rows{Export: "the export", Held: 2}); !ok || err != nil {
		t.Errorf("nothing wrong: %v, %v", ok, err)
	}
	if _, err := HoldItsRows().Match("text"); err == nil {
		t.Error("judged something else than Rows")
	}
	many := Rows{Held: 9, Missing: append(append(rows[:2:2], rows...), rows...)}
	if got, want := many.Found(), "9 rows; 6 missing: "+a+", "+b+", "+a+" and 3 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	want := "must not: Export is out of order, expected all\nexpected: anything but all\nactual: 2 rows, as expected"
	says(t, HoldItsRows().NegatedFailureMessage(Rows{Export: "the export", Should: "all", Held: 2}), want)
}

// seconds are rows written as "a 1, b 2", each created so many seconds into a day; "-" has no date.
func seconds(t *testing.T, text string) []statement.Quote {
	t.Helper()
	var rows []string
	for row := range strings.SplitSeq(text, ", ") {
		id, second, _ := strings.Cut(row, " ")
		if len(second) == 1 && second != "-" {
			second = "2025-01-01T00:00:0" + second + "Z"
		}
		rows = append(rows, id+" "+second+" -")
	}
	return quotes(t, rows...)
}

func TestDisorder(t *testing.T) {
	for _, c := range []struct {
		name, rows string
		rising     bool
		breaks     string // beginning of the finding
	}{
		{"rising", "a 1, b 2", true, ""},
		{"rising, ties", "b 1, a 1, c 2", true, ""},
		{"rising by the instant, whatever the offset", "a 2025-01-01T02:00:00+03:00, b 2025-01-01T00:00:00Z", true, ""},
		{"falls", "a 2, b 1", true, "on line 3, b"},
		{"reversed", "a 3, b 2, c 1", true, "on line 3 and reversed throughout, b"},
		{"falls, then rises", "a 3, b 2, c 4", true, "on line 3, b"},
		{"falling", "a 2, b 1", false, ""},
		{"falling, ties", "b 2, a 2, c 1", false, ""},
		{"rises", "a 2, b 1, c 3", false, "on line 4, c"},
		{"no date between", "a 2, b -, c 1", true, "on line 4, c"},
		{"a day among times", "a 2, b 2025-01-01, c 3", true, ""},
		{"days alone fall", "a 2025-01-02, b 2025-01-01", true, "on line 3, b"},
		{"days alone rise", "a 2025-01-01, b 2025-01-03", true, ""},
	} {
		got := Disorder(seconds(t, c.rows), statement.CreatedAt, c.rising)
		if c.breaks == "" && got != "" || !strings.HasPrefix(got, c.breaks) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	if got := Disorder(nil, statement.CreatedAt, true); got != "" {
		t.Errorf("no rows: %q", got)
	}
	settled := quotes(t, "a 2025-01-01T00:00:02Z 2025-01-02", "b 2025-01-01T00:00:01Z 2025-01-01")
	says(t, Disorder(settled, statement.SettledDate, true),
		"on line 3, b (created 2025-01-01T00:00:01Z, settled 2025-01-01)"+
			" comes after a (created 2025-01-01T00:00:02Z, settled 2025-01-02)")
}

// Rows that go by the other date are said to, unless they are so few that chance could order them.
func TestDisorderByTheOtherDate(t *testing.T) {
	row := func(id string, created, settled int) string {
		return fmt.Sprintf("%s 2025-01-01T00:00:%02dZ 2025-01-%02d", id, created, settled)
	}
	four := []string{row("a", 3, 1), row("b", 9, 2), row("c", 1, 3), row("d", 5, 4)}
	for _, c := range []struct {
		rows   []string
		sorted bool
	}{{four, true}, {four[:3], false}, {append(four[:3:3], row("d", 5, 1)), false}} {
		got := Disorder(quotes(t, c.rows...), statement.CreatedAt, true)
		if strings.HasPrefix(got, "on line 4 and sorted by settled_date, c ") != c.sorted ||
			strings.HasPrefix(got, "on line 4, c ") == c.sorted {
			t.Errorf("%v: %s", c.rows, got)
		}
	}
}

func TestSameSequence(t *testing.T) {
	for _, c := range []struct {
		why, a, b string
		want      bool
	}{
		{"ties may change places", "a 1, b 1, c 2", "b 1, a 1, c 2", true},
		{"rows that share a date may change places", "a 1, b -, c 1", "c 1, b -, a 1", true},
		{"rows without dates may stand in any order", "x -, y -", "y -, x -", true},
		{"the same row is in its place whatever its date", "a 1", "a 5", true},
		{"a row moved past one of another date", "a 1, b 1, c 2", "a 1, c 2, b 1", false},
		{"fewer rows", "a 1, b 1", "a 1", false},
		{"more rows", "a 1", "a 1, b 1", false},
		{"a row without a date moved past one with a date", "a 1, b -, c 1", "b -, a 1, c 1", false},
		{"a row with a date moved past one without", "a 1, b -, c 1", "a 1, c 1, b -", false},
	} {
		if got := SameSequence(seconds(t, c.a), seconds(t, c.b), statement.CreatedAt); got != c.want {
			t.Errorf("%s: %v", c.why, got)
		}
	}
	if !SameSequence(nil, nil, statement.CreatedAt) {
		t.Error("no rows are the same sequence as none")
	}
}
