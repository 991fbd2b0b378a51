package representative

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Body writes the draft as the deployment spells it: lr.Fields gives each field's dotted path, and dots nest objects; a
// field without one takes the response's name. lr.FieldTypes turns numbers into strings and numeric strings into
// numbers, but leaves Raw values, null, booleans, objects and arrays alone. The same draft gives the same bytes. Errors
// name a field whose path collides with another's, and values that are not JSON.
func (d Draft) Body(lr deployment.LegalRepresentative) ([]byte, error) {
	root, paths := map[string]any{}, deployment.RequestPaths(lr.Fields)
	for _, logical := range d.Names() {
		text, err := encodeValue(d.values[logical], lr.FieldTypes[logical])
		if err != nil {
			return nil, fmt.Errorf("the value of %s cannot be written: %w", logical, err)
		}
		path := requestPath(paths, logical)
		if !put(root, strings.Split(path, "."), Raw(text)) {
			return nil, fmt.Errorf("legal_representative.fields: %s cannot be written: its path %q is that of another field, "+
				"or a part of it", logical, path)
		}
	}
	return encodeJSON(root)
}

// put adds a value to an object, unless another one is in the way.
func put(object map[string]any, path []string, value Raw) bool {
	at, there := object[path[0]]
	if len(path) == 1 {
		object[path[0]] = value
		return !there
	}
	if !there {
		at = map[string]any{}
		object[path[0]] = at
	}
	inner, isObject := at.(map[string]any)
	return isObject && put(inner, path[1:], value)
}

// requestPath is the dotted path of a logical field in the request. Where the parts of the address are mapped and the
// address itself is not, it is the object that holds all of them.
func requestPath(paths map[string]string, logical string) string {
	if logical != addressName || paths[addressName] != addressName {
		return cmp.Or(paths[logical], logical)
	}
	var parents []string
	for name, path := range paths {
		if isPart(name) {
			parents = append(parents, path[:max(0, strings.LastIndexByte(path, '.'))])
		}
	}
	slices.Sort(parents)
	if parents = slices.Compact(parents); len(parents) > 1 {
		return addressName
	}
	return cmp.Or(parents[0], addressName)
}

// encodeValue writes one value; as is "number", "string" or "".
func encodeValue(v any, as string) ([]byte, error) {
	if raw, ok := v.(Raw); ok {
		if !json.Valid([]byte(raw)) {
			return nil, fmt.Errorf("it is Raw but not JSON")
		}
		return []byte(raw), nil
	}
	text, numeric := numberText(v)
	if numeric && !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("it is a json.Number but not a JSON number")
	}
	switch {
	case numeric && as == "string":
		return encodeJSON(text)
	case numeric:
		return []byte(text), nil
	case as == "number":
		if s, ok := v.(string); ok {
			if number, ok := numeral(s); ok {
				return []byte(number), nil
			}
		}
	}
	return encodeJSON(v)
}

// numberText writes Go's numbers and json.Number exactly.
func numberText(v any) (string, bool) {
	if number, ok := v.(json.Number); ok {
		return strings.TrimSpace(string(number)), true
	}
	switch value := reflect.ValueOf(v); {
	case v == nil:
	case value.CanInt():
		return strconv.FormatInt(value.Int(), 10), true
	case value.CanUint():
		return strconv.FormatUint(value.Uint(), 10), true
	case value.CanFloat():
		return strconv.FormatFloat(value.Float(), 'f', -1, value.Type().Bits()), true
	}
	return "", false
}

// numeral reports whether a string of digits can be a JSON number; leading zeros, which JSON forbids, are dropped.
func numeral(s string) (string, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return s, json.Valid([]byte(s)) && s != "" && (s[0] == '-' || s[0] >= '0' && s[0] <= '9')
	}
	if s = strings.TrimLeft(s, "0"); s == "" {
		s = "0"
	}
	return s, true
}

func encodeJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}

// MarshalJSON lets Raw stand inside maps and slices.
func (r Raw) MarshalJSON() ([]byte, error) { return []byte(r), nil }
