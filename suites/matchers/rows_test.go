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
	_, table, broken, alien := statement.Read(strings.NewReader(text), deployment.Columns{}, time.UTC, 0)
	if broken != nil || alien != nil {
		t.Fatal(broken, alien)
	}
	return table.Quotes()
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
		{"falls", "a 2, b 1", true, "2025-01-01T00:00:01Z after 2025-01-01T00:00:02Z on line 3"},
		{"reversed", "a 3, b 2, c 1", true, "reversed throughout, "},
		{"falls, then rises", "a 3, b 2, c 4", true, "2025-01-01T00:00:02Z after "},
		{"falling", "a 2, b 1", false, ""},
		{"falling, ties", "b 2, a 2, c 1", false, ""},
		{"rises", "a 2, b 1, c 3", false, "2025-01-01T00:00:0"},
		{"no date between", "a 2, b -, c 1", true, "2025-01-01T00:00:0"},
		{"a day among times", "a 2, b 2025-01-01, c 3", true, ""},
		{"days alone fall", "a 2025-01-02, b 2025-01-01", true, "2025-01-01 after 2025-01-02 on line 3"},
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
	says(t, Disorder(settled, statement.SettledDate, true), "2025-01-01 after 2025-01-02 on line 3")
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
		if got == "" || strings.HasPrefix(got, "sorted by settled_date, ") != c.sorted {
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
