package reference

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// defaultPaths are the fields of the create request under the names that the record has, as dotted paths.
var defaultPaths = map[string]string{
	"shareholder_id": "shareholder_id", "name": "name", "mother_name": "mother_name",
	"document_number": "document.number", "document_country_of_issue": "document.country_of_issue",
	"birth_date": "birth_date", "income": "income", "patrimony": "patrimony",
	"participation_percentage": "participation_percentage", "pep": "pep", "is_public_server": "is_public_server",
	"qualification": "representor_type", "phone_number": "phone_number", "email": "email",
	"relationship_start_date": "relationship_start_date", "relationship_end_date": "relationship_end_date",
	"registration_update_date": "registration_update_date",
	"address":                  "address", "address.zip_code": "address.zip_code", "address.street": "address.street",
	"address.number": "address.number", "address.neighborhood": "address.neighborhood", "address.city": "address.city",
	"address.federative_unit": "address.federative_unit", "address.country": "address.country",
	"address.complement": "address.complement",
}

var addressParts = []string{
	"zip_code", "street", "number", "neighborhood", "city", "federative_unit", "country", "complement",
}

// requestPaths gives every field its steps. Where the address parts do not lie inside an object, "address" has none: it
// is there when one of its parts is.
func requestPaths(renamed map[string]string) map[string][]string {
	paths := map[string][]string{}
	for field, path := range defaultPaths {
		if other := renamed[field]; other != "" {
			path = other
		}
		paths[field] = strings.Split(path, ".")
	}
	if zip := paths["address.zip_code"]; len(zip) == 1 {
		delete(paths, "address")
	} else if renamed["address"] == "" {
		paths["address"] = zip[:len(zip)-1]
	}
	return paths
}

// presence says what a request has at a path.
type presence int

const (
	absent presence = iota
	null
	present
	blocked // something on the way is not an object
)

// submission collects what a create request says and what is wrong with it.
type submission struct {
	paths  map[string][]string
	narrow bool // see Choices
	body   object
	values object // by logical field; only what was sent and is not null
	issues []issue
}

func (rd *submission) find(field string) (any, presence) {
	var value any = rd.body
	for _, step := range rd.paths[field] {
		parent, ok := value.(object)
		if !ok {
			if value == nil {
				return nil, null
			}
			return nil, blocked
		}
		if value, ok = parent[step]; !ok {
			return nil, absent
		}
	}
	if value == nil {
		return nil, null
	}
	return value, present
}

func (rd *submission) add(key, field, message string) {
	rd.issues = append(rd.issues, wrong(key, strings.Join(rd.pathOf(field), "."), message)...)
}

func (rd *submission) pathOf(field string) []string {
	if path := rd.paths[field]; path != nil {
		return path
	}
	return []string{field}
}

// take returns the value of a field, noting it when it is required and missing.
func (rd *submission) take(field string, required bool) (any, bool) {
	value, state := rd.find(field)
	switch {
	case state == present:
		rd.values[field] = value
		return value, true
	case state == blocked:
		rd.add(field+".type", field, "its parent is not an object")
	case required && state == null:
		rd.add("required."+field+".null", field, "required, found null")
	case required:
		rd.add("required."+field+".absent", field, "required")
	}
	return nil, false
}

// text takes a field that must be text; blank text counts as missing where the field is required.
func (rd *submission) text(field string, required bool) (string, bool) {
	value, ok := rd.take(field, required)
	if !ok {
		return "", false
	}
	text, ok := value.(string)
	if !ok {
		rd.add(field+".type", field, "expected text, found "+kindOf(value))
		return "", false
	}
	if strings.TrimSpace(text) == "" && required {
		rd.add("required."+field+".empty", field, "required, found empty text")
		return "", false
	}
	if most := 60; rd.narrow && utf8.RuneCountInString(text) > most {
		rd.add(field+".length", field, fmt.Sprintf("expected at most %d characters", most))
		return "", false
	}
	return text, true
}

func (rd *submission) flag(field string) {
	value, ok := rd.take(field, false)
	if !ok {
		return
	}
	if _, ok := value.(bool); !ok {
		rd.add(field+"."+kindOf(value), field, "expected true or false, found "+kindOf(value))
	}
}

// number takes a field that must be a JSON number.
func (rd *submission) number(field string) (json.Number, bool) {
	value, ok := rd.take(field, false)
	if !ok {
		return "", false
	}
	n, ok := value.(json.Number)
	if !ok {
		rd.add(field+".type."+kindOf(value), field, "expected a number, found "+kindOf(value))
	}
	return n, ok
}
