package create

import "slices"

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
}

func fields() []field {
	return []field{
		{name: "shareholder_id", is: uuid, required: true, worse: `shareholder_id "not-a-uuid"`},
		{name: "mother_name", is: text, required: true, worse: "mother_name true"},
		{name: "phone_number", is: text, required: true, worse: "phone_number true"},
		{name: "email", is: email, required: true, worse: "an email without @"},
		{name: "address", is: object, required: true},
		{name: "name", is: text, worse: "name true"},
		{name: "document_number", is: digits, worse: "letters in the CPF"},
		{name: "document_country_of_issue", is: text},
		{name: "qualification", is: choice, worse: `qualification "PARTNERS"`},
		{name: "birth_date", is: date, year: "1985", worse: "birth_date that is text"},
		{name: "relationship_start_date", is: date, year: "2021", worse: "relationship_start_date that is text"},
		{name: "relationship_end_date", is: date, year: "2035", worse: "relationship_end_date that is text"},
		{name: "registration_update_date", is: date, year: "2023", worse: "registration_update_date that is text"},
		{name: "income", is: cents, worse: "income true"},
		{name: "patrimony", is: cents, worse: "patrimony true"},
		{name: "participation_percentage", is: percentage, worse: "participation_percentage true"},
		{name: "pep", is: flag, worse: `pep "true"`},
		{name: "is_public_server", is: flag, worse: `is_public_server "true"`},
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

func fieldOf(name string) (field, bool) {
	for _, f := range fields() {
		if f.name == name {
			return f, true
		}
	}
	return field{name: name}, false
}

// where lists the fields that something holds for.
func where(holds func(field) bool) []field {
	return slices.DeleteFunc(fields(), func(f field) bool { return !holds(f) })
}

func of(kinds ...kind) func(field) bool {
	return func(f field) bool { return slices.Contains(kinds, f.is) }
}

func required(f field) bool { return f.required }

// formatted are the fields whose format the document states.
func formatted(f field) bool { return of(uuid, digits, date, choice)(f) }

func sameField(edits []edit) bool {
	return !slices.ContainsFunc(edits, func(e edit) bool { return e.field != edits[0].field })
}

// madeByServer are the fields that no request gives.
func madeByServer() []string {
	return []string{"id", "document.id", "document.type", "address.id", "created_at"}
}

// is says of a kind of field what it is in the record.
func is(kind string) string {
	return map[string]string{
		"uuid": "is a UUID", "cpf_type": "is CPF", "digits": "is a string of digits only", "text": "is a string",
		"qualification": "is PARTNER, ATTORNEY, ADMINISTRATOR or OTHER", "number": "is a number",
		"integer": "is an integer, in cents", "boolean": "is a boolean", "date": "is a date written YYYY-MM-DD",
		"datetime": "is a date-time",
	}[kind]
}
