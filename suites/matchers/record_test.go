package matchers_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/suites/matchers"
)

func TestFits(t *testing.T) {
	for _, c := range []struct {
		kind string
		good []any
		bad  []any
	}{
		{
			"uuid",
			[]any{"3F0A1A52-4B19-1c0e-9D8E-27A1F2F7C001"},
			[]any{"3f0a1a524b194c0e9d8e27a1f2f7c001", "", json.Number("42"), nil},
		},
		{"digits", []any{"01234567890"}, []any{"012.345.678-90", "", json.Number("1234567890"), "１２３"}},
		{
			"integer",
			[]any{json.Number("0"), json.Number("1e3"), json.Number("100.0"), json.Number("9007199254740991")},
			[]any{json.Number("100.5"), "100", nil, true},
		},
		{"number", []any{json.Number("33.33")}, []any{"33.33", nil}},
		{"boolean", []any{true, false}, []any{"true", json.Number("1")}},
		{"date", []any{"2024-02-29"}, []any{
			"2023-02-29", "2024-02-29T00:00:00Z", "29/02/2024",
			json.Number("20240229"),
		}},
		{
			"datetime",
			[]any{
				"2025-01-02T03:04:05Z", "2025-01-02t03:04:05.123456789012z", "2025-01-02T03:04:05.1-03:00",
				"2025-01-02T03:04:05",
			},
			[]any{"2025-01-02", "2025-01-02 03:04:05Z", json.Number("1735689600"), "2025-01-02T03:04:05,5Z"},
		},
		{"qualification", []any{"PARTNER", "OTHER"}, []any{"partner", "DIRECTOR"}},
		{"cpf_type", []any{"CPF"}, []any{"cpf", "RG"}},
		{"text", []any{""}, []any{map[string]any{}, nil}},
	} {
		for _, v := range c.good {
			if !Fits(c.kind, v) {
				t.Errorf("%v is %s", v, c.kind)
			}
		}
		for _, v := range c.bad {
			if Fits(c.kind, v) {
				t.Errorf("%v is no %s", v, c.kind)
			}
		}
	}
}

func TestEchoesCompareValuesNotTypes(t *testing.T) {
	const alike, unlike, incomparable = Alike, Unlike, Incomparable
	for _, c := range []struct {
		kind      string
		sent, got any
		want      Likeness
	}{
		{"number", json.Number("33.33"), json.Number("33.330"), alike},
		{"number", json.Number("33.33"), "33.33", alike},
		{"number", json.Number("33.33"), json.Number("33.33000183105469"), unlike},
		{"number", 100, json.Number("1e2"), alike},
		{"number", 100, map[string]any{}, incomparable},
		{"integer", json.Number("9007199254740991"), json.Number("9007199254740992"), unlike},
		{"integer", int64(12345), json.Number("123.45"), incomparable},
		{"integer", int64(12345), "012345", alike},
		{"digits", "01234567890", "012.345.678-90", alike},
		{"digits", "01234567890", json.Number("1234567890"), alike},
		{"digits", "01234567890", "01234567891", unlike},
		{"digits", "01234567890", "***.345.678-**", incomparable},
		{"date", "2020-02-29", "2020-02-29T00:00:00Z", alike},
		{"date", "2020-02-29", "2020-02-28T21:00:00-03:00", unlike},
		{"date", "2020-02-29", "29/02/2020", incomparable},
		{"boolean", true, "true", alike},
		{"boolean", true, json.Number("0"), unlike},
		{"boolean", false, map[string]any{}, incomparable},
		{"qualification", "ATTORNEY", "attorney", incomparable},
		{"qualification", "ATTORNEY", "OTHER", unlike},
		{"uuid", "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3F0A1A52-4B19-4C0E-9D8E-27A1F2F7C001", alike},
		{"text", "José D'Ávila", "Jose D'Avila", unlike},
		{"text", "José", []any{"José"}, incomparable},
	} {
		e := Echo{Path: "x", Kind: c.kind, Sent: c.sent, Got: c.got}
		if got := e.Likeness(); got != c.want {
			t.Errorf("%s: sent %v, got %v: %d, expected %d", c.kind, c.sent, c.got, got, c.want)
		}
	}
}

func TestEchoMessagesShowWhereTextsDiffer(t *testing.T) {
	e := Echo{Path: "name", Kind: "text", Sent: "Ana Çelik", Got: "Ana Celik"}
	message := ComeBackUnchanged().FailureMessage(e)
	if !strings.HasPrefix(message, `name came back changed: sent "Ana Çelik", got "Ana Celik"`+"\n") {
		t.Errorf("found %s", message)
	}
	// What may be somebody else's is not shown, nor all of a number.
	for _, e := range []Echo{
		{Path: "name", Kind: "text", Sent: "Ana Çelik", Got: "Rui Prado"},
		{Path: "document.number", Kind: "digits", Sent: "52998224725", Got: "5299822472"},
		{Path: "email", Kind: "text", Sent: "ana.celik@example.com", Got: "ana.celik@example.org"},
	} {
		message := ComeBackUnchanged().FailureMessage(e)
		if strings.Contains(message, e.Got.(string)) || e.Path != "name" && strings.Contains(message, e.Sent.(string)) {
			t.Errorf("found %s", message)
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
		if ok, err := MakeNoSecondRecord("The same creation again").Match(r); ok != c.want || err != nil {
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
