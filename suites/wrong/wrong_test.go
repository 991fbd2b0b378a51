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

// Each case of a class has its turn in one of three seeds in a row.
func TestEachCaseHasItsTurn(t *testing.T) {
	for n := range 10 {
		turns := 0
		for seed := int64(40); seed < 43; seed++ {
			if wrong.Turn(seed, n, 10) {
				turns++
			}
		}
		if turns != 1 || !wrong.Turn(1, n, 4) {
			t.Errorf("case %d has %d turns", n, turns)
		}
	}
}
