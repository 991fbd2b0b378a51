package target

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/representative"
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

// clockTolerance is how far a moment may be off before it is called wrong: the host that answers
// and the one that stores may have clocks of their own.
const clockTolerance = 5 * time.Minute

// ServerTime is what the deployment's clock showed when it answered: the Date header, or our own
// clock without one.
func ServerTime(x *client.Exchange) time.Time {
	if date, err := http.ParseTime(x.Header.Get("Date")); err == nil {
		return date
	}
	return x.StartedAt.Add(x.Service)
}

// IsCurrentTime reports whether a moment is that of an answer by the deployment's clock or by ours,
// and whether that can be judged: where the two clocks differ, nobody knows which of them is right.
func IsCurrentTime(x *client.Exchange, at time.Time) (right, judged bool) {
	theirs, ours := ServerTime(x), x.StartedAt.Add(x.Service)
	near := func(a, b time.Time) bool { return a.Sub(b).Abs() <= clockTolerance }
	right = near(at, theirs) || near(at, ours)
	return right, right || near(theirs, ours)
}
