package matchers

import (
	"encoding/json"
	"fmt"
	"html"
	"strconv"
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

// Contrast says what was sent and what came back, for a person to read. Of a value that says who a person is it says how it was
// changed: reports show another in place of the one that was sent, and what came back may be somebody else's.
func (e Echo) Contrast() string {
	sent, got := textOf(e.Sent), textOf(e.Got)
	if personal(e.Path) {
		if how := change(sent, got); how != "" {
			return how
		}
		return "another value: " + Shown(e.Path, e.Got)
	}
	from := max(0, firstDifference(sent, got)-longestShown/2)
	return "sent " + e.quoted(e.Sent, from) + ", got " + e.quoted(e.Got, from)
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

const longestShown = 24 // more would not fit a headline, and says little

// firstDifference is the place of the first character in which two texts differ.
func firstDifference(a, b string) int {
	x, y := []rune(a), []rune(b)
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return i
		}
	}
	return min(len(x), len(y))
}

// quoted is a value as it may be shown, a long text from a place on.
func (e Echo) quoted(value any, from int) string {
	switch value := value.(type) {
	case string:
		if letters := []rune(value); len(letters) > longestShown && from > 0 {
			value = "…" + string(letters[min(from, len(letters)):])
		}
		return strconv.Quote(clip(value, longestShown))
	case nil, map[string]any, []any:
		return Shown(e.Path, value)
	}
	return clip(textOf(value), longestShown)
}
