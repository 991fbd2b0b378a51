// Package creationfields lists the fields of a creation request: their names, and their paths in
// requests and responses.
package creationfields

import (
	"slices"
	"strings"
)

// Field is a field of the creation request.
type Field struct {
	Name   string // parts of the address start with "address."
	Preset string // the dotted path in the response, and the default in the request
	Doc    string

	documented bool // the API document shows the name in requests
}

// fields are in the order of the API document.
var fields = []Field{
	documented("shareholder_id", "The shareholder that the representative is linked to."),
	documented("name", "The representative's name."),
	documented("mother_name", "The name of the representative's mother."),
	undocumented("document_number", "document.number", "The CPF."),
	undocumented("document_country_of_issue", "document.country_of_issue",
		"The country that issued the document."),
	undocumented("birth_date", "birth_date", "The date of birth."),
	documented("income", "The income in cents."),
	documented("patrimony", "The patrimony in cents."),
	documented("participation_percentage", "The participation in management, 0 to 100."),
	undocumented("pep", "pep", "Whether the person is politically exposed."),
	undocumented("is_public_server", "is_public_server", "Whether the person is a public servant."),
	undocumented("qualification", "representor_type", "PARTNER, ATTORNEY, ADMINISTRATOR or OTHER."),
	documented("phone_number", "The phone number."),
	documented("email", "The email address."),
	documented("relationship_start_date", "When the relationship with the legal person began."),
	undocumented("relationship_end_date", "relationship_end_date", "When it ended."),
	documented("registration_update_date", "When the registration was last updated."),
	documented("address", "The object that holds the parts of the address."),
	undocumented("address.zip_code", "address.zip_code", "The ZIP code."),
	undocumented("address.street", "address.street", "The street."),
	undocumented("address.number", "address.number", "The street number."),
	undocumented("address.neighborhood", "address.neighborhood", "The neighborhood."),
	undocumented("address.city", "address.city", "The city."),
	undocumented("address.federative_unit", "address.federative_unit", "The federative unit."),
	undocumented("address.country", "address.country", "The country."),
	undocumented("address.complement", "address.complement", "The complement."),
}

// documented returns a field whose name the API document shows in requests and responses.
func documented(name, doc string) Field { return Field{name, name, doc, true} }

// undocumented returns a field that the API document names only in responses.
func undocumented(name, preset, doc string) Field { return Field{name, preset, doc, false} }

// All lists the fields in the order of the API document.
func All() []Field { return slices.Clone(fields) }

// Names returns the names of the fields in legal_representative.fields and field_types, in the
// order of the API document. Parts of the address start with "address.".
func Names() []string {
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return names
}

// ResponsePath returns the dotted path of a field in the response, or "" for an unknown name.
func ResponsePath(name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Preset
		}
	}
	return ""
}

// IsDocumented reports whether a field is sent under a name that the API document shows in
// requests. paths are the paths of all fields.
func IsDocumented(paths map[string]string, field string) bool {
	return paths[field] == field && slices.ContainsFunc(fields,
		func(f Field) bool { return f.Name == field && f.documented })
}

// RequestPaths returns the dotted paths of all fields in the request: the given ones, or else
// those of the response. Parts of the address follow the address.
func RequestPaths(given map[string]string) map[string]string {
	paths := map[string]string{}
	for _, f := range fields {
		switch part, isPart := strings.CutPrefix(f.Name, "address."); {
		case given[f.Name] != "":
			paths[f.Name] = given[f.Name]
		case isPart:
			paths[f.Name] = paths["address"] + "." + part // fields has the address before its parts
		default:
			paths[f.Name] = f.Preset
		}
	}
	return paths
}
