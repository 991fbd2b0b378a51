// Package answers interprets the answers of a deployment: their bodies, times and errors, and
// whether they are about the request at all.
package answers

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/schema"
)

// UnwrapExportAnswer returns the members of the answer to an export. If a member of the body
// holds what the document describes, envelope is its name.
func UnwrapExportAnswer(x *client.Exchange) (members map[string]any, envelope string, ok bool) {
	doc, _ := ParseJSON(x.Body) // a number is the wrong type of an ID, but still an ID
	if members, ok = doc.(map[string]any); ok {
		members, envelope = representative.Unwrap(members, "file_id", "file_state")
	}
	return members, envelope, ok
}

// ParseJSON parses a body that is one JSON value. It keeps the notation of numbers.
func ParseJSON(body []byte) (doc any, ok bool) { return exactjson.Decode(body) }

// JSONShape describes a JSON object by the paths in it, without values, so that runs are
// comparable. It names the kind of any other body.
func JSONShape(x *client.Exchange) string {
	doc, _ := ParseJSON(x.Body)
	switch _, isObject := doc.(map[string]any); {
	case len(x.Body) == 0:
		return "no body"
	case !isObject:
		return "no JSON object"
	}
	var paths []string
	WalkLeaves(doc, func(path string, _ any) { paths = append(paths, path) })
	slices.Sort(paths)
	return "{" + strings.Join(slices.Compact(paths), ", ") + "}"
}

// WalkLeaves calls visit for every value in a document that is neither an object nor an array.
// path joins the names of the enclosing objects with dots.
func WalkLeaves(doc any, visit func(path string, leaf any)) {
	switch v := doc.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) { // so that each run sends the same
			WalkLeaves(v[name],
				func(path string, leaf any) { visit(strings.TrimSuffix(name+"."+path, "."), leaf) })
		}
	case []any:
		for _, inner := range v {
			WalkLeaves(inner, visit)
		}
	default:
		visit("", v)
	}
}

// FileID returns file_id of the answer to an export.
func FileID(x *client.Exchange) (string, bool) {
	members, _, _ := UnwrapExportAnswer(x)
	switch id := members["file_id"].(type) {
	case string:
		return id, id != ""
	case json.Number:
		return id.String(), true
	}
	return "", false
}

// StartsExport reports whether the answer is a 2xx that names the file of an export.
func StartsExport(x *client.Exchange) bool {
	if x == nil || !x.IsSuccess() {
		return false
	}
	_, named := FileID(x)
	return named
}

// CountStartedExports counts the requests that started an export. If one of them names its file,
// a 2xx without a file counts as a block, which has its own rule.
func CountStartedExports(all []*client.Exchange) int {
	started, named := 0, 0
	for _, x := range all {
		if x.IsSuccess() {
			started++
		}
		if StartsExport(x) {
			named++
		}
	}
	return cmp.Or(named, started)
}

// RecordID returns the ID in the answer to a creation, in lower case. ok is false where there is
// no record or its ID is neither a UUID nor a number. A number is the wrong type, but still an
// ID.
func RecordID(x *client.Exchange) (string, bool) {
	if x == nil || !x.IsSuccess() {
		return "", false
	}
	if id := strings.ToLower(representative.RecordID(x.Body)); schema.KindUUID.Fits(id) ||
		schema.KindDigits.Fits(id) {
		return id, true
	}
	return "", false
}
