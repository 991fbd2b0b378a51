package matchers

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
)

// distinction is what all requests of some wrong answers have, and no request of a right one: "with sort settled_date".
// It is empty where nothing sets them apart, where more than two things do that say nothing of who asks, and for a
// single wrong answer, which many things set apart by chance.
func distinction(wrong, right []*client.Exchange) string {
	wrong, right = byOneMethod(wrong), byOneMethod(right)
	if len(wrong) < 2 || len(right) < 2 {
		return ""
	}
	read := func(from []*client.Exchange) (all []map[string]bool) {
		for _, x := range from {
			all = append(all, traits(x))
		}
		return all
	}
	ours, others := read(wrong), read(right)
	for _, lead := range []string{"with ", "without "} {
		found := apart(ours, others)
		switch n := len(found); {
		case n == 1 || n == 2:
			return lead + strings.Join(found, " and ")
		case n > 2 && slices.Contains(found, key): // who asks comes first, whatever else is sent each time
			return fmt.Sprintf("%s%s and %d more", lead, key, n-1)
		case n > 2:
			return ""
		}
		ours, others = others, ours
	}
	return ""
}

// byOneMethod leaves out requests with two credentials: which of them let it in, its answer does not show.
func byOneMethod(all []*client.Exchange) []*client.Exchange {
	return slices.DeleteFunc(slices.Clone(all), func(x *client.Exchange) bool {
		h := x.Recorded.RequestHeader
		return h.Get("Authorization") != "" && h.Get("X-Api-Key") != ""
	})
}

const key = "x-api-key"

// apart lists what each of ours has and none of the others: of a name and its value, the name is enough.
func apart(ours, others []map[string]bool) (found []string) {
	for _, trait := range slices.Sorted(maps.Keys(ours[0])) {
		has := func(one map[string]bool) bool { return one[trait] }
		lacks := func(one map[string]bool) bool { return !one[trait] }
		if slices.ContainsFunc(ours, lacks) || slices.ContainsFunc(others, has) {
			continue
		}
		name, _, _ := strings.Cut(trait, " ")
		if !slices.Contains(found, name) {
			found = append(found, trait)
		}
	}
	return found
}

// choice is a value that several requests may share: a word, or a number.
var choice = regexp.MustCompile(`^([A-Za-z_&-]{1,24}|[0-9.]{1,16})$`)

// traits are the names that a request has in its header and its body, and what it chose under them.
func traits(x *client.Exchange) map[string]bool {
	all := map[string]bool{}
	add := func(name, value string) {
		all[name] = true
		if choice.MatchString(value) {
			all[name+" "+value] = true
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
	return all
}
