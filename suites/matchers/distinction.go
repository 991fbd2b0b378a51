package matchers

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/record"
)

// distinction is what all requests of some wrong answers have, or lack, and no request of a right one. It is empty where
// nothing sets them apart, where more than two things do that say nothing of who asks, and for a single wrong answer,
// which many things set apart by chance.
func distinction(wrong, right []*client.Exchange) []record.Setting {
	ours, others := traits(wrong), traits(right)
	if len(ours) < 2 || len(others) < 2 {
		return nil
	}
	found := apart(ours, others)
	if len(found) == 0 {
		for _, s := range apart(others, ours) {
			found = append(found, record.Setting{Factor: "no " + s.Factor, Value: s.Value})
		}
	}
	if i := slices.Index(found, record.Setting{Factor: "x-api-key"}); i > 0 { // who asks comes first
		found[0], found[i] = found[i], found[0]
	} else if i < 0 && len(found) > 2 {
		return nil
	}
	return found
}

// apart lists what each of ours has and none of the others: of a name and its value, the name is enough.
func apart(ours, others []map[record.Setting]bool) (found []record.Setting) {
	sorted := slices.SortedFunc(maps.Keys(ours[0]), func(a, b record.Setting) int {
		return strings.Compare(a.String(), b.String())
	})
	for _, s := range sorted {
		lacks := func(one map[record.Setting]bool) bool { return !one[s] }
		has := func(one map[record.Setting]bool) bool { return one[s] }
		if !slices.ContainsFunc(ours, lacks) && !slices.ContainsFunc(others, has) &&
			!slices.Contains(found, record.Setting{Factor: s.Factor}) {
			found = append(found, s)
		}
	}
	return found
}

// longest is how long a value may be that several requests share by choice and not by chance.
const longest = 24

// traits are, of each request, the names that it has in its header and its body, and what it chose under them. Requests
// with two credentials are left out: which of them let it in, its answer does not show.
func traits(from []*client.Exchange) (list []map[record.Setting]bool) {
	for _, x := range from {
		if h := x.Recorded.RequestHeader; h.Get("Authorization") != "" && h.Get("X-Api-Key") != "" {
			continue
		}
		all := map[record.Setting]bool{}
		add := func(name, value string) {
			all[record.Setting{Factor: name}] = true
			if value != "" && len(value) <= longest && !strings.ContainsAny(value, " \t:") {
				all[record.Setting{Factor: name, Value: value}] = true
			}
		}
		for name, values := range x.Recorded.RequestHeader {
			add(strings.ToLower(name), strings.Join(values, " "))
		}
		var fields func(path string, value any)
		fields = func(path string, value any) {
			object, nested := value.(map[string]any)
			for name, inner := range object {
				fields(strings.TrimPrefix(path+"."+name, "."), inner)
			}
			if !nested && path != "" {
				add(path, textOf(value))
			}
		}
		var body any
		if json.Unmarshal(x.Recorded.RequestBody, &body) == nil {
			fields("", body)
		}
		list = append(list, all)
	}
	return list
}
