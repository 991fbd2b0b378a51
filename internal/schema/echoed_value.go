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

// EchoedValue is a value that was sent and the value that the record shows.
type EchoedValue struct {
	Field
	Sent any // as in the draft
	Got  any // as in the record
}

// CompareValues compares by value, not by JSON type: 50, 50.0 and "50" are the same. Values are
// not comparable if their type or notation is wrong; other rules check those.
func (e EchoedValue) CompareValues() (same, comparable bool) {
	if formatSentValue(e.Sent) == formatSentValue(e.Got) {
		return true, true
	}
	sent, known := e.Kind.canonicalForm(e.Sent)
	got, readable := e.Kind.canonicalForm(e.Got)
	return known && readable && sent == got, known && readable
}

// canonicalForm returns a form that is equal for equal values, and false for a wrong type or
// notation.
func (k FieldKind) canonicalForm(value any) (form string, readable bool) {
	text := formatSentValue(value)
	_, isText := value.(string)
	switch k {
	case KindBoolean:
		form = cmp.Or(map[string]string{"1": "true", "0": "false"}[text], strings.ToLower(text))
		return form, form == "true" || form == "false"
	// digits with leading zeros are not a JSON number, but have a value
	case KindCents, KindNumber, KindPercentage:
		n, ok := representative.ParseExactNumber(strings.TrimSpace(text))
		if !ok {
			n, ok = representative.ParseExactNumber(strings.TrimLeft(text, "0"))
		}
		if !ok || k == KindCents && !n.IsInt() { // the rule about integers checks fractions
			return "", false
		}
		// Accept what rounds to the same double: some encoders write 0.29 as 0.28999999999999998.
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
	case KindDate: // the rule about the notation checks the time
		text = text[:strings.IndexAny(text+"T", "Tt ")]
		return text, isText && KindDate.Fits(text)
	case KindEmail: // domains ignore case
		at := strings.LastIndexByte(text, '@') + 1
		text = text[:at] + strings.ToLower(text[at:])
	case KindUUID, KindEnum:
		return strings.ToLower(text), k.Fits(value)
	case KindDateTime: // compare instants
		if at, ok := ParseDateTime(value); ok {
			text = at.UTC().Format(time.RFC3339Nano)
		}
		return text, isText
	}
	return norm.NFC.String(text), isText // é may be one code point or two
}

// formatSentValue formats a draft's value: a string as is, everything else as JSON.
func formatSentValue(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case representative.RawJSON:
		return string(v)
	}
	text, _ := json.Marshal(v) // values that are not JSON are never sent
	return string(text)
}

// SentAndReceived describes the sent and the received value. For a personal value it describes
// the alteration, if it can, because masked values may look alike.
func (e EchoedValue) SentAndReceived() string {
	sent, got := MaskPersonal(e.Path, e.Sent), MaskPersonal(e.Path, e.Got)
	if a, isText := e.Sent.(string); isText {
		if b, isText := e.Got.(string); isText {
			a, b = excerptOfDifference(a, b)
			sent, got = MaskPersonal(e.Path, a), MaskPersonal(e.Path, b)
		}
	}
	how := ""
	if isPersonalField(e.Path) {
		how = describeAlteration(formatSentValue(e.Sent), formatSentValue(e.Got))
	}
	if sent == got {
		return cmp.Or(how, "another of the same form, "+got)
	}
	return cmp.Or(how, "sent "+sent+", got "+got)
}

// excerptOfDifference shortens two long texts to where they begin to differ.
func excerptOfDifference(one, other string) (a, b string) {
	const before, most = 8, 32 // characters
	x, y := []rune(one), []rune(other)
	if len(x) <= most && len(y) <= most {
		return one, other
	}
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	excerpt := func(text []rune) string {
		from := min(max(0, same-before), len(text))
		shown := string(text[from:min(len(text), from+most)])
		if from > 0 {
			shown = "…" + shown
		}
		if from+most < len(text) {
			shown += "…"
		}
		return shown
	}
	return excerpt(x), excerpt(y)
}

// DaysLate returns by how many days a date came back later than it was sent, 0 for other values.
func (e EchoedValue) DaysLate() int {
	sent, noDate := time.Parse(time.DateOnly, formatSentValue(e.Sent))
	got, alsoNot := time.Parse(time.DateOnly, formatSentValue(e.Got))
	if e.Kind != KindDate || noDate != nil || alsoNot != nil {
		return 0
	}
	return int(got.Sub(sent).Hours() / 24)
}

// MaskPersonal formats a value of the record for a message. It masks personal values: reports
// show pseudonyms of what was sent, and what came back may belong to another person.
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

// isPersonalField reports whether a field of the record identifies a person.
func isPersonalField(path string) bool {
	return slices.ContainsFunc(representative.PersonalFields(),
		func(name string) bool { return representative.ResponsePath(name) == path })
}

// maskText masks a text but keeps its form: # for digits, X and x for letters, with accents.
// Random letters would look as if the deployment had answered them.
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
