package invalidvalues_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
)

// Each class changes a valid value, and the result can be encoded as JSON.
func TestWrongValuesDifferFromTheRightOne(t *testing.T) {
	texts := slices.Concat(invalidvalues.MultiLineTexts(), invalidvalues.ControlCharacters(),
		invalidvalues.LookAlikeCharacters(), invalidvalues.WrappedInJSON())
	for _, right := range []string{
		"asc", "CSV", "settled_date", "2025-01-05T00:00:00.123Z", "PARTNER",
	} {
		written, _ := json.Marshal(right)
		for _, v := range texts {
			if other, err := json.Marshal(v.Apply(right)); err != nil || string(other) == string(written) {
				t.Errorf("%s %s: %s, %v", right, v.Description, other, err)
			}
		}
	}
	for _, v := range append(invalidvalues.NonASCIIDigits(),
		invalidvalues.EmailHeaderInjections()...) {
		if v.Apply("12345678901") == "12345678901" {
			t.Errorf("a CPF %s is the right one", v.Description)
		}
	}
}
