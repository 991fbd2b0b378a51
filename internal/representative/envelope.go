package representative

import (
	"bytes"
	"encoding/json"
	"slices"
)

// recordMembers are members that show a record.
var recordMembers = []string{
	"document",
	"address",
	"name",
	"representor_type",
	"person_type",
	"shareholder_id",
}

// RecordID is the ID of the record that a body holds, be it a number; empty: none.
func RecordID(body []byte) string {
	var root map[string]any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&root) != nil || d.More() {
		return ""
	}
	switch inner, _ := Unwrap(root, recordMembers...); id := inner["id"].(type) {
	case string:
		return id
	case json.Number:
		return id.String()
	}
	return ""
}

// Unwrap finds the object that has one of some members: the object itself, or the only one inside
// it that has. envelope is the name that it lies under; empty: none. What is ambiguous stays as it
// is.
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
