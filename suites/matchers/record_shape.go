package matchers

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
)

var (
	uuidShape     = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	digitsShape   = regexp.MustCompile(`^[0-9]+$`)
	dateShape     = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	dateTimeShape = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$`)
)

// Expected says what a kind of record field (RecordField.Kind) has to be.
func Expected(kind string) string {
	switch kind {
	case "uuid":
		return "a UUID: 8-4-4-4-12 hexadecimal digits"
	case "text":
		return "a string"
	case "cpf_type":
		return `"CPF"`
	case "digits":
		return "a string of digits only"
	case "number":
		return "a number"
	case "qualification":
		return strings.Join(Qualifications(), ", ")
	case "integer":
		return "a whole number"
	case "boolean":
		return "true or false"
	case "date":
		return "a date written YYYY-MM-DD"
	case "datetime":
		return "a date-time such as 2025-01-31T12:00:00Z"
	}
	return kind
}

// Fits reports whether a JSON value (string, json.Number, bool, map, slice) is of a kind of record field. UUIDs may be of
// any version and case, numbers may be written in any way.
func Fits(kind string, value any) bool {
	text, isText := value.(string)
	number, isNumber := value.(json.Number)
	switch kind {
	case "uuid":
		return isText && uuidShape.MatchString(text)
	case "text":
		return isText
	case "cpf_type":
		return isText && text == "CPF"
	case "digits":
		return isText && digitsShape.MatchString(text)
	case "number":
		return isNumber
	case "qualification":
		return isText && slices.Contains(Qualifications(), text)
	case "integer":
		exact, ok := representative.ExactNumber(number.String())
		return isNumber && ok && exact.IsInt()
	case "boolean":
		_, ok := value.(bool)
		return ok
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		return isText && dateShape.MatchString(text) && err == nil
	case "datetime":
		_, ok := Instant(value)
		if !ok && isText {
			_, ok = Instant(text + "Z") // whether it has to name its zone is another question
		}
		return ok
	}
	return false
}

// Instant reads a date-time with its zone.
func Instant(value any) (time.Time, bool) {
	text, ok := value.(string)
	if !ok || !dateTimeShape.MatchString(text) {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, strings.ToUpper(text))
	return at, err == nil
}

// Shown renders a value of the record for a message. What tells who a person is keeps its shape only.
func Shown(path string, value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case string:
		if personal(path) {
			return "a string like " + clip(mask(v), 60)
		}
		return `the string "` + clip(v, 60) + `"`
	case json.Number:
		if personal(path) {
			return "a number like " + clip(mask(v.String()), 60)
		}
		return "the number " + clip(v.String(), 60)
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return "nothing"
}

// personal tells the fields that say who a person is, by their path in the record.
func personal(path string) bool {
	switch path {
	case "name", "document.number", "birth_date", "phone_number", "email", "address.zip_code", "address.street", "address.complement":
		return true
	}
	return false
}

// mask keeps the form of a text: A and a for letters, 9 for digits.
func mask(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsUpper(r):
			return 'A'
		case unicode.IsLetter(r):
			return 'a'
		case unicode.IsDigit(r):
			return '9'
		}
		return r
	}, s)
}

// RecordID reads the ID of a creation's answer, in lower case; false when there is no record or its ID is no UUID.
func RecordID(x *client.Exchange) (string, bool) {
	if x == nil || !x.Success() {
		return "", false
	}
	var answer struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(x.Body, &answer) != nil || !Fits("uuid", answer.ID) {
		return "", false
	}
	return strings.ToLower(answer.ID.(string)), true
}
