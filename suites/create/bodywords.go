package create

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

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

// codes lists the error codes of a JSON body: the values of keys that are called so, as far as they are words of a
// program and not of a person.
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
