package matchers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/onsi/gomega/types"
	"golang.org/x/text/unicode/norm"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/spec"
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

// ComeBackUnchanged holds for an Echo whose values are alike.
func ComeBackUnchanged() types.GomegaMatcher { return ComeBackAs("") }

// ComeBackAs is ComeBackUnchanged for a value that the request did not carry; expected says which and why.
func ComeBackAs(expected string) types.GomegaMatcher {
	return matcher[Echo]{
		right: func(e Echo) bool { return e.Likeness() == Alike },
		finding: func(e Echo) (string, string, string) {
			if expected != "" {
				short, _, _ := strings.Cut(expected, ", ")
				return spec.Sentence(e.Path+" is "+e.found(), ", expected "+short), expected, e.found()
			}
			wanted := "the value that was sent"
			if !personal(e.Path) {
				wanted += ": " + clip(textOf(e.Sent), 60)
			}
			return spec.Sentence(e.Path+" came back changed:", e.Contrast()), wanted, e.found()
		},
	}
}

// found describes what came back; of personal values only where they differ.
func (e Echo) found() string {
	if e.texts() && personal(e.Path) {
		return e.Contrast()
	}
	return Shown(e.Path, e.Got)
}

// texts reports whether both values are texts.
func (e Echo) texts() bool {
	_, sent := e.Sent.(string)
	_, got := e.Got.(string)
	return sent && got
}

// Contrast says what was sent and what came back, for a person to read: of texts the part in which they differ.
func (e Echo) Contrast() string {
	if !e.texts() {
		sent := clip(textOf(e.Sent), 24)
		if personal(e.Path) {
			return "got " + Shown(e.Path, e.Got)
		}
		got := Shown(e.Path, e.Got)
		for _, lead := range []string{"the number ", "the string "} {
			got = strings.TrimPrefix(got, lead)
		}
		return "sent " + sent + ", got " + got
	}
	sent, got := []rune(e.Sent.(string)), []rune(e.Got.(string))
	at := 0
	for at < min(len(sent), len(got)) && sent[at] == got[at] {
		at++
	}
	if personal(e.Path) && !derived(sent, got) { // it may be somebody else's
		if other := otherDate(string(sent), string(got)); other != "" {
			return fmt.Sprintf("sent %s, got %s", e.excerpt(sent, at), other)
		}
		const most = 24 // more would not fit a headline, and says little
		if len(got) > most {
			return fmt.Sprintf("sent %s, got another text of %d characters, masked", e.excerpt(sent, at), len(got))
		}
		return fmt.Sprintf("sent %s, got another text %s", e.excerpt(sent, at), masked(string(got), most))
	}
	return "sent " + e.excerpt(sent, at) + ", got " + e.excerpt(got, at)
}

// otherDate says in what two dates differ without giving away the second; empty where they are none.
func otherDate(sent, got string) string {
	if !dateShape.MatchString(sent) || !dateShape.MatchString(got) {
		return ""
	}
	var parts []string
	for _, p := range []struct {
		name        string
		from, until int
	}{{"year", 0, 4}, {"month", 5, 7}, {"day", 8, 10}} {
		if sent[p.from:p.until] != got[p.from:p.until] {
			parts = append(parts, p.name)
		}
	}
	return "a date with another " + strings.Join(parts, " and ")
}

// derived reports whether one text was made of the other: most of its letters and digits stand in the other, in order
// and whatever their case.
func derived(sent, got []rune) bool {
	plain := func(text []rune) (kept []rune) {
		for _, r := range norm.NFD.String(strings.ToLower(string(text))) {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				kept = append(kept, r)
			}
		}
		return kept
	}
	a, b := plain(sent), plain(got)
	found, from := 0, 0
	for _, r := range b {
		if i := slices.Index(a[from:], r); i >= 0 {
			found, from = found+1, from+i+1
		}
	}
	whole := found > 0 && 2*found >= max(len(a), len(b))
	return whole || len(b) >= 5 && strings.HasPrefix(string(a), string(b)) // cut off
}

// excerpt quotes a text around a place in it: a little of what comes before, and what comes there.
func (e Echo) excerpt(text []rune, at int) string {
	before, after := 4, 12
	if personal(e.Path) && !slices.Contains([]string{"name", "address.street", "address.complement"}, e.Path) {
		before, after = 2, 4 // never all of a number
	}
	from, until := max(0, at-before), min(len(text), at+after)
	if from <= before {
		from = 0
	}
	if len(text)-until <= 2 {
		until = len(text)
	}
	shown := string(text[from:until])
	if from > 0 {
		shown = "…" + shown
	}
	if until < len(text) {
		shown = strings.TrimRight(shown, " ") + "…"
	}
	return strconv.Quote(shown)
}
