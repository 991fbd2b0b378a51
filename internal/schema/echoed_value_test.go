package schema

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestEchoesCompareValuesNotTypes(t *testing.T) {
	number := func(text string) json.Number { return json.Number(text) }
	const id = "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c00"
	for _, c := range []struct {
		kind                      FieldKind
		sent                      any
		same, another, unreadable []any
	}{
		{KindBoolean, true, []any{"TRUE", number("1")}, []any{false, "false"}, []any{number("2"), nil}},
		{KindBoolean, false, nil, []any{number("1")}, nil},

		{
			KindNumber, number("50"),
			[]any{number("50.0"), " 50 ", "0050"},
			[]any{"0051"},
			[]any{"fifty", nil},
		},
		{KindNumber, representative.RawJSON("5e1"), []any{number("50")}, nil, nil},
		{
			KindNumber, number("33.33"),
			[]any{number("33.330"), "33.33"},
			[]any{number("33.33000183105469")},
			nil,
		},
		{KindNumber, 100, []any{number("1e2")}, nil, nil},

		{
			KindCents, int64(9007199254740993),
			[]any{number("9007199254740993")},
			[]any{number("9007199254740992")},
			nil,
		},
		{KindCents, int64(100), nil, []any{number("1.00")}, nil},
		{KindCents, int64(150), nil, nil, []any{number("1.50")}},
		{KindCents, int64(12345), []any{"012345"}, nil, nil},

		{KindText, "Jos\u00e9", []any{"Jose\u0301"}, []any{"Jose"}, []any{[]any{"Jos\u00e9"}}},
		{KindText, "120", []any{number("120")}, nil, []any{number("121")}},
		{KindText, map[string]any{"a": 1}, []any{`{"a":1}`}, nil, nil},

		{
			KindDigits, "01234567890",
			[]any{"012.345.678-90", number("1234567890")},
			[]any{"012.345.678-91"},
			[]any{"***.345.678-**"},
		},

		{
			KindDate, "2024-02-29",
			[]any{"2024-02-29T00:00:00Z", "2024-02-29 00:00:00"},
			[]any{"2024-02-28", "2024-02-28T21:00:00-03:00"},
			[]any{"2024-02-291", "2024-02-29X00", "29/02/2024", number("20240229")},
		},
		{KindDate, "20240229", []any{number("20240229")}, nil, nil},

		{
			KindUUID, id + "1",
			[]any{"3F0A1A52-4B19-4C0E-9D8E-27A1F2F7C001"},
			[]any{id + "2"},
			[]any{"3f0a1a524b194c0e9d8e27a1f2f7c001"},
		},
		{KindEnum, "ATTORNEY", nil, []any{"OTHER"}, []any{"attorney"}},
	} {
		for i, got := range slices.Concat(c.same, c.another, c.unreadable) {
			isSame, isComparable := i < len(c.same), i < len(c.same)+len(c.another)
			same, comparable := EchoedValue{Field{Kind: c.kind}, c.sent, got}.CompareValues()
			if comparable != isComparable || comparable && same != isSame {
				t.Errorf("%s: sent %v, got %v: %v, %v", c.kind, c.sent, got, same, comparable)
			}
		}
	}
}

// TestContrast checks descriptions of sent and received values, masked for personal fields.
func TestContrast(t *testing.T) {
	for _, c := range []struct {
		path      string
		sent, got any
		want      string
	}{
		{"income", int64(100), json.Number("1"), "sent 100, got 1"},
		{"address.city", "Belém", nil, `sent "Belém", got null`},
		{"name", "José", "Jose", "without its accents"},
		{"name", "Ana", "José", "sent (masked) \"Xxx\", got (masked) \"Xxxx\u0301\""},
		{"birth_date", "1990-01-31", "1990-01-30", "another date, off by 1 day"},
	} {
		testmust.Equal(t, (EchoedValue{Field{Path: c.path}, c.sent, c.got}).SentAndReceived(),
			c.want, c.path)
	}
}

func TestAltered(t *testing.T) {
	for _, x := range [][3]string{
		{"José", "JOSÉ", "in another case"},
		{"José", "Jose", "without its accents"},
		{"José", "JosÃ©", "with UTF-8 read as Latin-1"},
		{"D'Ávila", "D&#39;Ávila", "with HTML escaped"},
		{"01310", "1310", "without its leading zeros"},
		{"Rua Azul", "Rua Az", "cut after 6 of 8 characters"},
		{"1990-01-31", "1990-01-30", "another date, off by 1 day"},
		{"José", "Maria", ""},
		{"José", "", ""},
	} {
		testmust.Equal(t, describeAlteration(x[0], x[1]), x[2], x[0], x[1])
	}
}
