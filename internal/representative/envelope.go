package representative

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/exactjson"
)

// recordMembers are members by which a record is recognized.
var recordMembers = strings.Fields(
	"document address name representor_type person_type shareholder_id")

// RecordID returns the ID of the record in a body, as text even if it is a number, or "".
func RecordID(body []byte) string {
	document, _ := exactjson.Decode(body)
	root, _ := document.(map[string]any)
	switch inner, _ := Unwrap(root, recordMembers...); id := inner["id"].(type) {
	case string:
		return id
	case json.Number:
		return id.String()
	}
	return ""
}

// Unwrap returns the object that has one of some members: the object itself, or the only such
// object inside it. envelope is the name of the member that holds it, or "". Ambiguous objects
// stay as they are.
func Unwrap(object map[string]any, members ...string) (inner map[string]any, envelope string) {
	has := func(object map[string]any) bool {
		return slices.ContainsFunc(members,
			func(name string) bool { _, there := object[name]; return there })
	}
	inner = object
	if has(object) {
		return object, ""
	}
	for name, value := range object {
		within, isObject := value.(map[string]any)
		if !isObject || !has(within) {
			continue
		}
		if envelope != "" {
			return object, ""
		}
		inner, envelope = within, name
	}
	return inner, envelope
}
