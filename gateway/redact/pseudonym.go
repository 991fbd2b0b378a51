package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/representative"
)

// pseudonyms replaces values about a person by others of the same shape: the same value always gets the same pseudonym
// within a run, two values never share one, and nothing links the pseudonyms of two runs.
type pseudonyms struct {
	key []byte

	mu    sync.Mutex
	given map[string]string // value -> pseudonym
	taken map[string]bool
}

func newPseudonyms(key []byte) *pseudonyms {
	return &pseudonyms{key: key, given: map[string]string{}, taken: map[string]bool{}}
}

const (
	marker   = "gateassay" // stays readable: it shows whose records these are
	mostTry  = 400         // a shape with few values, such as one digit, runs out of free ones
	maxKnown = 100000
)

var (
	mailShape  = regexp.MustCompile(`^(.+)(@[A-Za-z0-9.-]+)$`)
	phoneShape = regexp.MustCompile(`^(\+?55\d{2}9?)(\d{8})$`) // country, area and the mark of a mobile number stay
	dateShape  = regexp.MustCompile(`^(\d{4})-(\d{2}-\d{2})([T ].*)?$`)
	cpfShape   = regexp.MustCompile(`^(\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$`)
)

// of returns the pseudonym of v.
func (p *pseudonyms) of(v string) string { return p.pick("", v, shuffle) }

// ofNumber is of for the literal of a JSON number: what comes back is one too.
func (p *pseudonyms) ofNumber(v string) string {
	return p.pick("number ", v, func(v string, s *rand.Rand) string {
		out := []byte(shuffle(v, s))
		// A leading zero would not be JSON.
		i := strings.IndexAny(v, "0123456789")
		if i >= 0 && out[i] == '0' && i+1 < len(v) && v[i+1] >= '0' && v[i+1] <= '9' {
			out[i] = '1' + byte(s.IntN(9))
		}
		for i, c := range out { // the exponent stays, or 1e5 might become 1e900
			if c|0x20 == 'e' || v[i]|0x20 == 'e' {
				copy(out[i:], v[i:])
				break
			}
		}
		return string(out)
	})
}

func (p *pseudonyms) pick(kind, v string, draw func(string, *rand.Rand) string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.given[kind+v]; ok {
		return known
	}
	var out string
	for try := range mostTry {
		out = draw(v, drawing(p.key, kind+v, try))
		if out != v && !p.taken[kind+out] {
			break
		}
		if try == 8 && strings.IndexFunc(v, replaceable) < 0 {
			break
		}
	}
	if len(p.given) < maxKnown {
		p.given[kind+v], p.taken[kind+out] = out, true
	}
	return out
}

func replaceable(c rune) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// shuffle draws another value of the shape of v.
func shuffle(v string, s *rand.Rand) string {
	if cpfShape.MatchString(v) {
		return shuffleCPF(v, s)
	}
	if m := dateShape.FindStringSubmatch(v); m != nil {
		return shuffleDate(m[1], m[2], s) + m[3]
	}
	if m := mailShape.FindStringSubmatch(v); m != nil {
		return letters(m[1], s) + m[2]
	}
	if m := phoneShape.FindStringSubmatch(v); m != nil {
		return m[1] + letters(m[2], s)
	}
	return letters(v, s)
}

// letters replaces digit by digit and ASCII letter by letter of the same case; everything else, and the marker, stays.
func letters(v string, s *rand.Rand) string {
	out := []byte(v)
	lower := strings.ToLower(v)
	if len(lower) != len(v) {
		lower = v
	}
	for i := 0; i < len(out); i++ {
		if strings.HasPrefix(lower[i:], marker) {
			i += len(marker) - 1
			continue
		}
		switch c := out[i]; {
		case c >= '0' && c <= '9':
			out[i] = '0' + byte(s.IntN(10))
		case c >= 'a' && c <= 'z':
			out[i] = 'a' + byte(s.IntN(26))
		case c >= 'A' && c <= 'Z':
			out[i] = 'A' + byte(s.IntN(26))
		}
	}
	return string(out)
}

// shuffleCPF draws another CPF whose check digits are right exactly when those of v are.
func shuffleCPF(v string, s *rand.Rand) string {
	valid := representative.ValidCPF(digits(v))
	for {
		drawn := []byte(letters(v, s))
		d := digits(string(drawn))
		right := representative.CheckDigits(d[:9])
		if valid {
			d = d[:9] + right
		} else if d[9:] == right {
			continue
		}
		if strings.Count(d, d[:1]) == len(d) {
			continue
		}
		k := 0
		for i, c := range drawn {
			if c >= '0' && c <= '9' {
				drawn[i] = d[k]
				k++
			}
		}
		return string(drawn)
	}
}

func digits(v string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, v)
}

// shuffleDate draws another day of the same year, on the same side of today. What is special about a date stays: 29
// February becomes that of another leap year, and a day that does not exist only changes its year.
func shuffleDate(year, day string, s *rand.Rand) string {
	old := year + "-" + day
	at, err := time.Parse(time.DateOnly, old)
	if err != nil {
		return letters(year, s) + "-" + day
	}
	today := time.Now().UTC().Truncate(24 * time.Hour)
	for range 60 {
		drawn := at
		if day == "02-29" {
			drawn = time.Date(at.Year()+4*(s.IntN(17)-8), 2, 29, 0, 0, 0, 0, time.UTC)
		} else {
			drawn = time.Date(at.Year(), 1, 1+s.IntN(365), 0, 0, 0, 0, time.UTC)
		}
		text := drawn.Format(time.DateOnly)
		if len(text) == len(old) && (day == "02-29") == (text[5:] == "02-29") && drawn.After(today) == at.After(today) {
			return text
		}
	}
	return old
}

// drawing is a sequence of numbers that follows from a key, a value and the number of the try.
func drawing(key []byte, value string, try int) *rand.Rand {
	mac := hmac.New(sha256.New, key)
	fmt.Fprint(mac, try, " ", value)
	return rand.New(rand.NewChaCha8([sha256.Size]byte(mac.Sum(nil))))
}
