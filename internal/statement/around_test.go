package statement

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
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
	titled := deployment.CSV{
		Columns: deployment.Columns{ID: "Número", QuoteCreatedAt: "Criado em"},
	}
	s, table, fileErr, columnErr := Read(
		strings.NewReader("Extrato\nNúmero,Criado em\na,2025-01-01T00:00:00Z\n"), titled, 0)
	if fileErr != nil || columnErr != nil || table.QuoteCount() != 1 || s.LinesAroundTable() == "" {
		t.Errorf("titles of the deployment file: %v, %v", fileErr, columnErr)
	}
}
