package reference

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"path"
	"regexp"
	"slices"
	"strings"
)

// onDefects makes an effect on defects of an operation whose keys match a pattern. The change reports whether a defect
// stays one.
func onDefects(operation operation, keys []string, stays func(q *call, i *issue) bool) effect {
	return during(operation, func(q *call, found *defects) {
		var all defects
		for _, i := range *found {
			named := slices.ContainsFunc(keys, func(pattern string) bool { same, _ := path.Match(pattern, i.Key); return same })
			if !named || stays(q, &i) {
				all = append(all, i)
			}
		}
		*found = all
	})
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

// reads makes an effect that takes the values of some fields for others; see at.
func reads(fields string, change any) effect {
	return combined(func(q *call, body posted) {
		for field := range strings.FieldsSeq(fields) {
			at(cmp.Or(strings.Join(q.g.paths[field], "."), field), change)(object(body))
		}
	})
}

// dislikes makes an effect that rejects sound requests of an operation.
func dislikes(operation operation, unwelcome func(q *call) bool) effect {
	return during(operation, func(q *call, _ *defects) {
		if unwelcome(q) {
			q.wrong(0, "unwelcome", "", nil, "not accepted here")
		}
	})
}

// refusing makes an effect that rejects requests with one of some fields or headers, of a value that holds; nil: of any.
func refusing(operation operation, holds func(value any) bool, keys ...string) effect {
	return dislikes(operation, func(q *call) bool {
		return slices.ContainsFunc(keys, func(key string) bool {
			value, given := q.given(key)
			return given && (holds == nil || holds(value))
		})
	})
}

// given is what a request says in a field, or in a header.
func (q *call) given(key string) (value any, given bool) {
	header := map[string]string{
		"header.language": q.preferred(), "header.product": q.r.Header.Get("x-product-uuid"),
		"header.on_behalf_of": q.namedUser(), "header.wallet": q.r.Header.Get("x-wallet-uuid"),
	}
	if text, known := header[key]; known {
		return text, text != ""
	}
	value, given = q.values[key]
	return value, given
}

// matching holds for texts and numbers that match a pattern as they were written.
func matching(pattern string) func(value any) bool {
	shape := regexp.MustCompile(pattern)
	return func(value any) bool { return isKind("text", "number")(value) && shape.MatchString(fmt.Sprint(value)) }
}

// beyondASCII is what texts match that are not ASCII alone.
const beyondASCII = `[^\x00-\x7f]`

func is(wanted any) func(any) bool { return func(value any) bool { return value == wanted } }

func isKind(kinds ...string) func(any) bool {
	return func(value any) bool { return slices.Contains(kinds, kindOf(value)) }
}

// between holds for numbers from one to another.
func between(low, high string) func(value any) bool {
	least, _ := new(big.Rat).SetString(low)
	most, _ := new(big.Rat).SetString(high)
	return func(value any) bool {
		n, ok := exactly(json.Number(fmt.Sprint(value)))
		return ok && n.Cmp(least) >= 0 && n.Cmp(most) <= 0
	}
}

// sweepingFaults break many rules at once, as a gateway without a handler for its own errors does.
func sweepingFaults() faults {
	return sweeping(slices.Concat(
		fault("replay.schema_ignored", func(c *comparison) { c.parts &^= identifiers }),
		mishandled("sweeping")))
}
