package matchers

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
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
	dateTimeShape = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$`)
)

// kinds says of each kind of record field (RecordField.Kind) what it has to be, and reports whether a JSON value is.
// UUIDs may be of any version and case, numbers may be written in any way.
var kinds = map[string]struct {
	expected string
	fits     func(value any) bool
}{
	"uuid":     {"a UUID: 8-4-4-4-12 hexadecimal digits", text(uuidShape.MatchString)},
	"text":     {"a string", text(func(string) bool { return true })},
	"cpf_type": {`"CPF"`, text(func(s string) bool { return s == "CPF" })},
	"digits":   {"a string of digits only", text(digitsShape.MatchString)},
	"number":   {"a number", func(value any) bool { _, ok := value.(json.Number); return ok }},
	"qualification": {strings.Join(qualifications(), ", "), text(func(s string) bool {
		return slices.Contains(qualifications(), s)
	})},
	"integer": {"a whole number", func(value any) bool {
		number, _ := value.(json.Number)
		exact, ok := representative.ExactNumber(number.String())
		return ok && exact.IsInt()
	}},
	"boolean": {"true or false", func(value any) bool { _, ok := value.(bool); return ok }},
	"date": {"a date written YYYY-MM-DD", text(func(s string) bool {
		_, err := time.Parse(time.DateOnly, s)
		return dateShape.MatchString(s) && err == nil
	})},
	"datetime": {"a date-time such as 2025-01-31T12:00:00Z", text(func(s string) bool {
		_, zoned := Instant(s)
		_, local := Instant(s + "Z") // whether it has to name its zone is another question
		return zoned || local
	})},
}

func text(fits func(string) bool) func(any) bool {
	return func(value any) bool { s, ok := value.(string); return ok && fits(s) }
}

// Expected says what a kind of record field has to be.
func Expected(kind string) string { return cmp.Or(kinds[kind].expected, kind) }

// Fits reports whether a JSON value (string, json.Number, bool, map, slice) is of a kind of record field.
func Fits(kind string, value any) bool { return kinds[kind].fits != nil && kinds[kind].fits(value) }

// Instant reads a date-time with its zone.
func Instant(value any) (time.Time, bool) {
	text, ok := value.(string)
	if !ok || !dateTimeShape.MatchString(text) {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, strings.ToUpper(text))
	return at, err == nil
}

// Shown renders a value of the record for a message. What identifies a person keeps its shape only.
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
			return "a string " + masked(v, 60)
		}
		return `the string "` + clip(v, 60) + `"`
	case json.Number:
		if personal(path) {
			return "a number " + masked(v.String(), 60)
		}
		return "the number " + clip(v.String(), 60)
	case bool:
		return strconv.FormatBool(v)
	}
	return "nothing"
}

// personal reports the fields that say who a person is, by their path in the record.
func personal(path string) bool {
	return slices.Contains([]string{
		"name", "document.number", "birth_date", "phone_number", "email", "address.zip_code",
		"address.street", "address.complement", "address.neighborhood",
	}, path)
}

// masked keeps the form of a text, and says that it is no more: # for digits, X and x for letters. Letters and digits
// would read as if the deployment had answered them.
func masked(s string, most int) string {
	return "(masked: " + clip(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsUpper(r):
			return 'X'
		case unicode.IsLetter(r):
			return 'x'
		case unicode.IsDigit(r):
			return '#'
		}
		return r
	}, s), most) + ")"
}

// RecordID reads the ID of a creation's answer, in lower case; false when there is no record or its ID is neither a
// UUID nor a number, which is the wrong type and an ID all the same.
func RecordID(x *client.Exchange) (string, bool) {
	if x == nil || !x.Success() {
		return "", false
	}
	if id := strings.ToLower(representative.ID(x.Body)); Fits("uuid", id) || digitsShape.MatchString(id) {
		return id, true
	}
	return "", false
}
