// Package answers reads what the answers of a deployment say: their bodies, times and errors, and
// whether they speak about the request at all.
package answers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/schema"
)

// UnwrapExportAnswer gives the members of the answer to an export. Where a member of the body holds
// what the document describes, envelope is its name.
func UnwrapExportAnswer(x *client.Exchange) (members map[string]any, envelope string, ok bool) {
	doc, _ := ParseJSON(x.Body) // a number is the wrong type for an ID, and an ID all the same
	if members, ok = doc.(map[string]any); ok {
		members, envelope = representative.Unwrap(members, "file_id", "file_state")
	}
	return members, envelope, ok
}

// ParseJSON reads a body that is one JSON value, with its numbers as they are written.
func ParseJSON(body []byte) (doc any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&doc) != nil || d.More() {
		return nil, false
	}
	return doc, true
}

// JSONShape names what a JSON object holds by its paths, without any value: two runs show the same
// shape when the deployment answers alike. A body that is not an object is named by its kind.
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

// WalkLeaves visits every value inside a document that is neither an object nor an array, by the
// names of the objects around it, with dots between them.
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

// FileID reads file_id of an accepted export.
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

// StartsExport reports an export that was started: a 2xx that names the file it will make.
func StartsExport(x *client.Exchange) bool {
	if x == nil || !x.IsSuccess() {
		return false
	}
	_, named := FileID(x)
	return named
}

// CountStartedExports counts the requests that started an export. Where one names its file, a 2xx
// without a file is a block in disguise, which has a rule of its own.
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

// RecordID reads the ID of a creation's answer, in lower case; false when there is no record or its
// ID is neither a UUID nor a number, which is the wrong type and an ID all the same.
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
