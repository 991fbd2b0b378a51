package statement

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestWhatStandsAroundTheTable(t *testing.T) {
	const table = "id;client_id;quote_created_at\na;c;2025-01-01T00:00:00Z\nb;c;2025-01-02T00:00:00Z\n"
	for name, c := range map[string]struct{ text, around string }{
		"nothing": {table, ""},
		"a title": {"Quote statement\n" + table, "the titles are on line 2"},
		"a padded title": {"Quote statement;;\nJanuary, all " +
			"wallets;;\n" + table, "the titles are on line 3"},
		"a hint and a blank":    {"sep=;\n\n" + table, "the titles are on line 3"},
		"a total":               {table + "Total;2\n", "line 4 is below the rows"},
		"a total behind blanks": {table + "\n2 quotes\n", "line 5 is below the rows"},
		"both": {
			"Report\n" + table + "TOTAL;2\nend\n",
			"the titles are on line 2 and line 5 is below the rows",
		},
	} {
		s, found, fileErr, columnErr := Read(strings.NewReader(c.text), deployment.CSV{}, 0)
		if fileErr != nil || columnErr != nil || len(found.Quotes()) != 2 || s.Dialect.Delimiter != ';' ||
			s.LinesAroundTable() != c.around {
			t.Errorf("%s: %v, %v, %+v", name, fileErr, columnErr, s)
			continue
		}
		if q := found.Quotes()[0]; q.Line != strings.Count(c.text[:strings.Index(c.text, "a;c;")],
			"\n")+1 {
			t.Errorf("%s: line %d", name, q.Line)
		}
	}
}

// TestRowsThatAreTooShort checks that a truncated last row is not taken for a total, and that a
// short row must follow all others.
func TestRowsThatAreTooShort(t *testing.T) {
	for name, text := range map[string]string{
		"cut off":     "id,client_id,quote_created_at\na,c,2025-01-01T00:00:00Z\nb,c",
		"amid others": "id,client_id,quote_created_at\nTotal,2\na,c,2025-01-01T00:00:00Z\n",
		"many":        "id,client_id,quote_created_at\n" + strings.Repeat("total,1\n", 5),
	} {
		if _, _, fileErr, _ := Read(strings.NewReader(text), deployment.CSV{}, 0); fileErr == nil {
			t.Errorf("%s: read", name)
		}
	}
	titled := deployment.CSV{Columns: deployment.Columns{ID: "Número", QuoteCreatedAt: "Criado em"}}
	s, table, fileErr, columnErr := Read(
		strings.NewReader("Extrato\nNúmero,Criado em\na,2025-01-01T00:00:00Z\n"), titled, 0)
	if fileErr != nil || columnErr != nil || table.QuoteCount() != 1 || s.LinesAroundTable() == "" {
		t.Errorf("titles of the deployment file: %v, %v", fileErr, columnErr)
	}
}

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
