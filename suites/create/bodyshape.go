package create

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// shape lists the keys of a JSON body with their types, objects one level deep: "error{code string, message string}".
// It repeats no value.
func shape(body []byte) string {
	if len(strings.TrimSpace(string(body))) == 0 {
		return "empty body"
	}
	var value any
	if json.Unmarshal(body, &value) != nil {
		return "no JSON"
	}
	object, ok := value.(map[string]any)
	if !ok {
		return typeName(value)
	}
	return members(object, 1)
}

func members(object map[string]any, deeper int) string {
	var names []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		inner, isObject := object[key].(map[string]any)
		if isObject && deeper > 0 {
			names = append(names, key+"{"+members(inner, deeper-1)+"}")
			continue
		}
		names = append(names, key+" "+typeName(object[key]))
	}
	return strings.Join(names, ", ")
}

func typeName(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// words joins the texts of a JSON body that consist of several words: messages, as opposed to codes and IDs.
func words(body []byte) string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return strings.TrimSpace(string(body))
	}
	var found []string
	collect(value, &found)
	slices.Sort(found)
	return strings.Join(found, "\n")
}

func collect(value any, found *[]string) {
	switch v := value.(type) {
	case string:
		if strings.ContainsAny(strings.TrimSpace(v), " ") {
			*found = append(*found, v)
		}
	case []any:
		for _, inner := range v {
			collect(inner, found)
		}
	case map[string]any:
		for _, inner := range v {
			collect(inner, found)
		}
	}
}
