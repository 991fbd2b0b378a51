package plan

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// JSON returns the plan for other processes: one line of JSON, keys always in the same order.
func (p *Plan) JSON() []byte {
	data, err := json.Marshal(p)
	if err != nil {
		panic("plan: " + err.Error()) // NaN or infinity, which problems rejects
	}
	return data
}

// Hash returns the SHA-256 of the JSON form in hexadecimal. Shards with equal hashes send the
// same schedule.
func (p *Plan) Hash() string { return fmt.Sprintf("%x", sha256.Sum256(p.JSON())) }

// Decode reads the JSON form. It returns an error for another schema and for invalid values.
func Decode(data []byte) (*Plan, error) {
	var p Plan
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("the plan is not the JSON that gateassay wrote: %w", err)
	}
	if p.Schema != Schema {
		return nil, fmt.Errorf("expected a plan of schema %s, found %q; use the version of "+
			"gateassay that wrote it", Schema, p.Schema)
	}
	return &p, p.problems().Err()
}

// A KeyDifference is a key whose value differs between two plans.
type KeyDifference struct {
	Key    string `json:"key"`    // dotted, such as stages[0].rate
	Before string `json:"before"` // as JSON; empty: missing
	After  string `json:"after"`
}

// Differences lists the differences between the JSON forms of two plans, sorted by key. A form
// that cannot be read counts as empty.
func Differences(a, b json.RawMessage) (list []KeyDifference) {
	was, is := flattenJSON(a), flattenJSON(b)
	keys := maps.Clone(was)
	maps.Copy(keys, is)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if was[key] != is[key] {
			list = append(list, KeyDifference{key, was[key], is[key]})
		}
	}
	return list
}

func flattenJSON(data json.RawMessage) map[string]string {
	found := map[string]string{}
	var document any
	if json.Unmarshal(data, &document) != nil {
		return found
	}
	var walk func(key string, value any)
	walk = func(key string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, inner := range v {
				if key != "" {
					name = key + "." + name
				}
				walk(name, inner)
			}
		case []any:
			for i, inner := range v {
				walk(key+"["+strconv.Itoa(i)+"]", inner)
			}
		default:
			text, _ := json.Marshal(v) // it was read from JSON
			found[key] = string(text)
		}
	}
	walk("", document)
	return found
}
