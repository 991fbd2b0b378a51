package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/representative"
)

// pseudonymiser replaces personal values by others of the same shape. Within a run, the same
// value always gets the same pseudonym. The pseudonyms of two runs are unrelated.
type pseudonymiser struct{ key []byte }

const runMarker = "gateassay" // stays readable: it marks records of runs

var (
	// country, area and the mobile prefix stay
	phonePattern        = regexp.MustCompile(`^(\+?55\d{2}9?)(\d{8})$`)
	datePattern         = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})([T ].*)?$`)
	cpfPattern          = regexp.MustCompile(`^(\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$`)
	alphanumericPattern = regexp.MustCompile(`[0-9A-Za-z]`)
)

// textPseudonym returns the pseudonym of v, or v itself if it has nothing to replace.
func (p pseudonymiser) textPseudonym(v string) string {
	mac := hmac.New(sha256.New, p.key)
	mac.Write([]byte(v))
	s := rand.New(rand.NewChaCha8([sha256.Size]byte(mac.Sum(nil))))
	if cpfPattern.MatchString(v) {
		return pseudonymCPF(v, s)
	}
	if m := datePattern.FindStringSubmatch(v); m != nil {
		return pseudonymDate(m[1], s) + m[2]
	}
	if m := phonePattern.FindStringSubmatch(v); m != nil {
		return m[1] + pseudonymCharacters(m[2], s)
	}
	return pseudonymCharacters(v, s)
}

// numberPseudonym returns the pseudonym of a JSON number, as a JSON number.
func (p pseudonymiser) numberPseudonym(v string) string {
	if out := p.textPseudonym(v); json.Valid([]byte(out)) {
		return out
	}
	return "1"
}

// pseudonymCharacters replaces each digit by another digit and each ASCII letter by another
// letter of the same case. Everything else and runMarker stay.
func pseudonymCharacters(v string, s *rand.Rand) string {
	parts := strings.Split(v, runMarker)
	for i, part := range parts {
		parts[i] = alphanumericPattern.ReplaceAllStringFunc(part, func(c string) string {
			first, count := byte('a'), 26
			switch {
			case c <= "9":
				first, count = '0', 10
			case c <= "Z":
				first = 'A'
			}
			place := (int(c[0]-first) + 1 + s.IntN(count-1)) % count
			return string(first + byte(place))
		})
	}
	return strings.Join(parts, runMarker)
}

// pseudonymCPF returns another CPF, with valid check digits if those of v are valid.
func pseudonymCPF(v string, s *rand.Rand) string {
	plain := strings.NewReplacer(".", "", "-", "").Replace
	for {
		out := pseudonymCharacters(v, s)
		right := representative.CheckDigits(plain(out)[:9])
		switch valid := representative.ValidCPF(plain(v)); {
		case valid:
			return out[:len(out)-2] + right
		case !strings.HasSuffix(out, right):
			return out
		}
	}
}

// pseudonymDate returns another day on the same side of today. Of an invalid day only the year
// changes.
func pseudonymDate(day string, s *rand.Rand) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return pseudonymCharacters(day[:4], s) + day[4:]
	}
	days := 1 + s.IntN(300)
	if at.Before(time.Now()) {
		days = -days
	}
	return at.AddDate(0, 0, days).Format(time.DateOnly)
}
