package matchers_test

import (
	"encoding/json"
	"testing"

	"github.com/gateassay/gateassay/internal/representative"
	. "github.com/gateassay/gateassay/suites/matchers"
)

func TestEchoesCompareValuesNotTypes(t *testing.T) {
	const alike, unlike, incomparable = "the same", "another value", "not comparable"
	for _, c := range []struct {
		kind      Kind
		sent, got any
		want      string
	}{
		{Flag, true, false, unlike},
		{Flag, true, "TRUE", alike},
		{Flag, true, json.Number("1"), alike},
		{Flag, false, json.Number("1"), unlike},
		{Flag, true, "false", unlike},
		{Flag, true, json.Number("2"), incomparable},
		{Flag, true, nil, incomparable},

		{Number, json.Number("50"), json.Number("50.0"), alike},
		{Number, representative.Raw("5e1"), json.Number("50"), alike},
		{Number, json.Number("50"), " 50 ", alike},
		{Number, json.Number("50"), "0050", alike},
		{Number, json.Number("50"), "0051", unlike},
		{Number, json.Number("50"), "fifty", incomparable},
		{Number, json.Number("50"), nil, incomparable},

		{Cents, int64(9007199254740993), json.Number("9007199254740993"), alike},
		{Cents, int64(9007199254740993), json.Number("9007199254740992"), unlike},
		{Cents, int64(100), json.Number("1.00"), unlike},
		{Cents, int64(150), json.Number("1.50"), incomparable},
		{Cents, int64(12345), "012345", alike},
		{Number, json.Number("33.33"), json.Number("33.330"), alike},
		{Number, json.Number("33.33"), "33.33", alike},
		{Number, json.Number("33.33"), json.Number("33.33000183105469"), unlike},
		{Number, 100, json.Number("1e2"), alike},

		{Text, "Jos\u00e9", "Jose\u0301", alike},
		{Text, "Jos\u00e9", "Jose", unlike},

		{Digits, "01234567890", "012.345.678-90", alike},
		{Digits, "01234567890", "012.345.678-91", unlike},
		{Digits, "01234567890", json.Number("1234567890"), alike},
		{Digits, "01234567890", "***.345.678-**", incomparable},

		{Date, "2024-02-29", "2024-02-28", unlike},
		{Date, "2024-02-29", "2024-02-29T00:00:00Z", alike},
		{Date, "2024-02-29", "2024-02-29 00:00:00", alike},
		{Date, "2024-02-29", "2024-02-291", incomparable},
		{Date, "2024-02-29", "2024-02-29X00", incomparable},
		{Date, "2024-02-29", "29/02/2024", incomparable},
		{Date, "2024-02-29", json.Number("20240229"), incomparable},
		{Date, "20240229", json.Number("20240229"), alike},
		{Date, "2020-02-29", "2020-02-28T21:00:00-03:00", unlike},

		{UUID, "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c002", unlike},
		{UUID, "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3f0a1a524b194c0e9d8e27a1f2f7c001", incomparable},
		{UUID, "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3F0A1A52-4B19-4C0E-9D8E-27A1F2F7C001", alike},
		{Choice, "ATTORNEY", "attorney", incomparable},
		{Choice, "ATTORNEY", "OTHER", unlike},

		{Text, "120", json.Number("120"), alike},
		{Text, "120", json.Number("121"), incomparable},
		{Text, map[string]any{"a": 1}, `{"a":1}`, alike},
		{Text, "José", []any{"José"}, incomparable},
	} {
		same, comparable := Echo{Field{Kind: c.kind}, c.sent, c.got}.Same()
		if is := map[bool]string{true: alike, false: unlike}[same]; comparable && is != c.want || comparable == (c.want == incomparable) {
			t.Errorf("%s: sent %v, got %v: %s, %v, want %s", c.kind, c.sent, c.got, is, comparable, c.want)
		}
	}
}
