package create

import (
	"slices"

	. "github.com/gateassay/gateassay/suites/matchers"
)

type field = Field

// where lists the fields of the request that something holds for.
func where(holds func(field) bool) []field {
	return slices.DeleteFunc(Fields(), func(f field) bool { return f.Name == "" || !holds(f) })
}

// known is the field of a name that the document has.
func known(name string) field { return where(called(name))[0] }

func of(kinds ...Kind) func(field) bool {
	return func(f field) bool { return slices.Contains(kinds, f.Kind) }
}

func called(names ...string) func(field) bool {
	return func(f field) bool { return slices.Contains(names, f.Name) }
}

func required(f field) bool { return f.Required }

// formatted are the fields whose format the document states.
func formatted(f field) bool { return of(UUID, Digits, Date, Choice)(f) }

// worse is what other rules send in place of a field: where that is accepted, the classes say nothing more.
func worse(f field) string {
	if f.Kind == Text && !f.Required && f.Name != "name" {
		return ""
	}
	return about(f, map[Kind]string{
		UUID: `* "not-a-uuid"`, Text: "* true", Email: "an email without @", Digits: "letters in the CPF", Choice: `* "PARTNERS"`,
		Date: "* that is text", Cents: "* true", Percentage: "* true", Flag: `* "true"`,
	}[f.Kind])
}
