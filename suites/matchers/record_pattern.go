package matchers

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"

	"github.com/gateassay/gateassay/internal/repeat"
	"github.com/gateassay/gateassay/internal/representative"
)

// Keeps is the sign that a record shows a value of the field, as a request holds it.
func (f Field) Keeps(sent any) repeat.Sign {
	return repeat.Value{Path: f.Path, Right: f.Kind.pattern(sent)}
}

// pattern is an extended regular expression of the JSON texts that say the same as a value.
func (k Kind) pattern(value any) string {
	text := textOf(value)
	literal := regexp.QuoteMeta(text)
	switch k {
	case Cents, Number, Percentage:
		if n, ok := representative.ExactNumber(text); ok {
			exact, _ := n.FloatPrec()
			whole, fraction, _ := strings.Cut(n.FloatString(exact), ".")
			if fraction == "" {
				return whole + `(\.0+)?`
			}
			return whole + `\.` + fraction + "0*"
		}
	case Flag:
		return literal
	case Digits:
		return `"?` + literal + `"?`
	case Date:
		return `"` + literal + `([Tt ].*)?"`
	case UUID, Choice:
		return `"` + inAnyCase(text) + `"`
	}
	return regexp.QuoteMeta(written(text))
}

// written is a text as JSON writes it.
func written(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a text can be written
	return strings.TrimSpace(out.String())
}

// inAnyCase is a pattern of letters and digits in either case.
func inAnyCase(text string) string {
	var pattern strings.Builder
	for _, r := range text {
		if unicode.IsLetter(r) {
			pattern.WriteString("[" + string(unicode.ToLower(r)) + string(unicode.ToUpper(r)) + "]")
		} else {
			pattern.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return pattern.String()
}
