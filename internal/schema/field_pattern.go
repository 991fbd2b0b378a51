package schema

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/reproscript"
)

// EchoExpectation is the expectation that a record shows a value of the field, as a request holds
// it.
func (f Field) EchoExpectation(sent any) reproscript.Expectation {
	return reproscript.ExpectValue{Path: f.Path, Right: f.Kind.valuePattern(sent)}
}

// valuePattern is an extended regular expression of the JSON texts that say the same as a value.
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
	return regexp.QuoteMeta(encodeJSONText(text))
}

// encodeJSONText is a text as JSON writes it.
func encodeJSONText(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a text can be written
	return strings.TrimSpace(out.String())
}

// caseInsensitivePattern is a pattern of letters and digits in either case.
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
