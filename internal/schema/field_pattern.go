package schema

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/reproscript"
)

// EchoExpectation expects that the record shows the value of a field that a request holds. A number
// in an unusual notation may be refused.
func (f Field) EchoExpectation(sent any) reproscript.Expectation {
	text := formatSentValue(sent)
	return reproscript.ExpectValue{
		Path: f.Path, Right: f.Kind.valuePattern(sent),
		Refused: f.Kind == KindCents && strings.ContainsAny(text, ".eE") ||
			f.Kind == KindPercentage && strings.ContainsAny(text, "eE"),
	}
}

// valuePattern returns an extended regular expression for the JSON texts that equal a value.
func (k FieldKind) valuePattern(value any) string {
	text := formatSentValue(value)
	literal := regexp.QuoteMeta(text)
	switch k {
	case KindCents, KindNumber, KindPercentage:
		if n, ok := representative.ParseExactNumber(text); ok {
			exact, _ := n.FloatPrec()
			whole, fraction, _ := strings.Cut(n.FloatString(exact), ".")
			if fraction == "" {
				return whole + `(\.0+)?`
			}
			return whole + `\.` + fraction + "0*"
		}
	case KindBoolean:
		return literal
	case KindDigits:
		return `"?` + literal + `"?`
	case KindDate:
		return `"` + literal + `([Tt ].*)?"`
	case KindUUID, KindEnum:
		return `"` + caseInsensitivePattern(text) + `"`
	}
	return regexp.QuoteMeta(exactjson.Quote(text))
}

// caseInsensitivePattern returns a pattern for a text in any case.
func caseInsensitivePattern(text string) string {
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
