package exactjson

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// A KeyDifference is a key whose value differs between two documents.
type KeyDifference struct {
	Key    string `json:"key"`    // dotted, such as stages[0].rate
	Before string `json:"before"` // as JSON; empty: missing
	After  string `json:"after"`
}

// Differences lists the differences between two JSON documents, sorted by key. A document that
// cannot be read counts as empty.
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
	document, ok := Decode(data)
	if !ok {
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
