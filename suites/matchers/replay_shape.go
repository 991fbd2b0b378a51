package matchers

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
)

// Shape names the sorted keys of a JSON object, and those of the objects in it, without any value: two runs show the
// same shape when the deployment answers alike. A body that is not an object is named by its kind.
func Shape(x *client.Exchange) string {
	if len(x.Body) == 0 {
		return "no body"
	}
	var object map[string]any
	if json.Unmarshal(x.Body, &object) != nil || object == nil {
		if json.Valid(x.Body) {
			return "JSON, no object"
		}
		return "no JSON"
	}
	return "{" + keysOf(object, 1) + "}"
}

func keysOf(object map[string]any, depth int) string {
	keys := slices.Sorted(maps.Keys(object))
	for i, k := range keys {
		if inner, ok := object[k].(map[string]any); ok && depth > 0 {
			keys[i] = k + " {" + keysOf(inner, depth-1) + "}"
		}
	}
	return strings.Join(keys, ", ")
}
