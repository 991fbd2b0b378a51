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

func hasName(names ...string) func(field) bool {
	return func(f field) bool { return slices.Contains(names, f.Name) }
}

func isRequired(f field) bool { return f.Required }

func isRequiredScalar(f field) bool { return f.Required && f.Kind != KindObject }

// hasStatedFormat reports whether the document states the field's format.
func hasStatedFormat(f field) bool { return hasKind(KindUUID, KindDigits, KindDate, KindEnum)(f) }

// simplerDefect describes the invalid value that other rules send in a field. Where that is
// accepted, the classes show nothing more.
func simplerDefect(f field) string {
	if f.Kind == KindText && !f.Required && f.Name != "name" {
		return ""
	}
	return withFieldName(f, map[FieldKind]string{
		KindUUID: `* "not-a-uuid"`, KindText: "* true", KindEmail: "an email without @",
		KindDigits: "letters in the CPF", KindEnum: `* "PARTNERS"`,
		KindDate: "* that is text", KindCents: "* true", KindPercentage: "* true",
		KindBoolean: `* "true"`,
	}[f.Kind])
}
