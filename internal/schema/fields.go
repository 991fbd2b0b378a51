// Package schema describes the fields of a creation and of its record, as the API document states
// them: which values are valid, which are equal, and what may be shown.
package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/representative"
)

// Field is a field of a creation, of its record, or of both.
type Field struct {
	Name     string // logical name in the request; empty: only the service sets it
	Kind     FieldKind
	Required bool
	Path     string // in the record; empty: the record does not show it
}

// FieldKind is what the document states about a field's values.
type FieldKind string

// The kinds.
const (
	KindText       FieldKind = "text"
	KindIdentifier FieldKind = "identifier" // a text that is not empty
	KindEmail      FieldKind = "email"
	KindUUID       FieldKind = "uuid"
	KindDigits     FieldKind = "digits"
	KindDate       FieldKind = "date"
	KindEnum       FieldKind = "choice" // of the four qualifications
	KindCents      FieldKind = "cents"
	KindPercentage FieldKind = "percentage"
	KindNumber     FieldKind = "number"
	KindBoolean    FieldKind = "flag"
	KindObject     FieldKind = "object"
	KindCPF        FieldKind = "cpf" // the type of a document
	KindDateTime   FieldKind = "datetime"
)

// AllFields returns all fields except person_type, which is constant. Fields that only the
// service sets come last.
func AllFields() []Field {
	var all []Field
	for _, of := range []struct {
		kind     FieldKind
		required bool
		names    string
	}{
		{KindUUID, true, "shareholder_id"},
		{KindText, true, "mother_name phone_number"},
		{KindEmail, true, "email"},
		{KindObject, true, "address"},
		{KindText, false, "name"},
		{KindDigits, false, "document_number"},
		{KindText, false, "document_country_of_issue"},
		{KindEnum, false, "qualification"},
		{KindDate, false, "birth_date relationship_start_date relationship_end_date " +
			"registration_update_date"},
		{KindCents, false, "income patrimony"},
		{KindPercentage, false, "participation_percentage"},
		{KindBoolean, false, "pep is_public_server"},
		{KindText, false, "address.zip_code address.street"},
		{KindNumber, false, "address.number"},
		{KindText, false, "address.neighborhood address.city address.federative_unit address.country " +
			"address.complement"},
	} {
		for _, name := range strings.Fields(of.names) {
			all = append(all, Field{
				Name: name, Kind: of.kind, Required: of.required, Path: representative.ResponsePath(name),
			})
		}
	}
	return append(all, Field{Path: "id", Kind: KindUUID}, Field{Path: "document.id", Kind: KindUUID},
		Field{Path: "document.type", Kind: KindCPF},
		Field{Path: "address.id", Kind: KindIdentifier}, Field{Path: "created_at", Kind: KindDateTime})
}

// RecordFields returns the fields whose values the record shows.
func RecordFields() []Field {
	return slices.DeleteFunc(AllFields(),
		func(f Field) bool { return f.Path == "" || f.Kind == KindObject })
}

// Patterns of values.
const (
	uuidPattern          = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
	qualificationPattern = "(PARTNER|ATTORNEY|ADMINISTRATOR|OTHER)"
	localDateTimePattern = `[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?`
	zonePattern          = `[Zz]|[+-][0-9]{2}:[0-9]{2}`
	// ZonedDateTimePattern matches a date-time with a zone.
	ZonedDateTimePattern = `"` + localDateTimePattern + `(` + zonePattern + `)"`
)

var dateTimePattern = regexp.MustCompile(
	`^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$`)

// Description completes the sentence "expected ..." for values of the kind.
func (k FieldKind) Description() string { return fieldKinds[k].expected }

// Pattern returns an extended regular expression for the JSON texts of the kind.
func (k FieldKind) Pattern() string { return fieldKinds[k].pattern }

// Fits reports whether a JSON value (string, json.Number, bool, map, slice) is of the kind.
func (k FieldKind) Fits(value any) bool { return fieldKinds[k].fits(value) }

// fieldKinds describes the kinds. UUIDs may have any version and case, numbers any notation.
var fieldKinds = map[FieldKind]struct {
	expected string
	pattern  string
	fits     func(value any) bool
}{
	KindText: {"a string", `".*"`, isType[string]},
	KindIdentifier: {"a string that is not empty", `".+"`, func(value any) bool {
		return isType[string](value) && value != ""
	}},
	KindEmail:      {"a string", `".*"`, isType[string]},
	KindObject:     {"an object", "object", isType[map[string]any]},
	KindNumber:     {"a number", `-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`, isType[json.Number]},
	KindPercentage: {"a number", `-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`, isType[json.Number]},
	KindBoolean:    {"true or false", "true|false", isType[bool]},
	KindCPF:        {`"CPF"`, `"CPF"`, func(value any) bool { return value == "CPF" }},
	KindUUID: {
		"a UUID: 8-4-4-4-12 hexadecimal digits", `"` + uuidPattern + `"`,
		matchesPattern(uuidPattern),
	},
	KindDigits: {"a string of digits only", `"[0-9]+"`, matchesPattern("[0-9]+")},
	KindEnum: {
		"PARTNER, ATTORNEY, ADMINISTRATOR, OTHER", `"` + qualificationPattern + `"`,
		matchesPattern(qualificationPattern),
	},
	KindCents: {"a whole number", `-?[0-9]+(\.0+)?([eE]\+?[0-9]+)?`, func(value any) bool {
		number, _ := value.(json.Number)
		exact, ok := representative.ParseExactNumber(number.String())
		return ok && exact.IsInt()
	}},
	KindDate: {"a date written YYYY-MM-DD", `"[0-9]{4}-[0-9]{2}-[0-9]{2}"`, func(value any) bool {
		_, err := time.Parse(time.DateOnly, fmt.Sprint(value))
		return isType[string](value) && err == nil
	}},
	KindDateTime: {
		"a date-time such as 2025-01-31T12:00:00Z",
		`"` + localDateTimePattern + `(` + zonePattern + `)?"`, func(value any) bool {
			_, zoned := ParseDateTime(value)
			// other rules check whether it has a zone
			_, local := ParseDateTime(fmt.Sprint(value, "Z"))
			return zoned || local && isType[string](value)
		},
	},
}

func isType[T any](value any) bool { _, ok := value.(T); return ok }

func matchesPattern(pattern string) func(any) bool {
	shape := regexp.MustCompile("^(" + pattern + ")$")
	return func(value any) bool { text, ok := value.(string); return ok && shape.MatchString(text) }
}

// ParseDateTime parses a date-time with a zone.
func ParseDateTime(value any) (time.Time, bool) {
	text, ok := value.(string)
	if !ok || !dateTimePattern.MatchString(text) {
		return time.Time{}, false
	}
	// RFC 3339 allows a space and lower case
	at, err := time.Parse(time.RFC3339, strings.Replace(strings.ToUpper(text), " ", "T", 1))
	return at, err == nil
}
