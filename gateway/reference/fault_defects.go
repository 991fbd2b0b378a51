package reference

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// matches reports whether one of some patterns is a key, or with a trailing * a beginning of it.
func matches(patterns []string, key string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		start, open := strings.CutSuffix(pattern, "*")
		return pattern == key || open && strings.HasPrefix(key, start)
	})
}

// onDefects makes an effect on defects of an operation whose keys match a pattern. The change reports whether a defect
// stays one.
func onDefects(operation operation, keys []string, change func(q *call, i *issue) bool) effect {
	return on(func(q *call, found *defects) {
		var all defects
		for _, i := range *found {
			if !matches(keys, i.Key) || change(q, &i) {
				all = append(all, i)
			}
		}
		*found = all
	}).of(operation)
}

// ignoring makes an effect that overlooks defects.
func ignoring(operation operation, keys ...string) effect { return onDefects(operation, keys, ignored) }

func ignored(*call, *issue) bool { return false }

func withStatus(status int) func(*call, *issue) bool {
	return func(_ *call, i *issue) bool {
		i.status = status
		return true
	}
}

// adds makes an effect that notes further defects.
func adds(further func(q *call)) effect { return on(func(q *call, _ *defects) { further(q) }) }

// dislikes makes an effect that rejects sound requests of an operation.
func dislikes(operation operation, when func(q *call) bool) effect {
	return adds(func(q *call) {
		if when(q) {
			q.wrong("unwelcome", "", "not accepted here")
		}
	}).of(operation)
}

// refusing makes an effect that rejects requests with one of some features.
func refusing(operation operation, unwelcome ...string) effect {
	return dislikes(operation, func(q *call) bool {
		return slices.ContainsFunc(q.features(), func(has string) bool { return slices.Contains(unwelcome, has) })
	})
}

// way is something that a gateway does to a request in place of what it should: the end of the fault's name, what comes
// before and after the request in its statement, and an effect on the keys of defects or features.
type way struct {
	ending, before, after string
	effect                func(operation operation, keys []string) effect
}

func ways() []way {
	on := func(change func(*call, *issue) bool) func(operation, []string) effect {
		return func(o operation, keys []string) effect { return onDefects(o, keys, change) }
	}
	return []way{
		{"_accepted", "accepts ", "", on(ignored)},
		{"_200", "answers ", " with 200 and an error inside", on(withStatus(http.StatusOK))},
		{"_500", "answers ", " with a server error", on(withStatus(http.StatusInternalServerError))},
		{"_rejected", "refuses ", "", func(o operation, keys []string) effect { return refusing(o, keys...) }},
	}
}

// mishandling is a kind of request that is treated in wrong ways.
type mishandling struct {
	names   string // of its faults, such as "create.cpf.letters_accepted _500": the first whole, of others their ends
	rule    string // without one it is what the names have in common
	request string // in the statements
	keys    string // of the request's defects or features; without them they are what the names have in common
}

func kind(names, rule, request, keys string) mishandling {
	return mishandling{names, rule, request, keys}
}

// mishandled declares a fault for each wrong way to treat some kinds of requests of an operation. Its name comes before
// the rules.
func mishandled(operation operation, kinds ...mishandling) (all faults) {
	beginning := string(operation) + "."
	for _, k := range kinds {
		names := strings.Fields(k.names)
		common := names[0]
		for _, w := range ways() {
			common = strings.TrimSuffix(common, w.ending)
		}
		rule, keys := common, cmp.Or(k.keys, strings.TrimPrefix(common, beginning))
		if k.rule != "" {
			rule = beginning + k.rule
		}
		for _, w := range ways() {
			if slices.Contains(names, common+w.ending) || slices.Contains(names, w.ending) {
				all = append(all, fault(common+w.ending, rule, w.before+k.request+w.after,
					w.effect(operation, strings.Fields(keys)))...)
			}
		}
	}
	return all
}

// mishandledEach does so for each of some fields, which stand in place of FIELD.
func mishandledEach(operation operation, fields []string, kinds ...mishandling) faults {
	return forEach(fields, func(field string) (all faults) {
		for _, k := range kinds {
			for _, text := range []*string{&k.names, &k.rule, &k.request, &k.keys} {
				*text = strings.ReplaceAll(*text, "FIELD", field)
			}
			all = append(all, mishandled(operation, k)...)
		}
		return all
	})
}
