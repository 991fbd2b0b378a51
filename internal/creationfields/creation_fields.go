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

// documented returns a field whose name the API document shows in requests and responses.
func documented(name, doc string) Field {
	return Field{Name: name, Preset: name, Doc: doc, documented: true}
}

// fields are in the order of the API document.
var fields = []Field{
	documented("shareholder_id", "The shareholder that the representative is linked to."),
	documented("name", "The representative's name."),
	documented("mother_name", "The name of the representative's mother."),
	{Name: "document_number", Preset: "document.number", Doc: "The CPF."},
	{
		Name: "document_country_of_issue", Preset: "document.country_of_issue",
		Doc: "The country that issued the document.",
	},
	{Name: "birth_date", Preset: "birth_date", Doc: "The date of birth."},
	documented("income", "The income in cents."),
	documented("patrimony", "The patrimony in cents."),
	documented("participation_percentage", "The participation in management, 0 to 100."),
	{Name: "pep", Preset: "pep", Doc: "Whether the person is politically exposed."},
	{
		Name: "is_public_server", Preset: "is_public_server",
		Doc: "Whether the person is a public servant.",
	},
	{
		Name: "qualification", Preset: "representor_type",
		Doc: "PARTNER, ATTORNEY, ADMINISTRATOR or OTHER.",
	},
	documented("phone_number", "The phone number."),
	documented("email", "The email address."),
	documented("relationship_start_date", "When the relationship with the legal person began."),
	{Name: "relationship_end_date", Preset: "relationship_end_date", Doc: "When it ended."},
	documented("registration_update_date", "When the registration was last updated."),
	documented("address", "The object that holds the parts of the address."),
	{Name: "address.zip_code", Preset: "address.zip_code", Doc: "The ZIP code."},
	{Name: "address.street", Preset: "address.street", Doc: "The street."},
	{Name: "address.number", Preset: "address.number", Doc: "The street number."},
	{Name: "address.neighborhood", Preset: "address.neighborhood", Doc: "The neighborhood."},
	{Name: "address.city", Preset: "address.city", Doc: "The city."},
	{Name: "address.federative_unit", Preset: "address.federative_unit", Doc: "The federative unit."},
	{Name: "address.country", Preset: "address.country", Doc: "The country."},
	{Name: "address.complement", Preset: "address.complement", Doc: "The complement."},
}

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
