package create

import (
	"encoding/json"
	"maps"
	"regexp"
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

// codes lists the error codes of a JSON body: the values of keys that are called so, as far as they are words of a program
// and not of a person.
func codes(body []byte) []string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return nil
	}
	var found []string
	var visit func(key string, value any)
	visit = func(key string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, inner := range v {
				visit(name, inner)
			}
		case []any:
			for _, inner := range v {
				visit(key, inner)
			}
		case string:
			if strings.HasSuffix(strings.ToLower(key), "code") && codeShape.MatchString(v) {
				found = append(found, v)
			}
		}
	}
	visit("", value)
	return found
}

// codeShape is a code such as invalid_request, ERR-42 or 1001: no date, no CPF, no UUID.
var codeShape = regexp.MustCompile(`^([A-Za-z][A-Za-z_.-]{1,46}[0-9]{0,6}|[0-9]{1,6})$`)

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
