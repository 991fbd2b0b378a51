package create

import (
	"slices"

	. "github.com/gateassay/gateassay/internal/schema"
)

type field = Field

// fieldsWhere returns the fields of the request for which holds is true.
func fieldsWhere(holds func(field) bool) []field {
	return slices.DeleteFunc(AllFields(), func(f field) bool { return f.Name == "" || !holds(f) })
}

// fieldByName returns the field with a documented name.
func fieldByName(name string) field { return fieldsWhere(hasName(name))[0] }

func hasKind(kinds ...FieldKind) func(field) bool {
	return func(f field) bool { return slices.Contains(kinds, f.Kind) }
}

func hasName(name string) func(field) bool {
	return func(f field) bool { return f.Name == name }
}

func isRequired(f field) bool { return f.Required }

// hasStatedFormat reports whether the document states the field's format.
func hasStatedFormat(f field) bool { return hasKind(KindUUID, KindDigits, KindDate, KindEnum)(f) }
