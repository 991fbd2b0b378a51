package plan

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// Difference is a key of which two plans have different values.
type Difference struct {
	Key    string `json:"key"`    // dotted, such as stages[0].rate
	Before string `json:"before"` // as JSON; empty: not there
	After  string `json:"after"`
}

// Differences lists what differs between the JSON forms of two plans, by key. One that cannot be
// read is empty.
func Differences(a, b json.RawMessage) (list []Difference) {
	was, is := flat(a), flat(b)
	keys := maps.Clone(was)
	maps.Copy(keys, is)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if was[key] != is[key] {
			list = append(list, Difference{key, was[key], is[key]})
		}
	}
	return list
}

func flat(data json.RawMessage) map[string]string {
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
