package matchers

import (
	"slices"
	"testing"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/record"
)

// A table shows what is wrong, also where no row next to the bound is.
func TestRowsBesideABound(t *testing.T) {
	at := statement.Quote{CreatedAt: statement.Moment{Text: "2025-01-31"}, SettledDate: statement.Moment{Empty: true}}
	right := record.Row{Date: "2025-01-30", Expected: true, Found: true}
	wrong := record.Row{Date: "2025-02-01", Found: true}
	undated := record.Row{Date: "no settled_date", Found: true}
	for _, c := range []struct {
		of   Rows
		want []record.Row
	}{
		{Rows{Missing: []statement.Quote{at}}, nil},
		{Rows{Missing: []statement.Quote{at}, Beside: []record.Row{wrong}}, []record.Row{wrong}},
		{
			Rows{Missing: []statement.Quote{at}, Beside: []record.Row{right}},
			[]record.Row{right, {Date: "2025-01-31", Expected: true}},
		},
		{
			Rows{Key: statement.SettledDate, Extra: []statement.Quote{at, at, at, at}, Beside: []record.Row{right}},
			[]record.Row{right, undated, undated, undated},
		},
	} {
		if got := c.of.beside(); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
