package matchers

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/representative"
)

// Field is a field of a creation, of the record that comes of it, or of both.
type Field struct {
	Name     string // logical, in the request; empty: only the service sets it
	Kind     Kind
	Required bool
	Path     string // in the record; empty: the record does not show it
}

// Kind says what the document states of a field's values.
type Kind string

// The kinds.
const (
	Text       Kind = "text"
	Email      Kind = "email"
	UUID       Kind = "uuid"
	Digits     Kind = "digits"
	Date       Kind = "date"
	Choice     Kind = "choice" // of the four qualifications
	Cents      Kind = "cents"
	Percentage Kind = "percentage"
	Number     Kind = "number"
	Flag       Kind = "flag"
	Object     Kind = "object"
	CPF        Kind = "cpf" // of a document's type
	DateTime   Kind = "datetime"
)

// Fields lists them all but person_type, which is always the same. Those that only the service sets come last.
func Fields() []Field {
	var all []Field
	for _, of := range []struct {
		kind     Kind
		required bool
		names    string
	}{
		{UUID, true, "shareholder_id"},
		{Text, true, "mother_name phone_number"},
		{Email, true, "email"},
		{Object, true, "address"},
		{Text, false, "name"},
		{Digits, false, "document_number"},
		{Text, false, "document_country_of_issue"},
		{Choice, false, "qualification"},
		{Date, false, "birth_date relationship_start_date relationship_end_date registration_update_date"},
		{Cents, false, "income patrimony"},
		{Percentage, false, "participation_percentage"},
		{Flag, false, "pep is_public_server"},
		{Text, false, "address.zip_code address.street"},
		{Number, false, "address.number"},
		{Text, false, "address.neighborhood address.city address.federative_unit address.country address.complement"},
	} {
		for _, name := range strings.Fields(of.names) {
			all = append(all, Field{Name: name, Kind: of.kind, Required: of.required, Path: representative.ResponsePath(name)})
		}
	}
	return append(all, Field{Path: "id", Kind: UUID}, Field{Path: "document.id", Kind: UUID}, Field{Path: "document.type", Kind: CPF},
		Field{Path: "address.id", Kind: Text}, Field{Path: "created_at", Kind: DateTime})
}

// RecordFields lists those that a record shows a value of.
func RecordFields() []Field {
	return slices.DeleteFunc(Fields(), func(f Field) bool { return f.Path == "" || f.Kind == Object })
}

// Shapes of values.
const (
	uuidShape = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
	choices   = "(PARTNER|ATTORNEY|ADMINISTRATOR|OTHER)"
	local     = `[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?`
	zone      = `[Zz]|[+-][0-9]{2}:[0-9]{2}`
	// Zoned is the pattern of a date-time that names its zone.
	Zoned = `"` + local + `(` + zone + `)"`
)

var dateTimeShape = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$`)

// Expected says what a value of a kind has to be.
func (k Kind) Expected() string { return kinds[k].expected }

// Pattern is an extended regular expression of the JSON texts that fit the kind.
func (k Kind) Pattern() string { return kinds[k].pattern }

// Fits reports whether a JSON value (string, json.Number, bool, map, slice) is of the kind.
func (k Kind) Fits(value any) bool { return kinds[k].fits(value) }

// kinds: UUIDs may be of any version and case, numbers may be written in any way.
var kinds = map[Kind]struct {
	expected string
	pattern  string
	fits     func(value any) bool
}{
	Text:       {"a string", `".*"`, is[string]},
	Email:      {"a string", `".*"`, is[string]},
	Number:     {"a number", `-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`, is[json.Number]},
	Percentage: {"a number", `-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`, is[json.Number]},
	Flag:       {"true or false", "true|false", is[bool]},
	CPF:        {`"CPF"`, `"CPF"`, func(value any) bool { return value == "CPF" }},
	UUID:       {"a UUID: 8-4-4-4-12 hexadecimal digits", `"` + uuidShape + `"`, shaped(uuidShape)},
	Digits:     {"a string of digits only", `"[0-9]+"`, shaped("[0-9]+")},
	Choice:     {"PARTNER, ATTORNEY, ADMINISTRATOR, OTHER", `"` + choices + `"`, shaped(choices)},
	Cents: {"a whole number", `-?[0-9]+(\.0+)?([eE]\+?[0-9]+)?`, func(value any) bool {
		number, _ := value.(json.Number)
		exact, ok := representative.ExactNumber(number.String())
		return ok && exact.IsInt()
	}},
	Date: {"a date written YYYY-MM-DD", `"[0-9]{4}-[0-9]{2}-[0-9]{2}"`, func(value any) bool {
		_, err := time.Parse(time.DateOnly, fmt.Sprint(value))
		return is[string](value) && err == nil
	}},
	DateTime: {"a date-time such as 2025-01-31T12:00:00Z", `"` + local + `(` + zone + `)?"`, func(value any) bool {
		_, zoned := Instant(value)
		_, local := Instant(fmt.Sprint(value, "Z")) // whether it has to name its zone is another question
		return zoned || local && is[string](value)
	}},
}

func is[T any](value any) bool { _, ok := value.(T); return ok }

func shaped(pattern string) func(any) bool {
	shape := regexp.MustCompile("^(" + pattern + ")$")
	return func(value any) bool { text, ok := value.(string); return ok && shape.MatchString(text) }
}

// Instant reads a date-time with its zone.
func Instant(value any) (time.Time, bool) {
	text, ok := value.(string)
	if !ok || !dateTimeShape.MatchString(text) {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, strings.Replace(strings.ToUpper(text), " ", "T", 1)) // which RFC 3339 allows
	return at, err == nil
}
