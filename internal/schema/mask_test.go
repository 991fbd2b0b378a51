package schema

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
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
