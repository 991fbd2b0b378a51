package create

import (
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
)

type field = Field

// where lists the fields of the request that something holds for.
func where(holds func(field) bool) []field {
	return slices.DeleteFunc(Fields(), func(f field) bool { return f.Name == "" || !holds(f) })
}

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
	return strings.Replace(map[Kind]string{
		UUID: `* "not-a-uuid"`, Text: "* true", Email: "an email without @", Digits: "letters in the CPF", Choice: `* "PARTNERS"`,
		Date: "* that is text", Cents: "* true", Percentage: "* true", Flag: `* "true"`,
	}[f.Kind], "*", f.Name, 1)
}

// kept says more about what comes back of a field.
func kept(f field) string {
	if f.Name == "name" {
		return ", accents and apostrophes included"
	}
	return map[Kind]string{
		Choice: " for all four qualifications", Cents: ", above 2^31 and up to 2^53 cents", Flag: ", true as well as false",
		Percentage: ", decimals such as 33.33 and 0.01 included",
	}[f.Kind]
}

// echo is the level at which a field comes back as it was sent: the same text may be written in another way.
func echo(f field) Level {
	if of(Text, Email)(f) {
		return Should
	}
	return Must
}
