// Package representative builds the request bodies that create legal representatives and parses
// the records in the answers.
package representative

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/creationfields"
)

// RawJSON is JSON that is sent as is, except for white space, whatever field_types of the
// deployment file says: RawJSON(`"50"`) is a string where a number belongs, RawJSON("1e6")
// keeps its exponent.
type RawJSON string

// Draft is a creation request by logical field names. It is immutable: With and Without return
// copies. Values may be anything that encoding/json writes, including json.Number and RawJSON.
type Draft struct {
	values map[string]any
}

const addressName = "address"

// ResponsePath returns the dotted path of a logical field in the response. It returns "" for
// mother_name, which the response does not have, and for unknown names.
func ResponsePath(logical string) string {
	if logical == "mother_name" {
		return ""
	}
	return creationfields.ResponsePath(logical)
}

// With sets one field. With("address", v) replaces the whole object; setting a part afterwards
// starts an object with only this part. Do not change a slice or map after passing it.
func (d Draft) With(logical string, v any) Draft {
	next := d.clone()
	if logical == addressName {
		removeAddressParts(next.values)
	} else if isAddressPart(logical) {
		delete(next.values, addressName)
	}
	next.values[logical] = v
	return next
}

// Without removes fields; Without("address") removes the whole object.
func (d Draft) Without(logical ...string) Draft {
	next := d.clone()
	for _, name := range logical {
		if name == addressName {
			removeAddressParts(next.values)
		}
		delete(next.values, name)
	}
	return next
}

// Get returns a field's value, or nil if it is not set. Get("address") returns the value that
// replaced the object, or else its parts as a map.
func (d Draft) Get(logical string) any {
	if v, ok := d.values[logical]; ok || logical != addressName {
		return v
	}
	var parts map[string]any
	for name, v := range d.values {
		if part, ok := strings.CutPrefix(name, addressName+"."); ok {
			if parts == nil {
				parts = map[string]any{}
			}
			parts[part] = v
		}
	}
	if parts == nil {
		return nil
	}
	return parts
}

// Has reports whether a field is set, even to null or an empty value.
func (d Draft) Has(logical string) bool {
	if _, ok := d.values[logical]; ok || logical != addressName {
		return ok
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(d.values)), isAddressPart)
}

// ChangedFields returns the logical fields, sorted, whose values differ from those of another
// draft.
func (d Draft) ChangedFields(from Draft) (names []string) {
	for name := range d.values {
		if other, given := from.values[name]; !given || fmt.Sprint(other) != fmt.Sprint(d.values[name]) {
			names = append(names, name)
		}
	}
	for name := range from.values {
		if _, kept := d.values[name]; !kept {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (d Draft) clone() Draft {
	values := maps.Clone(d.values)
	if values == nil {
		values = map[string]any{}
	}
	return Draft{values: values}
}

func isAddressPart(logical string) bool { return strings.HasPrefix(logical, addressName+".") }

func removeAddressParts(values map[string]any) {
	maps.DeleteFunc(values, func(name string, _ any) bool { return isAddressPart(name) })
}
