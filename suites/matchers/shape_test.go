package matchers_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	. "github.com/gateassay/gateassay/suites/matchers"
)

func TestShownKeepsPersonalValuesOut(t *testing.T) {
	for _, c := range []struct {
		path  string
		value any
		want  string
	}{
		{"income", nil, "null"},
		{"document", map[string]any{"a": 1}, "an object"},
		{"document", []any{1}, "an array"},
		{"pep", true, "true"},
		{"pep", false, "false"},
		{"pep", 3, "nothing"},
		{"income", json.Number("12.5"), "the number 12.5"},
		{"address.city", "São Paulo", `the string "São Paulo"`},
		{"address.city", strings.Repeat("x", 60), `the string "` + strings.Repeat("x", 60) + `"`},
		{"address.city", strings.Repeat("x", 61), `the string "` + strings.Repeat("x", 60) + `…"`},
		{"name", "Ana Çelik-1", "a string (masked: Xxx Xxxxx-#)"},
		{"document.number", json.Number("12345678909"), "a number (masked: ###########)"},
		{"birth_date", "1990-01-31", "a string (masked: ####-##-##)"},
		{"phone_number", "+55", "a string (masked: +##)"},
		{"email", "Az@b.c", "a string (masked: Xx@x.x)"},
		{"address.zip_code", "13A", "a string (masked: ##X)"},
		{"address.street", "Rua 7", "a string (masked: Xxx #)"},
		{"address.complement", "B", "a string (masked: X)"},
	} {
		if got := Shown(c.path, c.value); got != c.want {
			t.Errorf("%s %v: %q, want %q", c.path, c.value, got, c.want)
		}
	}
}

func TestExpectedWordsEveryKind(t *testing.T) {
	for kind, want := range map[string]string{
		"uuid": "a UUID: 8-4-4-4-12 hexadecimal digits", "text": "a string", "cpf_type": `"CPF"`,
		"digits": "a string of digits only",
		"number": "a number", "qualification": "PARTNER, ATTORNEY, ADMINISTRATOR, OTHER", "integer": "a whole number",
		"boolean": "true or false", "date": "a date written YYYY-MM-DD",
		"datetime":      "a date-time such as 2025-01-31T12:00:00Z",
		"anything else": "anything else",
	} {
		if got := Expected(kind); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
}

func TestInstant(t *testing.T) {
	at, ok := Instant("2025-01-02t03:04:05.250-03:00")
	if want := time.Date(2025, 1, 2, 6, 4, 5, 250_000_000, time.UTC); !ok || !at.Equal(want) {
		t.Errorf("%v %v, want %v", at, ok, want)
	}
	for _, text := range []string{"2025-01-02", "2025-01-02T03:04:05"} {
		if at, ok := Instant(text); ok || !at.IsZero() {
			t.Errorf("%s is not an instant: %v %v", text, at, ok)
		}
	}
}

func TestRecordID(t *testing.T) {
	for body, want := range map[string]string{
		`{"id": "3F0A1A52-4B19-4C0E-9D8E-27A1F2F7C001"}`: "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001",
		`{"id": "17"}`:   "17",
		`{"id": 17}`:     "17",
		`{"id": "a-17"}`: "",
		`{"id": null}`:   "",
		`{}`:             "",
		`[]`:             "",
		``:               "",
		oneID + " more":  "",
	} {
		if id, ok := RecordID(answer(201, body)); id != want || ok != (want != "") {
			t.Errorf("%s: %q %v", body, id, ok)
		}
	}
	if _, ok := RecordID(nil); ok {
		t.Error("an ID of nothing")
	}
	if _, ok := RecordID(answer(409, oneID)); ok {
		t.Error("a conflict creates no record")
	}
}

func TestHoldThroughout(t *testing.T) {
	m := HoldThroughout("record", "a whole number")
	if ok, err := m.Match(Tally{Judged: 3}); !ok || err != nil {
		t.Errorf("nothing broken: %v %v", ok, err)
	}
	var tally Tally
	for i, c := range []struct{ want, actual string }{
		{"Record: a, expected a whole number", "a in x"},
		{"Record, 2 of 2: a, expected a whole number", "a in x\nb in x (2 of 2 answers)"},
		{"Record, 3 of 3: a, expected a whole number", "a in x\nb in x\nc in x (3 of 3 answers)"},
		{"Record, 4 of 4: a, expected a whole number", "a in x\nb in x\nc in x\nand 1 more (4 of 4 answers)"},
	} {
		tally.Add(answer(201, ""), string(rune('a'+i)), "x")
		if ok, err := m.Match(tally); ok || err != nil {
			t.Errorf("%v: %v %v", tally, ok, err)
		}
		if f := m.Finding(tally); f.Sentence() != c.want || f.Actual != c.actual || f.Status != 201 {
			t.Errorf("%s\n%+v", f.Sentence(), f)
		}
	}
	if _, err := m.Match(1); err == nil || err.Error() != "the matcher judges matchers.Tally, not int" {
		t.Errorf("judged a number: %v", err)
	}
}
