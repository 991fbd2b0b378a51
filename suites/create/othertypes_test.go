package create

import "testing"

func TestBodiesOfOtherTypes(t *testing.T) {
	body := []byte(`{"name": "Ana & Zé", "income": 9007199254740991, "pep": false,
		"document": {"number": "01", "inner": {"x": "<"}}}`)
	const form = "document.inner.x=%3C&document.number=01&income=9007199254740991&name=Ana+%26+Z%C3%A9&pep=false"
	if got := string(asForm(body)); got != form {
		t.Errorf("form: %s", got)
	}
	const text = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<legal_representative><document><inner><x>&lt;</x></inner><number>01</number></document>` +
		`<income>9007199254740991</income><name>Ana &amp; Zé</name><pep>false</pep></legal_representative>`
	if got := string(asXML(body)); got != text {
		t.Errorf("XML: %s", got)
	}
}

func TestKindsOfIdentityDocuments(t *testing.T) {
	for _, c := range []struct{ text, kind, want string }{
		{"cnh", "Passport", "passport"},
		{"CNH", "Passport", "PASSPORT"},
		{"Cnh", "Passport", "Passport"},
		{"cnh", "", "cnh"},
		{"front", "ID", "front"},
	} {
		if got := inKind(c.text, c.kind); got != c.want {
			t.Errorf("%s as %s: %s, want %s", c.text, c.kind, got, c.want)
		}
	}
}
