package schema

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestFits(t *testing.T) {
	number := func(text string) any { return json.Number(text) }
	const id = "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c00"
	for _, c := range []struct {
		kind      FieldKind
		good, bad []any
	}{
		{
			KindUUID, []any{"3F0A1A52-4B19-1c0e-9D8E-27A1F2F7C001"}, []any{
				"3f0a1a524b194c0e9d8e27a1f2f7c001", "", number("42"), nil, id + "1\n", "{" + id + "1}",
				id + "g",
			},
		},
		{KindDigits, []any{"01234567890", "1"}, []any{
			"012.345.678-90", "", number("1234567890"), "１２３", "-1",
		}},
		{
			KindCents,
			[]any{number("0"), number("1e3"), number("100.0"), number("9007199254740991"), number("-1")},
			// 1e99999 has too large an exponent to count as a whole number.
			[]any{number("100.5"), "100", nil, true, number("1e99999"), number("")},
		},
		{KindNumber, []any{number("33.33"), number("-1e400")}, []any{"33.33", nil}},
		{KindBoolean, []any{true, false}, []any{"true", number("1"), nil}},
		{KindDate, []any{"2024-02-29"}, []any{
			"2023-02-29", "2024-02-29T00:00:00Z", "29/02/2024", number("20240229"), "2024-2-29",
			"2024-13-01", nil, "",
		}},
		{
			KindDateTime, []any{
				"2025-01-02T03:04:05Z", "2025-01-02t03:04:05.123456789012z", "2025-01-02T03:04:05.1-03:00",
				"2025-01-02T03:04:05", "2025-01-02 03:04:05Z",
			}, []any{
				"2025-01-02", number("1735689600"), "2025-01-02T03:04:05,5Z", nil, "2025-02-30T00:00:00Z",
				"2025-01-02T24:00:00Z", "2025-01-02T03:04:05-0300", "2025-01-02T03:04:05.Z",
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
		testmust.Equal(t, MaskPersonal(c.path, c.value), c.want, c.path, c.value)
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
