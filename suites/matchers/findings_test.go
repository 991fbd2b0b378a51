package matchers_test

import (
	"slices"
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

// Expected sentences of the findings of each matcher.
func TestFindings(t *testing.T) {
	rows := []statement.Quote{
		{CreatedAt: statement.DateCell{Text: "2025-01-01T00:00:00Z"}},
		{CreatedAt: statement.DateCell{Text: "2025-01-02T00:00:00Z"}},
	}
	again := func(status int, id string) target.Answer {
		return target.Answer{
			Subject: "the same again", Preceding: []*client.Exchange{exchange(201, `{"id":"1"}`)},
			Exchange: exchange(status, `{"id":"`+id+`"}`),
		}
	}
	ofAnother := func(a target.Answer) target.Answer {
		a.GivesOtherCreation = true
		return a
	}
	english := []record.FactorValue{{Factor: "x-lang", Value: "en-US"}}
	for _, c := range []struct {
		matcher Matcher
		value   any
		want    string
	}{
		{BeAccepted(), got(400), "The request refused: 400, expected 2xx"},
		{
			BeAccepted(),
			target.Answer{Exchange: exchange(400, ""), Condition: english},
			"The request refused: 400, expected 2xx, only with x-lang en-US",
		},
		{BeRejected(), got(201), "The request accepted: 201, expected a 4xx"},
		{BeRejected(), got(401), "The request refused: 401, expected another 4xx"},
		{BeRefused(), got(0), "The request got no answer: connection broken, expected a 4xx"},
		{HaveStatus(401, 403), got(200), "The request accepted: 200, expected 401 or 403"},
		{BeBlockedAfterMore(0), file(202, `{"file_id":"f-1"}`), "The request is not blocked: 202, expected a 4xx"},
		{
			MakeNoSecondRecord(), again(201, "2"),
			"The same again makes a second record: 201, expected 409 or the record that exists",
		},
		{
			MakeNoSecondRecord(), again(400, ""),
			"The same again refused: 400, expected 409 or the record that exists",
		},
		{
			MakeNoSecondRecord(), ofAnother(again(200, "2")),
			"The same again gets the record of another creation: 200, expected 409 or the record that exists",
		},
		{
			MakeNoOtherRecord(), again(201, "2"),
			"The same again makes a second record: 201, expected none",
		},
		{
			MakeAnotherRecord(), again(201, "1"),
			"The same again: 201 with the same id, expected two records",
		},
		{
			HoldExpectedRows(),
			ExportRows{Export: "the export", Missing: rows[:1], Extra: rows[1:]},
			"Export: 1 row missing, 1 row too many",
		},
		{
			HoldExpectedRows(),
			ExportRows{Export: "the export", Cause: "ignores the end", Extra: rows[1:]},
			"The deployment ignores the end: 1 row too many",
		},
		{
			HoldExpectedRows(),
			ExportRows{
				Export: "the export", Expectation: "falling dates", OrderViolation: "reversed throughout",
			},
			"Export is out of order: reversed throughout, expected falling dates",
		},
		{
			BeFlawless("the file", "a table"),
			Flaw{Found: "a page\nin HTML"},
			"The file: a page, expected a table",
		},
		{
			MakeOneRecord(),
			[]*client.Exchange{exchange(201, `{"id":"1"}`), exchange(201, `{"id":"2"}`)},
			"2 identical creations at once: 2 records, expected one record and refusals",
		},
	} {
		if ok, err := c.matcher.Match(c.value); ok || err != nil {
			t.Errorf("%s: right, %v", c.want, err)
		}
		if f, _ := c.matcher.Finding(c.value); f.Sentence() != c.want {
			t.Errorf("got  %s\nwant %s", f.Sentence(), c.want)
		}
	}
}

func TestAMatcherJudgesValuesOfItsTypeOnly(t *testing.T) {
	if _, err := BeFlawless("it", "nothing").Match(1); err == nil ||
		err.Error() != "the matcher judges matchers.Flaw, not int" {
		t.Errorf("judged a number: %v", err)
	}
}

func TestRowsAreNamedByTheDateThatTheyAreAbout(t *testing.T) {
	at := statement.Quote{
		Identity:    "q-1",
		CreatedAt:   statement.DateCell{Text: "2025-01-31"},
		SettledDate: statement.DateCell{Empty: true},
	}
	undated := record.ExportRow{ID: "q-1", Date: "without settled_date", Found: true}
	for _, c := range []struct {
		of   ExportRows
		got  string
		rows []record.ExportRow
	}{
		{
			ExportRows{Missing: []statement.Quote{at}},
			"1 row missing",
			[]record.ExportRow{{ID: "q-1", Date: "2025-01-31", Expected: true}},
		},
		{
			ExportRows{
				SortKey: statement.ColumnSettledDate, Extra: []statement.Quote{at, at, at, at},
				ExtraDescription: "of another user",
			},
			"4 rows of another user",
			[]record.ExportRow{undated, undated, undated},
		},
		{ExportRows{OrderViolation: "the rows do not rise"}, "the rows do not rise", nil},
	} {
		f, _ := HoldExpectedRows().Finding(c.of)
		if f.Got != c.got || !slices.Equal(f.Rows, c.rows) {
			t.Errorf("%q with %v, want %q with %v", f.Got, f.Rows, c.got, c.rows)
		}
	}
	if right, err := HoldExpectedRows().Match(ExportRows{RowCount: 3}); !right || err != nil {
		t.Error("rows that are right are not", err)
	}
}
