package answers_test

import (
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/answers"
)

func answer(status int, body string) *client.Exchange {
	return &client.Exchange{Status: status, Body: []byte(body)}
}

func TestShapeNamesKeysAndNoValues(t *testing.T) {
	for body, want := range map[string]string{
		"":                     "no body",
		"oops":                 "no JSON object",
		`["a"]`:                "no JSON object",
		"null":                 "no JSON object",
		"{}":                   "{}",
		`{"b":1,"a":"secret"}`: "{a, b}",
		`{"b":{"d":1,"c":{"e":1}},"a":[{"x":1},{"x":2}]}`: "{a.x, b.c.e, b.d}",
	} {
		testmust.Equal(t, answers.JSONShape(&client.Exchange{Body: []byte(body)}), want, body)
	}
}

func TestRecordID(t *testing.T) {
	for body, want := range map[string]string{
		`{"id": "3F0A1A52-4B19-4C0E-9D8E-27A1F2F7C001"}`: "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001",
		`{"id": "17"}`:    "17",
		`{"id": 17}`:      "17",
		`{"id": "a-17"}`:  "",
		`{"id": null}`:    "",
		`{}`:              "",
		`[]`:              "",
		``:                "",
		`{"id": 17} more`: "",
	} {
		if id, ok := answers.RecordID(answer(201, body)); id != want || ok != (want != "") {
			t.Errorf("%s: %q %v", body, id, ok)
		}
	}
	if _, ok := answers.RecordID(nil); ok {
		t.Error("an ID of nothing")
	}
	if _, ok := answers.RecordID(answer(409, `{"id": 17}`)); ok {
		t.Error("a conflict creates no record")
	}
}
