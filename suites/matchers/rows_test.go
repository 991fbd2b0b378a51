package matchers_test

import (
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

func TestHoldItsRows(t *testing.T) {
	rows := quotes(t, "a 2025-01-01T00:00:00.001Z 2025-01-02", "b 2025-01-01T00:00:00.002Z 2025-01-03")
	for _, c := range []struct {
		name  string
		rows  Rows
		right bool
		says  []string
	}{
		{"right", Rows{Export: "the export", Held: 2}, true, nil},
		{
			"missing",
			Rows{Export: "the export", Should: "all", Held: 1, Missing: rows[:1]},
			false,
			[]string{
				"Export: 1 row missing, dated 2025-01-01T00:00:00.001Z", "expected: all", "1 missing: a",
				"2025-01-01T00:00:00.001Z",
			},
		},
		{
			"extra",
			Rows{Export: "the export", Should: "none", Held: 2, Extra: rows},
			false,
			[]string{"2 that should not be there", "b (created"},
		},
		{
			"order",
			Rows{Export: "the export", Should: "falling", Held: 2, Order: "on line 3"},
			false,
			[]string{"Export is out of order on line 3, expected falling", "on line 3"},
		},
		{
			"refused",
			Rows{Export: "the export", Should: "rows", Refused: "400 Bad Request"},
			false,
			[]string{"the export was not accepted", "400 Bad Request"},
		},
	} {
		ok, err := HoldItsRows().Match(c.rows)
		if err != nil || ok != c.right {
			t.Errorf("%s: matched %v, error %v", c.name, ok, err)
		}
		message := HoldItsRows().FailureMessage(c.rows)
		for _, part := range c.says {
			if !strings.Contains(message, part) {
				t.Errorf("%s: no %q in %q", c.name, part, message)
			}
		}
		if strings.Contains(message, "private") {
			t.Errorf("%s: another cell shows: %q", c.name, message)
		}
	}
	if _, err := HoldItsRows().Match("text"); err == nil {
		t.Error("judged something else than Rows")
	}
}

func TestDisorder(t *testing.T) {
	for _, c := range []struct {
		name   string
		rows   []string
		rising bool
		breaks string // beginning of the finding
	}{
		{"rising", []string{"a 2025-01-01T00:00:01Z -", "b 2025-01-01T00:00:02Z -"}, true, ""},
		{
			"rising, ties",
			[]string{"b 2025-01-01T00:00:01Z -", "a 2025-01-01T00:00:01Z -", "c 2025-01-01T00:00:02Z -"},
			true, "",
		},
		{"rising by the instant, whatever the offset", []string{
			"a 2025-01-01T02:00:00+03:00 -",
			"b 2025-01-01T00:00:00Z -",
		}, true, ""},
		{"falls", []string{"a 2025-01-01T00:00:02Z -", "b 2025-01-01T00:00:01Z -"}, true, "on line 3, b"},
		{"falling", []string{"a 2025-01-01T00:00:02Z -", "b 2025-01-01T00:00:01Z -"}, false, ""},
		{
			"rises",
			[]string{"a 2025-01-01T00:00:02Z -", "b 2025-01-01T00:00:01Z -", "c 2025-01-01T00:00:03Z -"},
			false,
			"on line 4, c",
		},
		{
			"no date between",
			[]string{"a 2025-01-01T00:00:02Z -", "b - -", "c 2025-01-01T00:00:01Z -"},
			true,
			"on line 4, c",
		},
		{
			"a day among times",
			[]string{"a 2025-01-01T00:00:02Z -", "b 2025-01-01 -", "c 2025-01-01T00:00:03Z -"},
			true,
			"",
		},
	} {
		got := Disorder(quotes(t, c.rows...), statement.CreatedAt, c.rising)
		if c.breaks == "" && got != "" || !strings.HasPrefix(got, c.breaks) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestSameSequence(t *testing.T) {
	rows := quotes(t, "a 2025-01-01T00:00:01Z -", "b 2025-01-01T00:00:01Z -", "c 2025-01-01T00:00:02Z -")
	ties := []statement.Quote{rows[1], rows[0], rows[2]}
	moved := []statement.Quote{rows[0], rows[2], rows[1]}
	if !SameSequence(rows, ties, statement.CreatedAt) {
		t.Error("ties may change places")
	}
	if SameSequence(rows, moved, statement.CreatedAt) || SameSequence(rows, rows[:2], statement.CreatedAt) {
		t.Error("another sequence passed as the same")
	}
}
