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
		kind      FieldKind
		good, bad []any
	}{
		{
			KindUUID,
			[]any{"3F0A1A52-4B19-1c0e-9D8E-27A1F2F7C001"},
			[]any{"3f0a1a524b194c0e9d8e27a1f2f7c001", "", number("42"), nil, id + "1\n", "{" + id + "1}", id + "g"},
		},
		{KindDigits, []any{"01234567890", "1"}, []any{"012.345.678-90", "", number("1234567890"), "１２３", "-1"}},
		{
			KindCents,
			[]any{number("0"), number("1e3"), number("100.0"), number("9007199254740991"), number("-1")},
			// 1e99999 is beyond all reason, and no proof of a whole number.
			[]any{number("100.5"), "100", nil, true, number("1e99999"), number("")},
		},
		{KindNumber, []any{number("33.33"), number("-1e400")}, []any{"33.33", nil}},
		{KindBoolean, []any{true, false}, []any{"true", number("1"), nil}},
		{
			KindDate, []any{"2024-02-29"}, []any{
				"2023-02-29", "2024-02-29T00:00:00Z", "29/02/2024", number("20240229"), "2024-2-29",
				"2024-13-01", nil,
				"",
			},
		},
		{
			KindDateTime,
			[]any{
				"2025-01-02T03:04:05Z", "2025-01-02t03:04:05.123456789012z", "2025-01-02T03:04:05.1-03:00",
				"2025-01-02T03:04:05", "2025-01-02 03:04:05Z",
			},
			[]any{
				"2025-01-02", number("1735689600"), "2025-01-02T03:04:05,5Z", nil,
				"2025-02-30T00:00:00Z", "2025-01-02T24:00:00Z", "2025-01-02T03:04:05-0300",
				"2025-01-02T03:04:05.Z",
				"2025-01-02T03:04:05ZZ",
			},
		},
		{
			KindEnum,
			[]any{"PARTNER", "OTHER", "ADMINISTRATOR", "ATTORNEY"},
			[]any{"partner", "DIRECTOR", number("1")},
		},
		{KindCPF, []any{"CPF"}, []any{"cpf", "RG", nil}},
		{KindText, []any{"", "x"}, []any{map[string]any{}, nil, number("1")}},
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

func answerMatcher(status int, body string) *client.Exchange {
	return &client.Exchange{Status: status, Body: []byte(body)}
}

func TestMakeNoSecondRecord(t *testing.T) {
	for _, c := range []struct {
		again *client.Exchange
		want  bool
	}{
		{answerMatcher(409, ""), true},
		{answerMatcher(200, oneID), true},
		{answerMatcher(201, strings.ToUpper(oneID[7:])), false},
		{answerMatcher(201, otherID), false},
		{answerMatcher(202, ""), false},
		{answerMatcher(302, ""), false},
		{answerMatcher(400, ""), false},
		{answerMatcher(500, ""), false},
	} {
		r := RepeatedCreation{First: answerMatcher(http.StatusCreated, oneID), Repeat: c.again}
		if ok, err := MakeNoSecondRecord().Match(r); ok != c.want || err != nil {
			t.Errorf("%d %s: %v %v", c.again.Status, c.again.Body, ok, err)
		}
	}
}

func TestMakeOneRecord(t *testing.T) {
	conflict, throttled, silent := answerMatcher(409, ""), answerMatcher(429, ""), answerMatcher(0, "")
	for name, c := range map[string]struct {
		answers []*client.Exchange
		want    bool
	}{
		"one and conflicts":   {[]*client.Exchange{conflict, answerMatcher(201, oneID), conflict, throttled, silent}, true},
		"the same every time": {[]*client.Exchange{answerMatcher(201, oneID), answerMatcher(200, oneID)}, true},
		"two records":         {[]*client.Exchange{answerMatcher(201, oneID), answerMatcher(201, otherID)}, false},
		"a nameless success":  {[]*client.Exchange{answerMatcher(201, oneID), answerMatcher(202, "")}, false},
		"a server error":      {[]*client.Exchange{answerMatcher(201, oneID), answerMatcher(500, "")}, false},
		"another refusal":     {[]*client.Exchange{answerMatcher(201, oneID), answerMatcher(422, "")}, false},
	} {
		if ok, err := MakeOneRecord().Match(c.answers); ok != c.want || err != nil {
			t.Errorf("%s: %v %v", name, ok, err)
		}
	}
}
