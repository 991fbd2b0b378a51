package matchers

import (
	"slices"
	"testing"

	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/record"
)

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
