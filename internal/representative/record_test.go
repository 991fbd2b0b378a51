package representative_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/testmust"
)

const response = `{"id":"a","document":{"number":"52998224725","id":null},"address":{"number":100},"income":9007199254740993,
 "participation_percentage":33.33,"pep":false,"tags":["x"],"huge":1e999999999,"tiny":1e-400,"money":1.0}`

func TestRecord(t *testing.T) {
	r := testmust.Get(representative.Parse([]byte(response)))(t)
	for path, want := range map[string]string{
		"id": "string", "document": "object", "document.id": "null", "document.number": "string",
		"address.number": "number", "pep": "boolean", "tags": "array", "nope": "absent",
		"document.nope":    "absent",
		"id.nope":          "absent",
		"document.id.nope": "absent", "": "absent", "tags.0": "absent",
	} {
		testmust.Equal(t, r.JSONType(path), want, path)
	}
	if value, _ := r.Get("income"); value != json.Number("9007199254740993") {
		t.Errorf("income is %v", value)
	}
}

func TestExactNumber(t *testing.T) {
	for _, text := range []string{
		"", "1/2", "0x10", "01", "1_000", "Inf", "null", `"1"`, " 1", "1e+00099999", "1e999999999", "[1]",
	} {
		if got, ok := representative.ParseExactNumber(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
	if got, ok := representative.ParseExactNumber("1e6"); !ok || got.Cmp(big.NewRat(1000000, 1)) != 0 {
		t.Error("1e6 is a million")
	}
}

func TestRecordsThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"": "empty", " \n": "empty", "{": "breaks off", `{"a":1}x`: "extra text after",
		`{"a":1} {}`: "extra text after", "[]": "array",
		"null": "null", `"x"`: "string",
		`{"a":1,"a":2}`: `"a" appears twice`, `{"a":{"b":1,"b":1}}`: `"a.b" appears twice`,
		`{"a":[{"b":1,"b":1}]}`: `"a.0.b" appears twice`,
		`{"a" 1}`:               "syntax error", `{"a":1,}`: "not JSON", `{1:2}`: "not JSON",
		"<html>":                        "not JSON",
		"{\"a\":\"\xff\"}":              "UTF-8",
		`{"secret":"hunter2"`:           "breaks off",
		strings.Repeat(`{"a":`, 100000): "nested more than 1000 levels",
		strings.Repeat(`[`, 100000):     "nested more than 1000 levels",
	} {
		r, err := representative.Parse([]byte(text))
		if err == nil || r != nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(response))
	f.Add([]byte(`{"a":[1,{"b":null}],"a":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := representative.Parse(data)
		if (r == nil) == (err == nil) {
			t.Fatalf("record %v, error %v", r, err)
		}
		if r != nil {
			r.JSONType("a.b")
		}
		representative.RecordID(data)
	})
}

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
