package representative_test

import (
	"testing"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestARecordIsFoundInItsEnvelope(t *testing.T) {
	for _, c := range []struct{ body, envelope, id string }{
		{`{"id": "a", "name": "N"}`, "", "a"},
		{`{"data": {"id": "a", "name": "N"}}`, "data", "a"},
		{`{"status": "ok", "id": "outside", "result": {"id": 17, "document": {}}}`, "result", "17"},
		// the body is a record itself
		{`{"id": "a", "name": "N", "before": {"id": "b", "name": "M"}}`, "", "a"},
		// ambiguous
		{`{"id": "a", "before": {"id": "b", "name": "N"}, "after": {"id": "c", "name": "N"}}`, "", "a"},
		{`{"data": [{"id": "a", "name": "N"}]}`, "", ""},
		{`{"data": {"id": "a"}}`, "", ""},
	} {
		record := testmust.Get(representative.Parse([]byte(c.body)))(t)
		testmust.Equal(t, record.Envelope, c.envelope, c.body)
		if id := representative.RecordID([]byte(c.body)); id != c.id {
			t.Errorf("%s: id %q, want %q", c.body, id, c.id)
		}
	}
	for _, body := range []string{
		"no JSON", "", "null", "[]", `"id"`, `{"id": "a"`, `{"id": "a"} {}`, `{"id": "a", "x": {]}`,
		`{"id": true}`, `{"id": {}}`,
		`{"id": "a"} x`,
	} {
		testmust.Equal(t, representative.RecordID([]byte(body)), "", body)
	}
	for _, body := range []string{
		`{"id": "b", "id": "a", "x": [{"name": 1}], "\u0069": 1}` + "\n", "{\"\xff\": 1, \"id\": \"a\"}",
		`{"x": {"id": "a", "name": {"id": "b"}, "y": {"id": "c", "name": 1}}, "id": "d"}`,
	} {
		testmust.Equal(t, representative.RecordID([]byte(body)), "a", body)
	}
}
