package reference

import (
	"cmp"
	"encoding/json"
	"math/big"
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
			q.wrong(0, "unwelcome", "", nil, "not accepted here")
		}
	}).of(operation)
}

// refusing makes an effect that rejects requests with one of some features.
func refusing(operation operation, unwelcome ...string) effect {
	return dislikes(operation, func(q *call) bool {
		return slices.ContainsFunc(q.features(), func(has string) bool { return slices.Contains(unwelcome, has) })
	})
}

// mishandling is a kind of request that is treated in wrong ways.
type mishandling struct {
	names   string // of its faults, such as "create.cpf.letters_accepted _500": the first whole, of others their ends
	rule    string // without one it is what the names have in common
	request string // in the statements
	keys    string // of the request's defects or features; without them they are what the names have in common
	only    func(value any) bool
}

// kind is a mishandling of all requests with some defects, or of those only that have a value.
func kind(names, rule, request, keys string, only ...func(value any) bool) mishandling {
	return mishandling{names, rule, request, keys, func(value any) bool { return len(only) == 0 || only[0](value) }}
}

// mishandled declares a fault for each wrong way to treat some kinds of requests of an operation. Its name comes before
// the rules. A name that does not say how ends in "accepted".
func mishandled(operation operation, kinds ...mishandling) (all faults) {
	for _, k := range kinds {
		names := strings.Fields(k.names)
		common := names[0]
		for _, ending := range []string{"_accepted", "_200", "_500", "_rejected"} {
			common = strings.TrimSuffix(common, ending)
		}
		keys := strings.Fields(cmp.Or(k.keys, strings.TrimPrefix(common, string(operation)+".")))
		rule := cmp.Or(k.rule, strings.TrimPrefix(common, string(operation)+"."))
		onThese := func(change func(*call, *issue) bool) effect {
			return onDefects(operation, keys, func(q *call, i *issue) bool { return !k.only(i.value) || change(q, i) })
		}
		for _, name := range names {
			name = common + strings.TrimPrefix(name, common)
			switch {
			case strings.HasSuffix(name, "_200"):
				all = append(all, fault(name, rule, "answers "+k.request+" with 200 and an error inside",
					onThese(withStatus(http.StatusOK)))...)
			case strings.HasSuffix(name, "_500"):
				all = append(all, fault(name, rule, "answers "+k.request+" with a server error",
					onThese(withStatus(http.StatusInternalServerError)))...)
			case strings.HasSuffix(name, "_rejected"):
				all = append(all, fault(name, rule, "refuses "+k.request, refusing(operation, keys...))...)
			default:
				all = append(all, fault(name, rule, "accepts "+k.request, onThese(ignored))...)
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

// of holds for texts and numbers as they were written.
func of(holds func(text string) bool) func(value any) bool {
	return func(value any) bool {
		switch v := value.(type) {
		case string:
			return holds(v)
		case json.Number:
			return holds(string(v))
		}
		return false
	}
}

func isKind(kind string) func(any) bool { return func(value any) bool { return kindOf(value) == kind } }

// between holds for numbers from one to another.
func between(low, high string) func(value any) bool {
	return of(func(text string) bool {
		least, _ := new(big.Rat).SetString(low)
		most, _ := new(big.Rat).SetString(high)
		n, ok := exactly(json.Number(text))
		return ok && n.Cmp(least) >= 0 && n.Cmp(most) <= 0
	})
}

// features are what a fault may refuse about a request: its fields, their values and properties, its headers.
func (q *call) features() []string {
	all := []string{"header.language=" + q.preferred()}
	has := func(feature string, holds bool) {
		if holds {
			all = append(all, feature)
		}
	}
	for field, value := range q.values {
		all = append(all, field)
		switch v := value.(type) {
		case string:
			has(field+"="+v, true)
			has(field+"=accents", strings.ContainsFunc(v, func(c rune) bool { return c > unicode.MaxASCII }))
			has(field+"=apostrophe", strings.Contains(v, "'"))
			has(field+"=zero", strings.HasPrefix(v, "0"))
			has(field+"=leap", dateShape.MatchString(v) && v[5:] == "02-29")
		case bool:
			has(field+"=true", v)
		case json.Number:
			has(field+"="+string(v), true)
			exact, ok := exactly(v)
			has(field+"=large", ok && exact.Cmp(big.NewRat(1<<31-1, 1)) > 0)
			has(field+"=decimals", ok && !exact.IsInt())
		}
	}
	has("header.language", q.preferred() != "")
	has("header.product", q.namesProduct())
	has("header.on_behalf_of", q.namedUser() != "")
	has("header.wallet", q.r.Header.Get("x-wallet-uuid") != "")
	return all
}
