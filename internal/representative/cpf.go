package representative

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// ValidCPF reports whether s is 11 digits, not all the same, that end with the check digits of
// the first nine.
func ValidCPF(s string) bool {
	return len(s) == 11 && strings.Trim(s, "0123456789") == "" && strings.Trim(s, s[:1]) != "" &&
		s[9:] == CheckDigits(s[:9])
}

// NewCPF returns a random CPF with valid check digits.
func NewCPF(rng *rand.Rand) string {
	for {
		nine := fmt.Sprintf("%09d", rng.IntN(1_000_000_000))
		if cpf := nine + CheckDigits(nine); ValidCPF(cpf) { // not the same digit eleven times
			return cpf
		}
	}
}

// CheckDigits returns the two digits that follow nine: sums weighted with 2, 3, ... from the
// right, modulo 11.
func CheckDigits(nine string) string {
	digits := []byte(nine)
	for range 2 {
		sum := 0
		for i, d := range digits {
			sum += int(d-'0') * (len(digits) + 1 - i)
		}
		check := 11 - sum%11
		if check > 9 {
			check = 0
		}
		digits = append(digits, byte('0'+check))
	}
	return string(digits[9:])
}
