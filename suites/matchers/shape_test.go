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
		{"pep", false, "false"},
		{"income", json.Number("12.5"), "12.5"},
		{"address.city", "São Paulo", `"São Paulo"`},
		{"address.city", strings.Repeat("x", 61), `"` + strings.Repeat("x", 59) + `…"`},
		{"name", "Ana Çelik-1", `(masked) "Xxx X` + "\u0327" + `xxxx-#"`},
		{"document.number", json.Number("12345678909"), "(masked) ###########"},
		{"birth_date", "1990-01-31", `(masked) "####-##-##"`},
		{"phone_number", "+55", `(masked) "+##"`},
		{"email", "Az@b.c", `(masked) "Xx@x.x"`},
		{"address.zip_code", "13A", `(masked) "##X"`},
		{"address.street", "Rua 7", `(masked) "Xxx #"`},
		{"address.complement", "B", `(masked) "X"`},
		{"email", nil, "null"},
	} {
		if got := MaskPersonal(c.path, c.value); got != c.want {
			t.Errorf("%s %v: %q, want %q", c.path, c.value, got, c.want)
		}
	}
}

func TestInstant(t *testing.T) {
	at, ok := ParseDateTime("2025-01-02t03:04:05.250-03:00")
	if want := time.Date(2025, 1, 2, 6, 4, 5, 250_000_000, time.UTC); !ok || !at.Equal(want) {
		t.Errorf("%v %v, want %v", at, ok, want)
	}
	for _, text := range []string{"2025-01-02", "2025-01-02T03:04:05"} {
		if at, ok := ParseDateTime(text); ok || !at.IsZero() {
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
		if id, ok := RecordID(answerMatcher(201, body)); id != want || ok != (want != "") {
			t.Errorf("%s: %q %v", body, id, ok)
		}
	}
	if _, ok := RecordID(nil); ok {
		t.Error("an ID of nothing")
	}
	if _, ok := RecordID(answerMatcher(409, oneID)); ok {
		t.Error("a conflict creates no record")
	}
}

func TestHoldThroughout(t *testing.T) {
	m := HoldForEveryAnswer("record", "a whole number")
	if ok, err := m.Match(RuleTally{Judged: 3}); !ok || err != nil {
		t.Errorf("nothing broken: %v %v", ok, err)
	}
	var tally RuleTally
	for i, c := range []struct{ want, actual string }{
		{"Record: a, expected a whole number", "a"},
		{"Record, 2 of 2: a, expected a whole number", "a in exchange 7, x\nb in exchange 7, x (2 of 2 " +
			"answers)"},
	} {
		x := answerMatcher(201, "")
		x.Seq, x.Label = 7, "x"
		tally.AddAnswer(x, Flaw{Found: string(rune('a' + i))})
		if ok, err := m.Match(tally); ok || err != nil {
			t.Errorf("%v: %v %v", tally, ok, err)
		}
		if f, _ := m.Finding(tally); f.Sentence() != c.want || f.Actual != c.actual {
			t.Errorf("%s\n%+v", f.Sentence(), f)
		}
	}
	if _, err := m.Match(1); err == nil ||
		err.Error() != "the matcher judges matchers.RuleTally, not int" {
		t.Errorf("judged a number: %v", err)
	}
}
