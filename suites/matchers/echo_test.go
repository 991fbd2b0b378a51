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
		kind      string
		sent, got any
		want      Likeness
	}{
		{"boolean", true, true, alike},
		{"boolean", true, false, unlike},
		{"boolean", false, false, alike},
		{"boolean", true, "TRUE", alike},
		{"boolean", false, "true", unlike},
		{"boolean", true, json.Number("1"), alike},
		{"boolean", false, json.Number("1"), unlike},
		{"boolean", false, "false", alike},
		{"boolean", true, "false", unlike},
		{"boolean", true, json.Number("2"), incomparable},
		{"boolean", true, nil, incomparable},
		{"boolean", true, "true", alike},
		{"boolean", true, json.Number("0"), unlike},
		{"boolean", false, map[string]any{}, incomparable},

		{"number", json.Number("50"), json.Number("50.0"), alike},
		{"number", 50, json.Number("50"), alike},
		{"number", representative.Raw("5e1"), json.Number("50"), alike},
		{"number", json.Number("50"), " 50 ", alike},
		{"number", json.Number("50"), "0050", alike},
		{"number", json.Number("50"), "0051", unlike},
		{"number", json.Number("50"), json.Number("50.5"), unlike},
		{"number", json.Number("50"), "fifty", incomparable},
		{"number", json.Number("50"), true, incomparable},
		{"number", json.Number("50"), nil, incomparable},
		{"number", "fifty", json.Number("50"), incomparable},

		{"integer", int64(9007199254740993), json.Number("9007199254740993"), alike},
		{"integer", int64(9007199254740993), json.Number("9007199254740992"), unlike},
		{"integer", int64(100), json.Number("1.00"), unlike},
		{"integer", int64(150), json.Number("1.50"), incomparable},
		{"integer", json.Number("9007199254740991"), json.Number("9007199254740992"), unlike},
		{"integer", int64(12345), json.Number("123.45"), incomparable},
		{"integer", int64(12345), "012345", alike},
		{"number", json.Number("150"), json.Number("1.50"), unlike},
		{"number", json.Number("33.33"), json.Number("33.330"), alike},
		{"number", json.Number("33.33"), "33.33", alike},
		{"number", json.Number("33.33"), json.Number("33.33000183105469"), unlike},
		{"number", 100, json.Number("1e2"), alike},
		{"number", 100, map[string]any{}, incomparable},

		{"text", "Jos\u00e9", "Jose\u0301", alike},
		{"text", "Jos\u00e9", "Jose", unlike},

		{"digits", "01234567890", "01234567890", alike},
		{"digits", "01234567890", "012.345.678-90", alike},
		{"digits", "01234567890", "012.345.678-91", incomparable},
		{"digits", "01234567890", "01234567891", unlike},
		{"digits", "01234567890", json.Number("1234567890"), alike},
		{"digits", "01234567890", json.Number("1234567891"), unlike},
		{"digits", "01234567890", nil, incomparable},
		{"digits", "01234567890", "***.345.678-**", incomparable},

		{"date", "2024-02-29", "2024-02-29", alike},
		{"date", "2024-02-29", "2024-02-28", unlike},
		{"date", "2024-02-29", "2024-02-29T00:00:00Z", alike},
		{"date", "2024-02-29", "2024-02-29t00:00:00Z", alike},
		{"date", "2024-02-29", "2024-02-29 00:00:00", alike},
		{"date", "2024-02-29", "2024-02-28T23:59:59Z", unlike},
		{"date", "2024-02-29", "2024-02-29T", alike},
		{"date", "2024-02-29", "2024-02-291", incomparable},
		{"date", "2024-02-29", "2024-02-29X00", incomparable},
		{"date", "2024-02-29", "29/02/2024", incomparable},
		{"date", "2024-02-29", "2024-02-2", incomparable},
		{"date", "2024-02-29", json.Number("20240229"), incomparable},
		{"date", "20240229", json.Number("20240229"), alike},
		{"date", "2020-02-29", "2020-02-29T00:00:00Z", alike},
		{"date", "2020-02-29", "2020-02-28T21:00:00-03:00", unlike},
		{"date", "2020-02-29", "29/02/2020", incomparable},

		{"uuid", "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c002", unlike},
		{"uuid", "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3f0a1a524b194c0e9d8e27a1f2f7c001", incomparable},
		{"uuid", "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001", "3F0A1A52-4B19-4C0E-9D8E-27A1F2F7C001", alike},
		{"qualification", "ATTORNEY", "ATTORNEY", alike},
		{"qualification", "ATTORNEY", "attorney", incomparable},
		{"qualification", "ATTORNEY", "OTHER", unlike},

		{"text", "José", "José", alike},
		{"text", "120", json.Number("120"), alike},
		{"text", "120", json.Number("121"), incomparable},
		{"text", 120, "120", alike},
		{"text", map[string]any{"a": 1}, `{"a":1}`, alike},
		{"text", func() {}, "x", unlike}, // nothing that JSON can write
		{"text", "José D'Ávila", "Jose D'Avila", unlike},
		{"text", "José", []any{"José"}, incomparable},
	} {
		e := Echo{Path: "x", Kind: c.kind, Sent: c.sent, Got: c.got}
		if likeness := e.Likeness(); likeness != c.want {
			t.Errorf("%s: sent %v, got %v: %d, want %d", c.kind, c.sent, c.got, likeness, c.want)
		}
	}
}
