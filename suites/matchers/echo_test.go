package matchers_test

import (
	"encoding/json"
	"testing"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/suites/matchers"
)

func TestEchoesCompareValuesNotTypes(t *testing.T) {
	const alike, unlike, incomparable = Alike, Unlike, Incomparable
	for _, c := range []struct {
		kind      Kind
		sent, got any
		want      Likeness
	}{
		{Flag, true, true, alike},
		{Flag, true, false, unlike},
		{Flag, false, false, alike},
		{Flag, true, "TRUE", alike},
		{Flag, false, "true", unlike},
		{Flag, true, json.Number("1"), alike},
		{Flag, false, json.Number("1"), unlike},
		{Flag, false, "false", alike},
		{Flag, true, "false", unlike},
		{Flag, true, json.Number("2"), incomparable},
		{Flag, true, nil, incomparable},
		{Flag, true, "true", alike},
		{Flag, true, json.Number("0"), unlike},
		{Flag, false, map[string]any{}, incomparable},

		{Number, json.Number("50"), json.Number("50.0"), alike},
		{Number, 50, json.Number("50"), alike},
		{Number, representative.Raw("5e1"), json.Number("50"), alike},
		{Number, json.Number("50"), " 50 ", alike},
		{Number, json.Number("50"), "0050", alike},
		{Number, json.Number("50"), "0051", unlike},
		{Number, json.Number("50"), json.Number("50.5"), unlike},
		{Number, json.Number("50"), "fifty", incomparable},
		{Number, json.Number("50"), true, incomparable},
		{Number, json.Number("50"), nil, incomparable},
		{Number, "fifty", json.Number("50"), incomparable},

		{Cents, int64(9007199254740993), json.Number("9007199254740993"), alike},
		{Cents, int64(9007199254740993), json.Number("9007199254740992"), unlike},
		{Cents, int64(100), json.Number("1.00"), unlike},
		{Cents, int64(150), json.Number("1.50"), incomparable},
		{Cents, json.Number("9007199254740991"), json.Number("9007199254740992"), unlike},
		{Cents, int64(12345), json.Number("123.45"), incomparable},
		{Cents, int64(12345), "012345", alike},
		{Number, json.Number("150"), json.Number("1.50"), unlike},
		{Number, json.Number("33.33"), json.Number("33.330"), alike},
		{Number, json.Number("33.33"), "33.33", alike},
		{Number, json.Number("33.33"), json.Number("33.33000183105469"), unlike},
		{Number, 100, json.Number("1e2"), alike},
		{Number, 100, map[string]any{}, incomparable},

		{Text, "Jos\u00e9", "Jose\u0301", alike},
		{Text, "Jos\u00e9", "Jose", unlike},

		{Digits, "01234567890", "01234567890", alike},
		{Digits, "01234567890", "012.345.678-90", alike},
		{Digits, "01234567890", "012.345.678-91", unlike},
		{Digits, "01234567890", "01234567891", unlike},
		{Digits, "01234567890", json.Number("1234567890"), alike},
		{Digits, "01234567890", json.Number("1234567891"), unlike},
		{Digits, "01234567890", nil, incomparable},
		{Digits, "01234567890", "***.345.678-**", incomparable},

		{Date, "2024-02-29", "2024-02-29", alike},
		{Date, "2024-02-29", "2024-02-28", unlike},
		{Date, "2024-02-29", "2024-02-29T00:00:00Z", alike},
		{Date, "2024-02-29", "2024-02-29t00:00:00Z", alike},
		{Date, "2024-02-29", "2024-02-29 00:00:00", alike},
		{Date, "2024-02-29", "2024-02-28T23:59:59Z", unlike},
		{Date, "2024-02-29", "2024-02-29T", alike},
		{Date, "2024-02-29", "2024-02-291", incomparable},
		{Date, "2024-02-29", "2024-02-29X00", incomparable},
		{Date, "2024-02-29", "29/02/2024", incomparable},
		{Date, "2024-02-29", "2024-02-2", incomparable},
		{Date, "2024-02-29", json.Number("20240229"), incomparable},
		{Date, "20240229", json.Number("20240229"), alike},
		{Date, "2020-02-29", "2020-02-29T00:00:00Z", alike},
		{Date, "2020-02-29", "2020-02-28T21:00:00-03:00", unlike},
		{Date, "2020-02-29", "29/02/2020", incomparable},

		{UUID, "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c002", unlike},
		{UUID, "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3f0a1a524b194c0e9d8e27a1f2f7c001", incomparable},
		{UUID, "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3F0A1A52-4B19-4C0E-9D8E-27A1F2F7C001", alike},
		{Choice, "ATTORNEY", "ATTORNEY", alike},
		{Choice, "ATTORNEY", "attorney", incomparable},
		{Choice, "ATTORNEY", "OTHER", unlike},

		{Text, "José", "José", alike},
		{Text, "120", json.Number("120"), alike},
		{Text, "120", json.Number("121"), incomparable},
		{Text, 120, "120", alike},
		{Text, map[string]any{"a": 1}, `{"a":1}`, alike},
		{Text, "José D'Ávila", "Jose D'Avila", unlike},
		{Text, "José", []any{"José"}, incomparable},
	} {
		e := Echo{Field{Kind: c.kind}, c.sent, c.got}
		if likeness := e.Likeness(); likeness != c.want {
			t.Errorf("%s: sent %v, got %v: %d, want %d", c.kind, c.sent, c.got, likeness, c.want)
		}
	}
}
