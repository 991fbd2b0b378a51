package matchers_test

import (
	"testing"

	. "github.com/gateassay/gateassay/suites/matchers"
)

func TestShapeNamesKeysAndNoValues(t *testing.T) {
	for body, want := range map[string]string{
		"":                     "no body",
		"oops":                 "no JSON",
		"{":                    "no JSON",
		`["a"]`:                "JSON, no object",
		"null":                 "JSON, no object",
		`"text"`:               "JSON, no object",
		"{}":                   "{}",
		`{"b":1,"a":"secret"}`: "{a, b}",
		`{"b":{"d":1,"c":{"e":1}},"a":[{"x":1}]}`: "{a, b {c, d}}",
		`{"error":{}}`: "{error {}}",
	} {
		if got := Shape(answer(200, body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
