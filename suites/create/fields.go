package create

import (
	"slices"

	. "github.com/gateassay/gateassay/suites/matchers"
)

type field = Field

// fieldsWhere lists the fields of the request that something holds for.
func fieldsWhere(holds func(field) bool) []field {
	return slices.DeleteFunc(Fields(), func(f field) bool { return f.Name == "" || !holds(f) })
}

// fieldByName is the field of a name that the document has.
func fieldByName(name string) field { return fieldsWhere(hasName(name))[0] }

func hasKind(kinds ...Kind) func(field) bool {
	return func(f field) bool { return slices.Contains(kinds, f.Kind) }
}

func hasName(names ...string) func(field) bool {
	return func(f field) bool { return slices.Contains(names, f.Name) }
}

func isRequired(f field) bool { return f.Required }

// hasStatedFormat are the fields whose format the document states.
func hasStatedFormat(f field) bool { return hasKind(UUID, Digits, Date, Choice)(f) }

// simplerDefect is what other rules send in place of a field: where that is accepted, the classes say nothing more.
func simplerDefect(f field) string {
	if f.Kind == Text && !f.Required && f.Name != "name" {
		return ""
	}
	return withFieldName(f, map[Kind]string{
		UUID: `* "not-a-uuid"`, Text: "* true", Email: "an email without @", Digits: "letters in the CPF", Choice: `* "PARTNERS"`,
		Date: "* that is text", Cents: "* true", Percentage: "* true", Flag: `* "true"`,
	}[f.Kind])
}
