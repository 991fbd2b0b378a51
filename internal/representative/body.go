package representative

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/creationfields"
)

// Body writes the draft in the deployment's names. lr.Fields gives the dotted path of each
// field; the default is that of the response. lr.FieldTypes turns numbers into strings and
// numeric strings into numbers, but leaves RawJSON, null, booleans, objects and arrays alone.
// The same draft gives the same bytes. Errors name values that are not JSON.
func (d Draft) Body(lr deployment.LegalRepresentative) ([]byte, error) {
	root, paths := map[string]any{}, creationfields.RequestPaths(lr.Fields)
	for _, logical := range slices.Sorted(maps.Keys(d.values)) {
		text, err := encodeValue(d.values[logical], lr.FieldTypes[logical])
		if err != nil {
			return nil, fmt.Errorf("the value of %s cannot be written: %w", logical, err)
		}
		setAtPath(root, strings.Split(cmp.Or(paths[logical], logical), "."), RawJSON(text))
	}
	return encodeJSON(root)
}

// setAtPath sets a value inside an object.
func setAtPath(object map[string]any, path []string, value RawJSON) {
	if len(path) == 1 {
		object[path[0]] = value
		return
	}
	inner, isObject := object[path[0]].(map[string]any)
	if !isObject {
		inner = map[string]any{}
		object[path[0]] = inner
	}
	setAtPath(inner, path[1:], value)
}

// encodeValue encodes one value; as is "number", "string" or "".
func encodeValue(v any, as string) ([]byte, error) {
	text, err := encodeJSON(v)
	_, written := v.(RawJSON)
	digits, isText := v.(string)
	switch {
	case err != nil || written:
	case as == "string" && isNumber(text):
		return encodeJSON(string(text))
	case as == "number" && isText && digits != "":
		if strings.Trim(digits, "0123456789") == "" { // JSON forbids leading zeros
			digits = cmp.Or(strings.TrimLeft(digits, "0"), "0")
		}
		if isNumber([]byte(digits)) {
			return []byte(digits), nil
		}
	}
	return text, err
}

func isNumber(text []byte) bool {
	return json.Valid(text) && (text[0] == '-' || text[0] >= '0' && text[0] <= '9')
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

// MarshalJSON allows RawJSON inside maps and slices.
func (r RawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }
