package representative

import (
	"math/rand/v2"
	"strings"
)

// ValidCPF reports whether s is 11 digits, not all the same, whose last two are the check digits of the first nine.
func ValidCPF(s string) bool {
	return len(s) == 11 && strings.Trim(s, "0123456789") == "" && strings.Trim(s, s[:1]) != "" &&
		s[9:] == CheckDigits(s[:9])
}

// NewCPF makes up a CPF with valid check digits.
func NewCPF(rng *rand.Rand) string {
	for {
		base := make([]byte, 9)
		for i := range base {
			base[i] = byte('0' + rng.IntN(10))
		}
		if cpf := string(base) + CheckDigits(string(base)); ValidCPF(cpf) { // not one digit eleven times
			return cpf
		}
	}
}

// BreakCheckDigits gives the CPF with its last digit changed, so that it no longer checks. What is not 11 digits comes
// back as it is.
func BreakCheckDigits(cpf string) string {
	if len(cpf) != 11 || cpf[10] < '0' || cpf[10] > '9' {
		return cpf
	}
	broken := []byte(cpf)
	broken[10] = '0' + (broken[10]-'0'+1)%10
	if ValidCPF(string(broken)) { // the input was wrong by one already
		broken[10] = '0' + (broken[10]-'0'+1)%10
	}
	return string(broken)
}

// CheckDigits are the two digits that follow nine: sums weighted from the right with 2, 3, ... modulo 11.
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
