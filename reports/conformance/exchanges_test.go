package conformance

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestTheFieldOfARuleIsMarked(t *testing.T) {
	body := indentJSON(
		`{"id":"a","document":{"id":"b","number":7},"email":null,"rows":[{"number":8}],"text":"\"email\": no member"}`,
	)
	for field, want := range map[string]string{
		"document.number": `"number": 7`, "email.null": `"email": null,`, "id": `"id": "a",|"id": "b",`,
		"number":   `"number": 7|"number": 8`,
		"document": `"document": {`, "nothing": "", "": "", "rows": `"rows": [`,
	} {
		var hits []string
		whole := ""
		for _, p := range markField(body, "create.response."+field) {
			whole += p.Text
			if p.Marked {
				hits = append(hits, strings.TrimSpace(p.Text))
			}
		}
		testmust.Equal(t, strings.Join(hits, "|"), want, field)
		testmust.Equal(t, whole, body, field)
	}
}
