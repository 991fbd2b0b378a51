package wrong_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/gateassay/gateassay/suites/wrong"
)

// Whatever a class makes of a right value is another value, and can be written as JSON.
func TestWrongValuesDifferFromTheRightOne(t *testing.T) {
	texts := slices.Concat(wrong.SecondLine(), wrong.ControlCharacters(), wrong.LookAlikes(), wrong.Wrapped())
	for _, right := range []string{"asc", "CSV", "settled_date", "2025-01-05T00:00:00.123Z", "PARTNER"} {
		written, _ := json.Marshal(right)
		for _, v := range texts {
			if other, err := json.Marshal(v.Spoil(right)); err != nil || string(other) == string(written) {
				t.Errorf("%s %s: %s, %v", right, v.Words, other, err)
			}
		}
	}
	for _, v := range append(wrong.OtherDigits(), wrong.EmailLines()...) {
		if v.Spoil("12345678901") == "12345678901" {
			t.Errorf("a CPF %s is the right one", v.Words)
		}
	}
}
