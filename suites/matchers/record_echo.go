package matchers

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

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
	Path, Kind string // of the record field
	Sent       any    // as the draft holds it
	Got        any    // as the record holds it
}

// Likeness compares by value, not by JSON type: 50, 50.0 and "50" are alike.
func (e Echo) Likeness() Likeness {
	if want, ok := e.Sent.(bool); ok {
		return compareFlags(want, e.Got)
	}
	want := textOf(e.Sent)
	switch e.Kind {
	case "integer", "number":
		return compareNumbers(e.Kind, want, e.Got)
	case "digits":
		return compareDigits(want, e.Got)
	}
	got, ok := e.Got.(string)
	if !ok {
		if number, ok := e.Got.(json.Number); ok && number.String() == want {
			return Alike
		}
		return Incomparable
	}
	switch e.Kind {
	case "date":
		return compareDates(want, got)
	case "uuid", "qualification":
		if !Fits(e.Kind, got) {
			return Incomparable
		}
	}
	// Canonically equivalent texts are the same to Unicode: é is one code point or two.
	return likeness(norm.NFC.String(got) == norm.NFC.String(want) || e.Kind == "uuid" && strings.EqualFold(want, got))
}

func likeness(same bool) Likeness {
	if same {
		return Alike
	}
	return Unlike
}

func compareFlags(want bool, got any) Likeness {
	switch v := got.(type) {
	case bool:
		return likeness(v == want)
	case string, json.Number:
		switch strings.ToLower(fmt.Sprint(v)) {
		case "true", "1":
			return likeness(want)
		case "false", "0":
			return likeness(!want)
		}
	}
	return Incomparable
}

func compareNumbers(kind, want string, got any) Likeness {
	text := strings.TrimSpace(fmt.Sprint(got))
	sent, known := representative.ExactNumber(want)
	found, ok := representative.ExactNumber(text)
	if !ok { // digits with leading zeros are not a JSON number, but a value all the same
		found, ok = representative.ExactNumber(strings.TrimLeft(text, "0"))
	}
	if !known || !ok || kind == "integer" && !found.IsInt() { // cents turned into units are for the rule about integers
		return Incomparable
	}
	return likeness(sent.Cmp(found) == 0)
}

func compareDigits(want string, got any) Likeness {
	switch v := got.(type) {
	case json.Number:
		return likeness(strings.TrimLeft(want, "0") == v.String())
	case string:
		digits := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, v)
		switch {
		case digits == want:
			return Alike
		case digits == v:
			return Unlike
		}
	}
	return Incomparable
}

// compareDates looks at the day: a time behind it is the business of the rule about the notation.
func compareDates(want, got string) Likeness {
	if got = day(got); !dateShape.MatchString(got) {
		return Incomparable
	}
	return likeness(got == day(want))
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

// Contrast says what was sent and what came back, for a person to read.
func (e Echo) Contrast() string { return "sent " + e.quoted(e.Sent) + ", got " + e.found() }

// found is what came back. Of a value that says who a person is it keeps the shape, unless it was made of the one that
// was sent: it may be somebody else's.
func (e Echo) found() string {
	if personal(e.Path) && !derived(textOf(e.Sent), textOf(e.Got)) {
		return Shown(e.Path, e.Got)
	}
	return e.quoted(e.Got)
}

func (e Echo) quoted(value any) string {
	const most = 24 // more would not fit a headline, and says little
	switch value := value.(type) {
	case string:
		return strconv.Quote(clip(value, most))
	case nil, map[string]any, []any:
		return Shown(e.Path, value)
	}
	return clip(textOf(value), most)
}

// derived reports whether one text was made of the other: most of its letters and digits stand in the other, in order
// and whatever their case, or it begins it.
func derived(sent, got string) bool {
	plain := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, norm.NFD.String(strings.ToLower(text)))
	}
	a, b := plain(sent), plain(got)
	found, rest := 0, a
	for _, r := range b {
		if i := strings.IndexRune(rest, r); i >= 0 {
			found, rest = found+1, rest[i+len(string(r)):]
		}
	}
	return found > 0 && 2*found >= max(len([]rune(a)), len([]rune(b))) || len(b) >= 5 && strings.HasPrefix(a, b)
}
