// Package representative builds the request bodies that create legal representatives and reads the
// records that come back.
package representative

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/creationfields"
)

// RawJSON is JSON that goes out as it is, but for white space, whatever field_types of the
// deployment file says: Raw(`"50"`) is a string where a number belongs, RawJSON("1e6") keeps its
// exponent.
type RawJSON string

// Draft is a creation request by logical field names, before a deployment's spelling is applied. It
// is immutable: With and Without return copies. Values may be anything encoding/json writes,
// json.Number or RawJSON.
type Draft struct {
	values map[string]any
}

const addressName = "address"

// ResponsePath is where the response shows a logical field, as a dotted path; "" for mother_name,
// which the response does not have, and for names that nobody knows.
func ResponsePath(logical string) string {
	if logical == "mother_name" {
		return ""
	}
	return creationfields.ResponsePath(logical)
}

// With sets one field. With("address", v) replaces the whole object, and setting a part after that
// starts an object with this part alone. A value that is a slice or a map must not be changed
// afterwards.
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

// Get gives a field's value, nil when it is not set. Get("address") is the value that replaced the
// object, else its parts as a map.
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

// Has reports whether a field is set, to null or empty too.
func (d Draft) Has(logical string) bool {
	if _, ok := d.values[logical]; ok || logical != addressName {
		return ok
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(d.values)), isAddressPart)
}

// ChangedFields lists the logical fields whose values differ from those of another draft, in the
// order of their names.
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
