package matchers

import "slices"

// RecordField is one line of the record's table in the API document.
type RecordField struct {
	Path string // in the answer
	Kind string // uuid | text | cpf_type | digits | number | qualification | integer | boolean | date | datetime
}

// RecordFields lists the typed fields of the record, in the document's order; person_type is not among them.
func RecordFields() []RecordField {
	return []RecordField{
		{"id", "uuid"},
		{"document.id", "uuid"},
		{"document.type", "cpf_type"},
		{"document.number", "digits"},
		{"document.country_of_issue", "text"},
		{"address.id", "text"},
		{"address.zip_code", "text"},
		{"address.street", "text"},
		{"address.number", "number"},
		{"address.neighborhood", "text"},
		{"address.city", "text"},
		{"address.federative_unit", "text"},
		{"address.country", "text"},
		{"address.complement", "text"},
		{"name", "text"},
		{"representor_type", "qualification"},
		{"income", "integer"},
		{"patrimony", "integer"},
		{"participation_percentage", "number"},
		{"pep", "boolean"},
		{"is_public_server", "boolean"},
		{"phone_number", "text"},
		{"email", "text"},
		{"registration_update_date", "date"},
		{"birth_date", "date"},
		{"relationship_start_date", "date"},
		{"relationship_end_date", "date"},
		{"created_at", "datetime"},
		{"shareholder_id", "uuid"},
	}
}

// Kind is the documented kind of a record field; fields that the table does not have are texts.
func Kind(path string) string {
	all := RecordFields()
	if i := slices.IndexFunc(all, func(f RecordField) bool { return f.Path == path }); i >= 0 {
		return all[i].Kind
	}
	return "text"
}

// Qualifications are the four documented kinds of representation.
func qualifications() []string { return []string{"PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER"} }
