package conformance

import (
	"strings"
	"testing"
)

func TestTheFieldOfARuleIsMarked(t *testing.T) {
	body := pretty(`{"id":"a","document":{"id":"b","number":7},"email":null,"rows":[{"number":8}],"text":"\"email\": no member"}`)
	for field, want := range map[string]string{
		"document.number": `"number": 7`, "email.null": `"email": null,`, "id": `"id": "a",|"id": "b",`,
		"number":   `"number": 7|"number": 8`,
		"document": `"document": {`, "nothing": "", "": "", "rows": `"rows": [`,
	} {
		var hits []string
		whole := ""
		for _, p := range marked(body, field) {
			whole += p.Text
			if p.Marked {
				hits = append(hits, p.Text)
			}
		}
		if got := strings.Join(hits, "|"); got != want || whole != body {
			t.Errorf("%q marks %s, want %s\n%s", field, got, want, whole)
		}
	}
	for id, want := range map[string]string{
		"create.response.document.number": "document.number",
		"create.person_type":              "", "a": "",
	} {
		if got := fieldOf(id); got != want {
			t.Errorf("%s: %q", id, got)
		}
	}
}
