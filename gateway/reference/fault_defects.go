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

// onDefects makes an effect on defects whose "operation:key" matches a pattern.
func onDefects(patterns []string, change func(q *call, i issue) []issue) effect {
	return effect{defects: func(q *call, found []issue) []issue {
		var all []issue
		for _, i := range found {
			if matches(patterns, string(q.operation)+":"+i.Key) {
				all = append(all, change(q, i)...)
			} else {
				all = append(all, i)
			}
		}
		return all
	}}
}

func ignored(*call, issue) []issue { return nil }

func withStatus(status int) func(*call, issue) []issue {
	return func(_ *call, i issue) []issue {
		i.status = status
		return []issue{i}
	}
}

// skips declares a fault that overlooks defects of some requests.
func skips(name, rule, statement string, when func(q *call) bool, keys ...string) declaration {
	return fault(name, rule, statement, onDefects(keys, func(q *call, i issue) []issue {
		if when(q) {
			return nil
		}
		return []issue{i}
	}))
}

// dislikes makes an effect that rejects sound requests.
func dislikes(when func(q *call) bool) effect {
	return effect{defects: func(q *call, found []issue) []issue {
		if when(q) {
			return append(found, wrong("unwelcome", "", "not accepted here")...)
		}
		return found
	}}
}

// refusing makes an effect that rejects requests with one of some features, each an "operation:feature".
func refusing(unwelcome []string) effect {
	return dislikes(func(q *call) bool {
		return slices.ContainsFunc(q.features(), func(feature string) bool {
			return slices.Contains(unwelcome, string(q.operation)+":"+feature)
		})
	})
}

// way is something that a gateway does to a request in place of what it should: the end of the fault's name, what comes
// before and after the request in its statement, and an effect on the keys of defects or features.
type way struct {
	ending, before, after string
	effect                func(keys []string) effect
}

func ways() []way {
	on := func(change func(*call, issue) []issue) func([]string) effect {
		return func(keys []string) effect { return onDefects(keys, change) }
	}
	return []way{
		{"_accepted", "accepts ", "", on(ignored)},
		{"_200", "answers ", " with 200 and an error inside", on(withStatus(http.StatusOK))},
		{"_500", "answers ", " with a server error", on(withStatus(http.StatusInternalServerError))},
		{"_rejected", "refuses ", "", refusing},
	}
}

// mishandled declares a fault for each of some wrong ways to treat a request. Their names begin with the given one,
// which is that of the rule where none is given, and end with the ways, such as "_accepted _500". The keys are those of
// the request's defects or features, without the operation, which is the first part of the name.
func mishandled(name, rule, request, endings, keys string) []declaration {
	operation, _, _ := strings.Cut(name, ".")
	patterns := strings.Fields(keys)
	for i := range patterns {
		patterns[i] = operation + ":" + patterns[i]
	}
	var all []declaration
	for _, w := range ways() {
		if slices.Contains(strings.Fields(endings), w.ending) {
			all = append(all, fault(name+w.ending, cmp.Or(rule, name), w.before+request+w.after, w.effect(patterns)))
		}
	}
	return all
}
