package matchers

import (
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/representative"
)

// Likeness is the outcome of comparing a value that was sent with the one that came back.
type Likeness int

// Outcomes of a comparison. A value whose type or notation is wrong in a way that hides whether it is the same is
// Incomparable: the rule about its type judges it.
const (
	Alike Likeness = iota
	Unlike
	Incomparable
)

// Echo is a value that was sent and what the record shows in its place.
type Echo struct {
	Field
	Sent any // as the draft holds it
	Got  any // as the record holds it
}

// Likeness compares by value, not by JSON type: 50, 50.0 and "50" are alike.
func (e Echo) Likeness() Likeness {
	sent, got := textOf(e.Sent), textOf(e.Got)
	if sent == got {
		return Alike
	}
	_, readable := e.Got.(string)
	switch e.Kind {
	case Flag:
		sent, _ = truth(sent)
		got, readable = truth(got)
	case Cents, Number, Percentage:
		var known bool
		sent, known = value(sent)
		got, readable = value(got)
		readable = readable && known && (e.Kind != Cents || !strings.Contains(got, "/")) // units are for the rule about integers
	case Digits:
		bare := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, got)
		if _, isNumber := e.Got.(json.Number); isNumber {
			sent, readable = strings.TrimLeft(sent, "0"), true
		} else {
			readable = readable && (bare == got || bare == sent)
		}
		got = bare
	case Date: // a time behind it is the business of the rule about the notation
		sent, got = day(sent), day(got)
		readable = readable && dateShape.MatchString(got)
	case UUID:
		sent, got = strings.ToLower(sent), strings.ToLower(got)
		readable = UUID.Fits(got)
	case Choice:
		readable = Choice.Fits(got)
	case DateTime: // the same moment in another notation
		one, known := Instant(sent)
		if other, ok := Instant(got); known && ok && one.Equal(other) {
			return Alike
		}
	default: // canonically equivalent texts are the same to Unicode: é is one code point or two
		sent, got = norm.NFC.String(sent), norm.NFC.String(got)
	}
	switch {
	case !readable:
		return Incomparable
	case sent == got:
		return Alike
	}
	return Unlike
}

// truth reads a flag.
func truth(text string) (string, bool) {
	switch strings.ToLower(text) {
	case "true", "1":
		return "true", true
	case "false", "0":
		return "false", true
	}
	return "", false
}

// value reads a number, as a fraction where it is no whole one. Digits with leading zeros are no number of JSON, but a value.
func value(text string) (string, bool) {
	text = strings.TrimSpace(text)
	n, ok := representative.ExactNumber(text)
	if !ok {
		n, ok = representative.ExactNumber(strings.TrimLeft(text, "0"))
	}
	if !ok {
		return "", false
	}
	return n.RatString(), true
}

func day(text string) string {
	if len(text) > 10 && strings.ContainsRune("Tt ", rune(text[10])) {
		return text[:10]
	}
	return text
}

// textOf renders a draft's value: a string as it is, everything else as JSON.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case representative.Raw:
		return string(v)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// Contrast says what was sent and what came back, for a person to read. Of a value that says who a person is it says how it
// was changed: that shows in no form.
func (e Echo) Contrast() string {
	if how := change(textOf(e.Sent), textOf(e.Got)); how != "" && personal(e.Path) {
		return how
	}
	return "sent " + Shown(e.Path, e.Sent) + ", got " + Shown(e.Path, e.Got)
}

// change is what was done to a text, as far as that is one of the things that are commonly done.
func change(sent, got string) string {
	plain := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(text))
	}
	was, _ := time.Parse(time.DateOnly, day(sent))
	is, err := time.Parse(time.DateOnly, day(got))
	switch {
	case err == nil && !was.IsZero():
		return fmt.Sprintf("another date, off by %s", printable.Quantity(int(is.Sub(was).Abs().Hours()/24), "day"))
	case strings.EqualFold(sent, got):
		return "in another case"
	case strings.TrimLeft(sent, "0") == got:
		return "without its leading zeros"
	case strings.Join(strings.Fields(sent), " ") == strings.Join(strings.Fields(got), " "):
		return "with other white space"
	case html.UnescapeString(got) == sent:
		return "with HTML escaped"
	case plain(sent) == plain(got):
		return "without its accents"
	case got != "" && strings.HasPrefix(sent, got):
		return fmt.Sprintf("cut after %d of %d characters", len([]rune(got)), len([]rune(sent)))
	case strings.HasPrefix(got, sent):
		return "with more behind it"
	}
	return ""
}

// Shown renders a value of the record for a message. Of what says who a person is it keeps the form only: reports show
// another value in place of the one that was sent, and what came back may be somebody else's.
func Shown(path string, value any) string {
	const most = 60
	switch v := value.(type) {
	case nil, bool:
		return textOf(v)
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	}
	text, isText := value.(string)
	if !isText {
		text = textOf(value)
	}
	if text = clip(text, most); isText {
		text = `"` + text + `"`
	}
	if personal(path) {
		return "(masked) " + masked(text)
	}
	return text
}

// personal reports whether a value of the record says who a person is.
func personal(path string) bool {
	return slices.Contains([]string{
		"name", "document.number", "birth_date", "phone_number", "email", "address.zip_code",
		"address.street", "address.complement", "address.neighborhood",
	}, path)
}

// masked keeps the form of a text, with its accents: # for digits, X and x for letters. Letters and digits of its own would
// read as if the deployment had answered them.
func masked(s string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsUpper(r):
			return 'X'
		case unicode.IsLetter(r):
			return 'x'
		case unicode.IsDigit(r):
			return '#'
		}
		return r
	}, norm.NFD.String(s)))
}
