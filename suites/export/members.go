package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// complaint is what is wrong with an answer; found is empty where nothing is.
type complaint struct{ headline, expected, found string }

// beNothing holds for an empty text; any other is what was found instead of what was expected.
func beNothing(headline, expected string) types.GomegaMatcher { return nothing{headline, expected} }

type nothing struct{ headline, expected string }

func (n nothing) Match(actual any) (bool, error) { return actual.(string) == "", nil }

func (n nothing) FailureMessage(actual any) string {
	return spec.Finding(n.headline, n.expected, actual.(string))
}

func (n nothing) NegatedFailureMessage(actual any) string {
	return spec.Finding("must not: "+n.headline, "anything but "+n.expected, actual.(string))
}

// shown is text out of an answer as it may be shown.
func (s *Suite) shown(text string) string {
	if r := []rune(text); len(r) > 160 {
		text = string(r[:160]) + "…"
	}
	return s.t.Client.Redactor().Text(text)
}

// members reads an answer's object; ok is false when it is something else.
func members(a target.Answer) (map[string]any, bool) {
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.UseNumber()
	var object map[string]any
	if d.Decode(&object) != nil || object == nil || d.More() {
		return nil, false
	}
	return object, true
}

// textOf is the body of an answer that is not an object.
func textOf(a target.Answer) string {
	if text := bytes.TrimSpace(a.Body); len(text) > 0 {
		return string(text)
	}
	return "an empty body"
}

// member finds a member of the answer, or says what is absent.
func member(a target.Answer, name string) (any, string) {
	object, ok := members(a)
	if !ok {
		return nil, "not a JSON object"
	}
	value, ok := object[name]
	if !ok {
		return nil, "no " + name
	}
	return value, ""
}

// dateTime reads a date-time that is an instant by its zone.
func dateTime(value any) (time.Time, bool) {
	text, _ := value.(string)
	at, err := time.Parse(time.RFC3339, strings.ToUpper(text)) // t and z may be lower case
	return at, err == nil
}

// zoneless reports a date-time that lacks nothing but its zone.
func zoneless(value any) bool {
	text, _ := value.(string)
	_, err := time.Parse("2006-01-02T15:04:05", strings.ToUpper(text))
	return err == nil
}

func describe(name string, value any, absent string) string {
	if absent != "" {
		return absent
	}
	text, err := json.Marshal(value)
	if err != nil {
		return name + " of another type"
	}
	return fmt.Sprintf("%s %s, %s", name, text, kind(value))
}

// kind names the JSON type of a value.
func kind(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	}
	return "a number"
}

// shape lists the members of an object and their types, nested ones in braces.
func shape(value any) string {
	switch v := value.(type) {
	case map[string]any:
		parts := make([]string, 0, len(v))
		for name, inner := range v {
			parts = append(parts, name+" "+shape(inner))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		if len(v) > 0 {
			return "[" + shape(v[0]) + "]"
		}
	}
	return strings.TrimPrefix(strings.TrimPrefix(kind(value), "a "), "an ")
}
