package matchers_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	. "github.com/gateassay/gateassay/suites/matchers"
)

func TestFits(t *testing.T) {
	number := func(text string) any { return json.Number(text) }
	const id = "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c00"
	for _, c := range []struct {
		kind      Kind
		good, bad []any
	}{
		{
			UUID,
			[]any{"3F0A1A52-4B19-1c0e-9D8E-27A1F2F7C001"},
			[]any{"3f0a1a524b194c0e9d8e27a1f2f7c001", "", number("42"), nil, id + "1\n", "{" + id + "1}", id + "g"},
		},
		{Digits, []any{"01234567890", "1"}, []any{"012.345.678-90", "", number("1234567890"), "１２３", "-1"}},
		{
			Cents,
			[]any{number("0"), number("1e3"), number("100.0"), number("9007199254740991"), number("-1")},
			// 1e99999 is beyond all reason, and no proof of a whole number.
			[]any{number("100.5"), "100", nil, true, number("1e99999"), number("")},
		},
		{Number, []any{number("33.33"), number("-1e400")}, []any{"33.33", nil}},
		{Flag, []any{true, false}, []any{"true", number("1"), nil}},
		{
			Date, []any{"2024-02-29"}, []any{
				"2023-02-29", "2024-02-29T00:00:00Z", "29/02/2024", number("20240229"), "2024-2-29", "2024-13-01", nil,
				"",
			},
		},
		{
			DateTime,
			[]any{
				"2025-01-02T03:04:05Z", "2025-01-02t03:04:05.123456789012z", "2025-01-02T03:04:05.1-03:00",
				"2025-01-02T03:04:05", "2025-01-02 03:04:05Z",
			},
			[]any{
				"2025-01-02", number("1735689600"), "2025-01-02T03:04:05,5Z", nil,
				"2025-02-30T00:00:00Z", "2025-01-02T24:00:00Z", "2025-01-02T03:04:05-0300", "2025-01-02T03:04:05.Z",
				"2025-01-02T03:04:05ZZ",
			},
		},
		{
			Choice,
			[]any{"PARTNER", "OTHER", "ADMINISTRATOR", "ATTORNEY"},
			[]any{"partner", "DIRECTOR", number("1")},
		},
		{CPF, []any{"CPF"}, []any{"cpf", "RG", nil}},
		{Text, []any{"", "x"}, []any{map[string]any{}, nil, number("1")}},
	} {
		for i, v := range slices.Concat(c.good, c.bad) {
			if want := i < len(c.good); c.kind.Fits(v) != want {
				t.Errorf("%v is %s: want %v", v, c.kind, want)
			}
		}
	}
}

const (
	oneID   = `{"id": "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001"}`
	otherID = `{"id": "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c002"}`
)

func answer(status int, body string) *client.Exchange {
	return &client.Exchange{Status: status, Body: []byte(body)}
}

func TestMakeNoSecondRecord(t *testing.T) {
	for _, c := range []struct {
		again *client.Exchange
		want  bool
	}{
		{answer(409, ""), true},
		{answer(200, oneID), true},
		{answer(201, strings.ToUpper(oneID[7:])), false},
		{answer(201, otherID), false},
		{answer(202, ""), false},
		{answer(302, ""), false},
		{answer(400, ""), false},
		{answer(500, ""), false},
	} {
		r := Repetition{First: answer(http.StatusCreated, oneID), Again: c.again}
		if ok, err := MakeNoSecondRecord().Match(r); ok != c.want || err != nil {
			t.Errorf("%d %s: %v %v", c.again.Status, c.again.Body, ok, err)
		}
	}
}

func TestMakeOneRecord(t *testing.T) {
	conflict, throttled, silent := answer(409, ""), answer(429, ""), answer(0, "")
	for name, c := range map[string]struct {
		answers []*client.Exchange
		want    bool
	}{
		"one and conflicts":   {[]*client.Exchange{conflict, answer(201, oneID), conflict, throttled, silent}, true},
		"the same every time": {[]*client.Exchange{answer(201, oneID), answer(200, oneID)}, true},
		"two records":         {[]*client.Exchange{answer(201, oneID), answer(201, otherID)}, false},
		"a nameless success":  {[]*client.Exchange{answer(201, oneID), answer(202, "")}, false},
		"a server error":      {[]*client.Exchange{answer(201, oneID), answer(500, "")}, false},
		"another refusal":     {[]*client.Exchange{answer(201, oneID), answer(422, "")}, false},
	} {
		if ok, err := MakeOneRecord().Match(c.answers); ok != c.want || err != nil {
			t.Errorf("%s: %v %v", name, ok, err)
		}
	}
}
