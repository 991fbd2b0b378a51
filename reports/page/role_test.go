package page

import (
	"testing"

	"github.com/gateassay/gateassay/suites/record"
)

func TestRolesOfExchanges(t *testing.T) {
	run := record.Run{Rules: []record.Rule{{ID: "export.range.open"}}}
	moments := []Moment{
		{Seq: 1, Operation: "export", Label: "the window by quote_created_at, desc"},
		{Seq: 2, Operation: "export", Label: "rows with only a start, on a row's date"},
		{Seq: 3, Operation: "export", Label: "the window again, to see whether it changed"},
		{Seq: 4, Operation: "export", Label: "rows with only a start, on a row's date"},
		{Seq: 5, Operation: "file", Label: "download the file"},
		{Seq: 6, Operation: "create", Label: "valid creation"},
		{Seq: 7, Operation: "create", Label: "creation with income 3000000001"},
		{Seq: 8, Operation: "export", Label: "first request, no replay value"},
		{Seq: 9, Operation: "export", Label: "no replay value, a request that repeats everything"},
	}
	s := newShelf(run, nil, moments, newBudget(1))
	for _, c := range []struct {
		rule string
		seq  int
		in   record.Check
		want string
	}{
		{"export.range.open", 2, record.Check{Finding: record.Finding{Decisive: 2, Control: 1}}, "request"},
		{"export.range.open", 1, record.Check{Finding: record.Finding{Decisive: 2, Control: 1}}, "control"},
		{"export.range.open", 1, record.Check{Finding: record.Finding{Decisive: 2}}, "comparison"},
		{"export.range.open", 3, record.Check{Finding: record.Finding{Decisive: 2}}, "control"},
		{"export.range.open", 4, record.Check{Finding: record.Finding{Decisive: 2}}, "repeat"},
		{"export.range.open", 5, record.Check{Finding: record.Finding{Decisive: 2}}, "download"},
		{"create.echo.income", 6, record.Check{}, "control"},
		{"create.echo.income", 6, record.Check{Finding: record.Finding{Decisive: 6}}, "request"},
		{"create.echo.income", 7, record.Check{}, "request"},
		{"replay.none.same", 8, record.Check{Finding: record.Finding{Decisive: 9}}, "request"},
		{"replay.none.same", 9, record.Check{Finding: record.Finding{Decisive: 9}}, "repeat"},
	} {
		if got := s.role(c.seq, c.rule, c.in); got != c.want {
			t.Errorf("%s: exchange %d is a %s, want %s", c.rule, c.seq, got, c.want)
		}
	}
	if got := s.deciding("create.echo.income", record.Check{Exchanges: []int{6, 7}}); got != 7 {
		t.Errorf("exchange %d is opened, want 7", got)
	}
}
