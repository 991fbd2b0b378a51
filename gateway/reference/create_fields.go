package reference

import (
	"cmp"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/representative"
)

var (
	requestFields  = creationfields.Names()
	requiredFields = []string{"shareholder_id", "mother_name", "phone_number", "email", "address"}
	dateFields     = []string{
		"birth_date", "relationship_start_date", "relationship_end_date", "registration_update_date",
	}
	moneyFields    = []string{"income", "patrimony"}
	booleanFields  = []string{"pep", "is_public_server"}
	qualifications = []string{"PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER"}
	addressParts   = []string{
		"zip_code", "street", "number", "neighborhood", "city", "federative_unit", "country",
		"complement",
	}
)

// requestFieldPaths returns the path of every field, as steps. "address" has no path if its
// parts are not inside an object: it is present if one of its parts is.
func requestFieldPaths(renamed map[string]string) map[string][]string {
	paths := map[string][]string{}
	for _, field := range requestFields {
		paths[field] = strings.Split(cmp.Or(renamed[field], creationfields.ResponsePath(field)), ".")
	}
	if zip := paths["address.zip_code"]; len(zip) == 1 {
		delete(paths, "address")
	} else if renamed["address"] == "" {
		paths["address"] = zip[:len(zip)-1]
	}
	return paths
}

// lookupField returns the value of a field of a creation, or why there is none: "absent",
// "null", or "blocked" if a parent is not an object.
func (q *request) lookupField(field string) (value any, lacking string) {
	value = q.body
	for _, step := range q.gateway.paths[field] {
		parent, ok := value.(jsonObject)
		if value == nil {
			return nil, "null"
		}
		if !ok {
			return nil, "blocked"
		}
		if value, ok = parent[step]; !ok {
			return nil, "absent"
		}
	}
	if value == nil {
		return nil, "null"
	}
	return value, ""
}

// addFieldDefect adds a defect of a field. Its key is the field plus the ending, or "required."
// plus both if the ending starts with "required".
func (q *request) addFieldDefect(field, ending, message string) {
	key, path := field+ending, q.gateway.paths[field]
	if ending, missing := strings.CutPrefix(ending, "required"); missing {
		key = "required." + field + ending
	}
	if path == nil {
		path = []string{field}
	}
	q.addDefect(0, key, strings.Join(path, "."), q.values[field], message)
}

// takeField returns the value of a field. A required field that is missing is a defect.
func (q *request) takeField(field string) (any, bool) {
	value, lacking := q.lookupField(field)
	switch {
	case lacking == "":
		q.values[field] = value
		return value, true
	case lacking == "blocked":
		q.addFieldDefect(field, ".type", "its parent is not an object")
	case slices.Contains(requiredFields, field):
		q.addFieldDefect(field, "required."+lacking, "required, and "+lacking)
	}
	return nil, false
}

// takeText returns the value of a text field. Blank text counts as missing if the field is
// required.
func (q *request) takeText(field string) (string, bool) {
	value, ok := q.takeField(field)
	if !ok {
		return "", false
	}
	text, ok := value.(string)
	switch {
	case !ok:
		q.addFieldDefect(field, ".type", "expected text, found "+jsonKindOf(value))
	case strings.TrimSpace(text) == "" && slices.Contains(requiredFields, field):
		q.addFieldDefect(field, "required.empty", "required, found empty text")
	default:
		return text, true
	}
	return "", false
}

// takeNumber returns the value of a number field; nil: it has too many digits or is out of
// range.
func (q *request) takeNumber(field string) (exact *big.Rat, ok bool) {
	value, ok := q.takeField(field)
	if !ok {
		return nil, false
	}
	n, ok := value.(json.Number)
	if !ok {
		q.addFieldDefect(field, ".type."+jsonKindOf(value), "expected a number, found "+jsonKindOf(value))
		return nil, false
	}
	exact, _ = parseExactNumber(n)
	return exact, true
}

// parseExactNumber parses a JSON number without rounding. It returns nil and false if the number is
// too long or out of range.
func parseExactNumber(n json.Number) (*big.Rat, bool) {
	const longest, most = 64, 1e30
	exact, ok := representative.ParseExactNumber(string(n))
	if !ok || len(n) > longest {
		return nil, false
	}
	if f, _ := exact.Float64(); f > most || f < -most {
		return nil, false
	}
	return exact, true
}

// textOfField returns the value of a text field, or "".
func (q *request) textOfField(field string) string {
	text, _ := q.values[field].(string)
	return text
}

// stripNonDigits removes everything but digits.
func stripNonDigits(text string) string { return nonDigitPattern.ReplaceAllString(text, "") }

var nonDigitPattern = regexp.MustCompile(`[^0-9]+`)
