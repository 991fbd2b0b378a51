package representative

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Body writes the draft as the deployment spells it: lr.Fields gives each field's dotted path, and dots nest objects; a
// field without one takes the response's name. lr.FieldTypes turns numbers into strings and numeric strings into
// numbers, but leaves Raw values, null, booleans, objects and arrays alone. The same draft gives the same bytes. Errors
// name two fields whose paths collide, and values that are not JSON.
func (d Draft) Body(lr deployment.LegalRepresentative) ([]byte, error) {
	root := &node{}
	for _, logical := range d.Names() {
		text, err := encodeValue(d.values[logical], lr.FieldTypes[logical])
		if err != nil {
			return nil, fmt.Errorf("the value of %s cannot be written: %w", logical, err)
		}
		path := requestPath(lr, logical)
		if other, ok := root.put(strings.Split(path, "."), leaf{logical, text}); !ok {
			return nil, fmt.Errorf("legal_representative.fields: %s and %s cannot both be written: "+
				"the path %q of one lies in the way of the other",
				other, logical, path)
		}
	}
	var out bytes.Buffer
	root.write(&out)
	return out.Bytes(), nil
}

// requestPath is the dotted path of a logical field in the request: as the deployment file maps it, else the
// response's name. Parts of the address follow a mapped address unless they are mapped themselves.
func requestPath(lr deployment.LegalRepresentative, logical string) string {
	fallback := ResponsePath(logical)
	if fallback == "" {
		fallback = logical
	}
	path := lr.Fields[logical]
	if path != "" && path != fallback {
		return path
	}
	whole := lr.Fields[addressName]
	if isPart(logical) && whole != "" && whole != addressName {
		return whole + strings.TrimPrefix(logical, addressName)
	}
	if logical == addressName {
		if parent := commonParent(lr); parent != "" {
			return parent
		}
	}
	return fallback
}

// commonParent is the object that holds all parts of the address where the address itself is not mapped; "" when they
// do not share one.
func commonParent(lr deployment.LegalRepresentative) string {
	parent := ""
	for _, logical := range logicalNames() {
		if !isPart(logical) {
			continue
		}
		path := lr.Fields[logical]
		if path == "" {
			path = logical
		}
		dot := strings.LastIndexByte(path, '.')
		if dot < 0 || parent != "" && path[:dot] != parent {
			return ""
		}
		parent = path[:dot]
	}
	return parent
}

// leaf is one value and the field it belongs to.
type leaf struct {
	logical string
	text    []byte
}

// node is an object under construction, or a value.
type node struct {
	name     string
	value    *leaf
	children []*node
}

// put adds a value; when another value is in the way it gives that one's field.
func (n *node) put(path []string, l leaf) (inTheWay string, ok bool) {
	if n.value != nil {
		return n.value.logical, false
	}
	if len(path) == 0 {
		if len(n.children) > 0 {
			return n.first(), false
		}
		n.value = &l
		return "", true
	}
	for _, child := range n.children {
		if child.name == path[0] {
			return child.put(path[1:], l)
		}
	}
	child := &node{name: path[0]}
	n.children = append(n.children, child)
	return child.put(path[1:], l)
}

func (n *node) first() string {
	for n.value == nil {
		n = n.children[0]
	}
	return n.value.logical
}

func (n *node) write(out *bytes.Buffer) {
	if n.value != nil {
		out.Write(n.value.text)
		return
	}
	out.WriteByte('{')
	for i, child := range n.children {
		if i > 0 {
			out.WriteByte(',')
		}
		name, _ := encodeJSON(child.name) // a string always can be written
		out.Write(name)
		out.WriteByte(':')
		child.write(out)
	}
	out.WriteByte('}')
}

// encodeValue writes one value; as is "number", "string" or "".
func encodeValue(v any, as string) ([]byte, error) {
	if raw, ok := v.(Raw); ok {
		if !json.Valid([]byte(raw)) {
			return nil, fmt.Errorf("it is Raw but no JSON")
		}
		return []byte(raw), nil
	}
	text, numeric := numberText(v)
	if numeric && !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("it is a json.Number but no JSON number")
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

// MarshalJSON lets Raw stand inside maps and slices; there, white space is removed.
func (r Raw) MarshalJSON() ([]byte, error) { return []byte(r), nil }
