package reference

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode"
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

func withStatus(status int) func(*call, issue) []issue {
	return func(_ *call, i issue) []issue {
		i.status = status
		return []issue{i}
	}
}

// overlooks declares a fault that accepts what is to be rejected.
func overlooks(name, rule, statement string, keys ...string) declaration {
	return fault(name, rule, statement, onDefects(keys, func(*call, issue) []issue { return nil }))
}

// crashes declares a fault that answers a defect with a server error.
func crashes(name, rule, statement string, keys ...string) declaration {
	return fault(name, rule, statement, onDefects(keys, withStatus(http.StatusInternalServerError)))
}

// hides declares a fault that answers a defect with 200 and an error inside.
func hides(name, rule, statement string, keys ...string) declaration {
	return fault(name, rule, statement, onDefects(keys, withStatus(http.StatusOK)))
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

// refuses declares a fault that rejects requests with one of some features, each an "operation:feature".
func refuses(name, rule, statement string, unwelcome ...string) declaration {
	return fault(name, rule, statement, dislikes(func(q *call) bool {
		return slices.ContainsFunc(q.features(), func(feature string) bool {
			return slices.Contains(unwelcome, string(q.operation)+":"+feature)
		})
	}))
}

// features are what a fault may refuse about a request: its fields, their values and properties, its headers.
func (q *call) features() []string {
	var all []string
	for field, value := range q.values {
		has := func(property string, holds bool) {
			if holds {
				all = append(all, field+"="+property)
			}
		}
		all = append(all, field)
		switch v := value.(type) {
		case string:
			has(v, true)
			has("accents", strings.ContainsFunc(v, func(c rune) bool { return c > unicode.MaxASCII }))
			has("apostrophe", strings.Contains(v, "'"))
			has("zero", strings.HasPrefix(v, "0"))
			has("leap", dateShape.MatchString(v) && v[5:] == "02-29")
		case bool:
			has("true", v)
		case json.Number:
			has(string(v), true)
			exact, ok := exactly(v)
			has("large", ok && exact.Cmp(int32Limit) > 0)
			has("decimals", ok && !exact.IsInt())
		}
	}
	names := CreateHeaders{Language: "x-lang", OnBehalfOf: "x-product-target-user-uuid"}
	if q.operation == creating {
		names = q.g.choices.CreateHeaders
	}
	all = append(all, "header.language="+q.r.Header.Get(names.Language))
	for feature, header := range map[string]string{
		"header.product": "x-product-uuid", "header.on_behalf_of": names.OnBehalfOf, "header.wallet": "x-wallet-uuid",
	} {
		if q.r.Header.Get(header) != "" {
			all = append(all, feature)
		}
	}
	return all
}
