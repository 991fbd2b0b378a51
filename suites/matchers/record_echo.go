package matchers

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"

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
	return likeness(got == want || e.Kind == "uuid" && strings.EqualFold(want, got))
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
	if len(got) > 10 && strings.ContainsRune("Tt ", rune(got[10])) {
		got = got[:10]
	}
	if !dateShape.MatchString(got) {
		return Incomparable
	}
	return likeness(got == want)
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
			wanted := expected
			if wanted == "" {
				wanted = "the value that was sent"
				if !personal(e.Path) {
					wanted += ": " + clip(textOf(e.Sent), 60)
				}
			}
			return e.Path + " did not come back as expected", wanted, e.found()
		},
	}
}

// found describes what came back; of personal values only where they differ.
func (e Echo) found() string {
	got, ok := e.Got.(string)
	sent, sentText := e.Sent.(string)
	if !ok || !sentText || !personal(e.Path) {
		return Shown(e.Path, e.Got)
	}
	return difference([]rune(sent), []rune(got))
}

func difference(sent, got []rune) string {
	lengths := fmt.Sprintf("%d characters came back, %d were sent", len(got), len(sent))
	for i := range min(len(sent), len(got)) {
		if sent[i] != got[i] {
			return fmt.Sprintf("character %d is %U where %U was sent; %s", i+1, got[i], sent[i], lengths)
		}
	}
	return lengths
}
