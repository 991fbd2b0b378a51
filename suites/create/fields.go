package create

import (
	"slices"

	. "github.com/gateassay/gateassay/gateway/rules"
)

// kind says what the document states of a field's values.
type kind int

const (
	text kind = iota
	email
	uuid
	digits
	date
	choice
	cents
	percentage
	number
	flag
	object
)

// field is a field of the request.
type field struct {
	name     string // logical
	is       kind
	required bool
	worse    string // what other rules send in its place: where that is accepted, the classes say nothing more
	year     string // of a date: a common one, in which the other dates of the request stay consistent
	kept     string // more about what comes back
}

func fields() []field {
	return []field{
		{name: "shareholder_id", is: uuid, required: true, worse: `shareholder_id "not-a-uuid"`},
		{name: "mother_name", is: text, required: true, worse: "mother_name true"},
		{name: "phone_number", is: text, required: true, worse: "phone_number true"},
		{name: "email", is: email, required: true, worse: "an email without @"},
		{name: "address", is: object, required: true},
		{name: "name", is: text, worse: "name true", kept: ", accents and apostrophes included"},
		{name: "document_number", is: digits, worse: "letters in the CPF"},
		{name: "document_country_of_issue", is: text},
		{name: "qualification", is: choice, worse: `qualification "PARTNERS"`, kept: " for all four qualifications"},
		{name: "birth_date", is: date, year: "1985", worse: "birth_date that is text"},
		{name: "relationship_start_date", is: date, year: "2021", worse: "relationship_start_date that is text"},
		{name: "relationship_end_date", is: date, year: "2035", worse: "relationship_end_date that is text"},
		{name: "registration_update_date", is: date, year: "2023", worse: "registration_update_date that is text"},
		{name: "income", is: cents, worse: "income true", kept: ", above 2^31 and up to 2^53 cents"},
		{name: "patrimony", is: cents, worse: "patrimony true", kept: ", above 2^31 and up to 2^53 cents"},
		{
			name: "participation_percentage", is: percentage, worse: "participation_percentage true",
			kept: ", decimals such as 33.33 and 0.01 included",
		},
		{name: "pep", is: flag, worse: `pep "true"`, kept: ", true as well as false"},
		{name: "is_public_server", is: flag, worse: `is_public_server "true"`, kept: ", true as well as false"},
		{name: "address.zip_code", is: text},
		{name: "address.street", is: text},
		{name: "address.number", is: number},
		{name: "address.neighborhood", is: text},
		{name: "address.city", is: text},
		{name: "address.federative_unit", is: text},
		{name: "address.country", is: text},
		{name: "address.complement", is: text},
	}
}

// where lists the fields that something holds for.
func where(holds func(field) bool) []field {
	return slices.DeleteFunc(fields(), func(f field) bool { return !holds(f) })
}

func of(kinds ...kind) func(field) bool {
	return func(f field) bool { return slices.Contains(kinds, f.is) }
}

func called(names ...string) func(field) bool {
	return func(f field) bool { return slices.Contains(names, f.name) }
}

func required(f field) bool { return f.required }

// formatted are the fields whose format the document states.
func formatted(f field) bool { return of(uuid, digits, date, choice)(f) }

// echo is the level at which a field comes back as it was sent: the same text may be written in another way.
func (f field) echo() Level {
	if of(text, email)(f) {
		return Should
	}
	return Must
}

// madeByServer are the fields that no request gives.
func madeByServer() []string {
	return []string{"id", "document.id", "document.type", "address.id", "created_at"}
}
