package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/representative"
)

// EchoedValue is a value that was sent and what the record shows in its place.
type EchoedValue struct {
	Field
	Sent any // as the draft holds it
	Got  any // as the record holds it
}

// CompareValues compares by value, not by JSON type: 50, 50.0 and "50" are the same. What cannot be
// compared, as its type or notation hides what it says, is for the rule about its type.
func (e EchoedValue) CompareValues() (same, comparable bool) {
	if formatSentValue(e.Sent) == formatSentValue(e.Got) {
		return true, true
	}
	sent, known := e.Kind.canonicalForm(e.Sent)
	got, readable := e.Kind.canonicalForm(e.Got)
	return known && readable && sent == got, known && readable
}

// canonicalForm is the one form of all that says the same; false where type or notation hide what a
// value says.
func (k FieldKind) canonicalForm(value any) (form string, readable bool) {
	text := formatSentValue(value)
	_, isText := value.(string)
	switch k {
	case KindBoolean:
		form = cmp.Or(map[string]string{"1": "true", "0": "false"}[text], strings.ToLower(text))
		return form, form == "true" || form == "false"
	// digits with leading zeros are no number of JSON, but a value
	case KindCents, KindNumber, KindPercentage:
		n, ok := representative.ParseExactNumber(strings.TrimSpace(text))
		if !ok {
			n, ok = representative.ParseExactNumber(strings.TrimLeft(text, "0"))
		}
		if !ok || k == KindCents && !n.IsInt() { // units are for the rule about integers
			return "", false
		}
		// what JSON's readers take for one number: 0.29 is written 0.28999999999999998 by some
		if k != KindCents {
			nearest, _ := n.Float64()
			return strconv.FormatFloat(nearest, 'g', -1, 64), true
		}
		return n.RatString(), true
	case KindDigits:
		if _, isNumber := value.(json.Number); isNumber {
			return strings.Repeat("0", max(0, 11-len(text))) + text, true
		}
		form = strings.NewReplacer(".", "", "-", "", "/", "", " ", "").Replace(text)
		return form, KindDigits.Fits(form) && isText
	case KindDate: // a time behind it is the business of the rule about the notation
		text = text[:strings.IndexAny(text+"T", "Tt ")]
		return text, isText && KindDate.Fits(text)
	case KindEmail: // a domain has no case
		at := strings.LastIndexByte(text, '@') + 1
		text = text[:at] + strings.ToLower(text[at:])
	case KindUUID, KindEnum:
		return strings.ToLower(text), k.Fits(value)
	case KindDateTime: // the same moment in another notation
		if at, ok := ParseDateTime(value); ok {
			text = at.UTC().Format(time.RFC3339Nano)
		}
		return text, isText
	}
	return norm.NFC.String(text), isText // to Unicode é is one code point or two
}

// formatSentValue renders a draft's value: a string as it is, everything else as JSON.
func formatSentValue(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case representative.RawJSON:
		return string(v)
	}
	text, _ := json.Marshal(v) // what is no JSON is never sent
	return string(text)
}

// SentAndReceived says what was sent and what came back, for a person to read. Of a value that says
// who a person is it says how it was altered, where that can be told: that shows in no form.
func (e EchoedValue) SentAndReceived() string {
	sent, got := MaskPersonal(e.Path, e.Sent), MaskPersonal(e.Path, e.Got)
	how := ""
	if isPersonalField(e.Path) {
		how = describeAlteration(formatSentValue(e.Sent), formatSentValue(e.Got))
	}
	if sent == got {
		return cmp.Or(how, "another of the same form, "+got)
	}
	return cmp.Or(how, "sent "+sent+", got "+got)
}

// MaskPersonal renders a value of the record for a message. Of what says who a person is it keeps
// the form only: reports show another value in place of the one that was sent, and what came back
// may be somebody else's.
func MaskPersonal(path string, value any) string {
	text := printable.TruncateAtSpace(formatSentValue(value), 60)
	switch value.(type) {
	case nil, bool:
		return text
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case string:
		text = `"` + text + `"`
	}
	if isPersonalField(path) {
		return "(masked) " + maskText(text)
	}
	return text
}

// isPersonalField reports whether a value of the record says who a person is.
func isPersonalField(path string) bool {
	return slices.ContainsFunc(representative.PersonalFields(),
		func(name string) bool { return representative.ResponsePath(name) == path })
}

// maskText keeps the form of a text, with its accents: # for digits, X and x for letters. Letters
// and digits of its own would read as if the deployment had answered them.
func maskText(s string) string {
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
