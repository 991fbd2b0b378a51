package matchers_test

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
)

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
	many := Rows{Held: 9, Missing: append(append(rows[:2:2], rows...), rows...)}
	if got, want := many.Found(), "9 rows; 6 missing: "+a+", "+b+", "+a+" and 3 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	want := "must not: Export is out of order, expected all\nexpected: anything but all\nactual: 2 rows, as expected"
	says(t, HoldItsRows().NegatedFailureMessage(Rows{Export: "the export", Should: "all", Held: 2}), want)
}

func TestDisorderNamesBothRows(t *testing.T) {
	rows := quotes(t, "a 2025-01-01T00:00:02Z -", "b 2025-01-01T00:00:01Z -")
	want := "on line 3, b (created 2025-01-01T00:00:01Z, settled –) comes after a (created 2025-01-01T00:00:02Z, settled –)"
	if got := Disorder(rows, statement.CreatedAt, true); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Disorder(nil, statement.CreatedAt, true); got != "" {
		t.Errorf("no rows: %q", got)
	}
	settled := quotes(t, "a 2025-01-01T00:00:02Z 2025-01-02", "b 2025-01-01T00:00:01Z 2025-01-01",
		"c 2025-01-01T00:00:01Z 2025-01-03")
	if got := Disorder(settled, statement.SettledDate, true); got == "" {
		t.Error("days alone have an order")
	}
	if got := Disorder(settled[1:], statement.SettledDate, true); got != "" {
		t.Errorf("rising days: %q", got)
	}
	ties := quotes(t, "b 2025-01-01T00:00:02Z -", "a 2025-01-01T00:00:02Z -", "c 2025-01-01T00:00:01Z -")
	if got := Disorder(ties, statement.CreatedAt, false); got != "" {
		t.Errorf("falling with a tie: %q", got)
	}
}

func TestSameSequenceComparesDates(t *testing.T) {
	a := quotes(t, "a 2025-01-01T00:00:01Z -", "b - -", "c 2025-01-01T00:00:01Z -")
	if !SameSequence(a, []statement.Quote{a[2], a[1], a[0]}, statement.CreatedAt) {
		t.Error("rows that share a date may change places")
	}
	if SameSequence(a, []statement.Quote{a[1], a[0], a[2]}, statement.CreatedAt) {
		t.Error("a row without a date moved past one with a date")
	}
	if SameSequence(a, []statement.Quote{a[0], a[2], a[1]}, statement.CreatedAt) {
		t.Error("a row with a date moved past one without")
	}
	undated := quotes(t, "x - -", "y - -")
	if !SameSequence(undated, []statement.Quote{undated[1], undated[0]}, statement.CreatedAt) {
		t.Error("rows without dates may stand in any order")
	}
	if !SameSequence(nil, nil, statement.CreatedAt) || SameSequence(a[:1], a, statement.CreatedAt) {
		t.Error("equally many rows, none included, can be the same sequence; fewer cannot")
	}
	other := quotes(t, "a 2025-01-05T00:00:00Z -")
	if !SameSequence(a[:1], other, statement.CreatedAt) {
		t.Error("the same row is in its place whatever its date")
	}
}
