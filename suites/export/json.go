package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

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

// lookUp follows a JSON pointer (RFC 6901) through objects.
func lookUp(value any, pointer string) any {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch inside := value.(type) {
		case map[string]any:
			value = inside[unescape.Replace(step)]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(inside) {
				return nil
			}
			value = inside[i]
		default:
			return nil
		}
	}
	return value
}

var address = regexp.MustCompile(`^(/|https?://)`)

// holdsAddress reports a document with an address anywhere inside.
func holdsAddress(doc any) bool {
	found := false
	leaves(doc, func(v any) {
		if text, ok := v.(string); ok {
			found = found || address.MatchString(text)
		}
	})
	return found
}

// leaves visits every value inside a document that is neither an object nor an array.
func leaves(value any, visit func(any)) {
	switch v := value.(type) {
	case map[string]any:
		for _, inside := range v {
			leaves(inside, visit)
		}
	case []any:
		for _, inside := range v {
			leaves(inside, visit)
		}
	default:
		visit(v)
	}
}

// scalar is a text, a number or a boolean as text.
func scalar(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number, bool:
		return fmt.Sprint(v), true
	}
	return "", false
}

func document(body []byte) (doc any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	err := d.Decode(&doc)
	return doc, err == nil
}
