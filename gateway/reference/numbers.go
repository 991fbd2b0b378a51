package reference

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// longest number that is read exactly; longer ones are out of every range the API has.
const maxDigits = 64

// exactly reads a JSON number without rounding; false: it is too long, or far beyond every bound.
func exactly(n json.Number) (*big.Rat, bool) {
	text := string(n)
	f, err := strconv.ParseFloat(text, 64)
	if len(text) > maxDigits || err != nil || f > 1e30 || f < -1e30 {
		return nil, false
	}
	// A tiny exponent would make an enormous denominator.
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); ok {
		if e, err := strconv.Atoi(exponent); err != nil || e < -400 || e > 400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

var (
	hundred    = big.NewRat(100, 1)
	int32Limit = big.NewRat(1<<31-1, 1)
)
