package schema

import (
	"encoding/json"
	"testing"

	"github.com/gateassay/gateassay/internal/representative"
)

func TestEchoesCompareValuesNotTypes(t *testing.T) {
	const alike, unlike, incomparable = "the same", "another value", "not comparable"
	for _, c := range []struct {
		kind      FieldKind
		sent, got any
		want      string
	}{
		{KindBoolean, true, false, unlike},
		{KindBoolean, true, "TRUE", alike},
		{KindBoolean, true, json.Number("1"), alike},
		{KindBoolean, false, json.Number("1"), unlike},
		{KindBoolean, true, "false", unlike},
		{KindBoolean, true, json.Number("2"), incomparable},
		{KindBoolean, true, nil, incomparable},

		{KindNumber, json.Number("50"), json.Number("50.0"), alike},
		{KindNumber, representative.RawJSON("5e1"), json.Number("50"), alike},
		{KindNumber, json.Number("50"), " 50 ", alike},
		{KindNumber, json.Number("50"), "0050", alike},
		{KindNumber, json.Number("50"), "0051", unlike},
		{KindNumber, json.Number("50"), "fifty", incomparable},
		{KindNumber, json.Number("50"), nil, incomparable},

		{KindCents, int64(9007199254740993), json.Number("9007199254740993"), alike},
		{KindCents, int64(9007199254740993), json.Number("9007199254740992"), unlike},
		{KindCents, int64(100), json.Number("1.00"), unlike},
		{KindCents, int64(150), json.Number("1.50"), incomparable},
		{KindCents, int64(12345), "012345", alike},
		{KindNumber, json.Number("33.33"), json.Number("33.330"), alike},
		{KindNumber, json.Number("33.33"), "33.33", alike},
		{KindNumber, json.Number("33.33"), json.Number("33.33000183105469"), unlike},
		{KindNumber, 100, json.Number("1e2"), alike},

		{KindText, "Jos\u00e9", "Jose\u0301", alike},
		{KindText, "Jos\u00e9", "Jose", unlike},

		{KindDigits, "01234567890", "012.345.678-90", alike},
		{KindDigits, "01234567890", "012.345.678-91", unlike},
		{KindDigits, "01234567890", json.Number("1234567890"), alike},
		{KindDigits, "01234567890", "***.345.678-**", incomparable},

		{KindDate, "2024-02-29", "2024-02-28", unlike},
		{KindDate, "2024-02-29", "2024-02-29T00:00:00Z", alike},
		{KindDate, "2024-02-29", "2024-02-29 00:00:00", alike},
		{KindDate, "2024-02-29", "2024-02-291", incomparable},
		{KindDate, "2024-02-29", "2024-02-29X00", incomparable},
		{KindDate, "2024-02-29", "29/02/2024", incomparable},
		{KindDate, "2024-02-29", json.Number("20240229"), incomparable},
		{KindDate, "20240229", json.Number("20240229"), alike},
		{KindDate, "2020-02-29", "2020-02-28T21:00:00-03:00", unlike},

		{
			KindUUID, "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c002", unlike,
		},
		{
			KindUUID, "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3f0a1a524b194c0e9d8e27a1f2f7c001",
			incomparable,
		},
		{KindUUID, "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3F0A1A52-4B19-4C0E-9D8E-27A1F2F7C001", alike},
		{KindEnum, "ATTORNEY", "attorney", incomparable},
		{KindEnum, "ATTORNEY", "OTHER", unlike},

		{KindText, "120", json.Number("120"), alike},
		{KindText, "120", json.Number("121"), incomparable},
		{KindText, map[string]any{"a": 1}, `{"a":1}`, alike},
		{KindText, "José", []any{"José"}, incomparable},
	} {
		same, comparable := EchoedValue{Field{Kind: c.kind}, c.sent, c.got}.CompareValues()
		is := unlike
		if same {
			is = alike
		}
		if comparable && is != c.want || comparable == (c.want == incomparable) {
			t.Errorf("%s: sent %v, got %v: %s, %v, want %s", c.kind, c.sent, c.got, is, comparable, c.want)
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
		if got := (EchoedValue{Field{Path: c.path}, c.sent, c.got}).SentAndReceived(); got != c.want {
			t.Errorf("%s: %s, expected %s", c.path, got, c.want)
		}
	}
}
