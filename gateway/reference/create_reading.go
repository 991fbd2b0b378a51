package reference

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// requestFields are the fields of the create request.
var requestFields = strings.Fields(`shareholder_id name mother_name document_number document_country_of_issue birth_date
	income patrimony participation_percentage pep is_public_server qualification phone_number email
	relationship_start_date relationship_end_date registration_update_date address address.zip_code address.street
	address.number address.neighborhood address.city address.federative_unit address.country address.complement`)

// recordPaths are the dotted paths of those that the record has elsewhere than under their name.
var recordPaths = map[string]string{
	"document_number": "document.number", "document_country_of_issue": "document.country_of_issue",
	"qualification": "representor_type",
}

var addressParts = []string{
	"zip_code", "street", "number", "neighborhood", "city", "federative_unit", "country", "complement",
}

// requestPaths gives every field its steps. Where the address parts do not lie inside an object, "address" has none: it
// is there when one of its parts is.
func requestPaths(renamed map[string]string) map[string][]string {
	paths := map[string][]string{}
	for _, field := range requestFields {
		paths[field] = strings.Split(cmp.Or(renamed[field], recordPaths[field], field), ".")
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

// find returns what a creation says at the path of a field.
func (q *call) find(field string) (any, presence) {
	var value any = q.body
	for _, step := range q.g.paths[field] {
		parent, ok := value.(object)
		if value == nil {
			return nil, null
		}
		if !ok {
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

// spoilt notes a defect of a field. Its key is the field's with an ending, or one that begins with "required.".
func (q *call) spoilt(field, ending, message string) {
	key, path := field+ending, q.g.paths[field]
	if ending, missing := strings.CutPrefix(ending, "required"); missing {
		key = "required." + field + ending
	}
	if path == nil {
		path = []string{field}
	}
	q.wrong(0, key, strings.Join(path, "."), q.values[field], message)
}

// take returns the value of a field, noting it when it is required and missing.
func (q *call) take(field string, required bool) (any, bool) {
	value, state := q.find(field)
	switch {
	case state == present:
		q.values[field] = value
		return value, true
	case state == blocked:
		q.spoilt(field, ".type", "its parent is not an object")
	case required && state == null:
		q.spoilt(field, "required.null", "required, found null")
	case required:
		q.spoilt(field, "required.absent", "required")
	}
	return nil, false
}

// takeText takes a field that must be text; blank text counts as missing where the field is required.
func (q *call) takeText(field string, required bool) (string, bool) {
	value, ok := q.take(field, required)
	if !ok {
		return "", false
	}
	text, ok := value.(string)
	switch {
	case !ok:
		q.spoilt(field, ".type", "expected text, found "+kindOf(value))
	case strings.TrimSpace(text) == "" && required:
		q.spoilt(field, "required.empty", "required, found empty text")
	case q.g.choices.Narrow && utf8.RuneCountInString(text) > 60:
		q.spoilt(field, ".length", "expected at most 60 characters")
	default:
		return text, true
	}
	return "", false
}

// takeNumber takes a field that must be a JSON number.
func (q *call) takeNumber(field string) (json.Number, bool) {
	value, ok := q.take(field, false)
	if !ok {
		return "", false
	}
	n, ok := value.(json.Number)
	if !ok {
		q.spoilt(field, ".type."+kindOf(value), "expected a number, found "+kindOf(value))
	}
	return n, ok
}
