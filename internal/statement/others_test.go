package statement

import (
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestRowsThatAreNoQuotes(t *testing.T) {
	const full = "id,quote_created_at,settled_date,amount\n7d1f5a52,2025-01-01T00:00:00Z,2025-01-02T00:00:00Z,1.00\n"
	for row, quote := range map[string]bool{
		",,,1.00":                      false,
		"-,-,n/a,1.00":                 false,
		"Total,,,1.00":                 false,
		"Total de 70 operações,,,1.00": false,
		",Total,,1.00":                 false,
		"TOTAL,,31,1.00":               false, // the count of rows
		",,31,1.00":                    false,
		",TOTAL,31,1.00":               false,
		"id,quote_created_at,settled_date,amount": false, // repeated titles
		"Fim do relatório,,2025-01-03T00:00:00Z,": false, // the time of the export
		",2025-01-01T00:00:00Z,,1.00":             true,  // a blank ID
		",,2025-01-01T00:00:00Z,1.00":             true,
		"7d1f5a53,,,1.00":                         true, // blank dates
		"42,,,1.00":                               true,
		"q,,,1.00":                                true,
		"7d1f5a53,,31,1.00":                       true,
		"7d1f5a53,31,31,1.00":                     true,
		",on 1 January,,1.00":                     true, // an unreadable date
		"Total,2025-01-01T00:00:00Z,,1.0":         true,
	} {
		table := table(t, full+row+"\n", noColumns, nil)
		if n := len(table.Quotes()); n != 1 && !quote || n != 2 && quote || n+table.OtherRowCount() != 2 {
			t.Errorf("%q: %d quotes and %d others", row, n, table.OtherRowCount())
		}
	}
}

// TestRowsOfFilesThatShowLess checks files with few columns, in which fewer rows are recognized
// as other than quotes.
func TestRowsOfFilesThatShowLess(t *testing.T) {
	for text, quotes := range map[string]int{
		"id,settled_date\nabc,\n,\n":    1, // an unsettled quote, and a row without an ID
		"settled_date,amount\n,1\n":     1,
		"quote_created_at,amount\n,1\n": 0,
		"id,amount\nTotal,1\n,2\n":      2,
		"id,quote_created_at\nTotal,\n": 0, // a file without quotes
	} {
		testmust.Equal(t, len(table(t, text, noColumns, nil).Quotes()), quotes, text, "quotes")
	}
}

// TestALabelInADateColumn checks that a label does not make the dates of its column unreadable.
func TestALabelInADateColumn(t *testing.T) {
	table := table(t, "id,quote_created_at\n1,13/01/2025 10:00:00\n,Total\n", noColumns, nil)
	if q := table.Quotes(); len(q) != 1 || q[0].CreatedAt.Unreadable {
		t.Errorf("%v", q)
	}
}
