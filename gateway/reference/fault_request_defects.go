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

// filterDefects returns an effect on the defects of an operation whose keys match one of some
// patterns. It drops those for which stays returns false.
func filterDefects(
	operation operation, keys []string, stays func(q *request, i *defect) bool,
) effect {
	return during(operation, func(q *request, found *defects) {
		var all defects
		for _, i := range *found {
			named := slices.ContainsFunc(keys,
				func(pattern string) bool { same, _ := path.Match(pattern, i.Key); return same })
			if !named || stays(q, &i) {
				all = append(all, i)
			}
		}
		*found = all
	})
}

// ignoreDefects returns an effect that overlooks defects.
func ignoreDefects(operation operation, keys ...string) effect {
	return filterDefects(operation, keys, dropDefect)
}

func dropDefect(*request, *defect) bool { return false }

func refuseWithStatus(status int) func(*request, *defect) bool {
	return func(_ *request, i *defect) bool {
		i.status = status
		return true
	}
}

// readFieldsAs returns an effect that changes the values of some fields; see changeAtPath.
func readFieldsAs(fields string, change any) effect {
	return combine(func(q *request, body postedFields) {
		for field := range strings.FieldsSeq(fields) {
			changeAtPath(cmp.Or(strings.Join(q.gateway.paths[field], "."), field), change)(jsonObject(body))
		}
	})
}

// rejectWhen returns an effect that rejects some valid requests of an operation.
func rejectWhen(operation operation, unwelcome func(q *request) bool) effect {
	return during(operation, func(q *request, _ *defects) {
		if unwelcome(q) {
			q.addDefect(0, "unwelcome", "", nil, "not accepted here")
		}
	})
}

func namesCharset(q *request) bool {
	return strings.Contains(q.r.Header.Get("Content-Type"), ";")
}

func hasFraction(q *request) bool {
	return strings.Contains(q.selection.Start+q.selection.End, ".")
}

// rejectFieldsWhen returns an effect that rejects requests in which one of some fields or
// headers has a value for which holds is true; nil: any value.
func rejectFieldsWhen(operation operation, holds func(value any) bool, keys ...string) effect {
	return rejectWhen(operation, func(q *request) bool {
		return slices.ContainsFunc(keys, func(key string) bool {
			value, given := q.fieldOrHeader(key)
			return given && (holds == nil || holds(value))
		})
	})
}

// fieldOrHeader returns the value of a field, or of a header such as "header.language".
func (q *request) fieldOrHeader(key string) (value any, given bool) {
	header := map[string]string{
		"header.language": q.preferredLanguage(), "header.product": q.r.Header.Get("x-product-uuid"),
		"header.on_behalf_of": q.targetUserID(), "header.wallet": q.r.Header.Get("x-wallet-uuid"),
	}
	if text, known := header[key]; known {
		return text, text != ""
	}
	value, given = q.values[key]
	return value, given
}

// matchesPattern returns a condition that holds for text and numbers that match a pattern.
func matchesPattern(pattern string) func(value any) bool {
	shape := regexp.MustCompile(pattern)
	return func(value any) bool {
		return isJSONKind("text", "number")(value) && shape.MatchString(fmt.Sprint(value))
	}
}

// nonASCIIClass matches a character beyond ASCII.
const nonASCIIClass = `[^\x00-\x7f]`

func equals(wanted any) func(any) bool { return func(value any) bool { return value == wanted } }

func isJSONKind(kinds ...string) func(any) bool {
	return func(value any) bool { return slices.Contains(kinds, jsonKindOf(value)) }
}

// isNumberBetween returns a condition that holds for numbers between two bounds, inclusive.
func isNumberBetween(low, high string) func(value any) bool {
	least, _ := new(big.Rat).SetString(low)
	most, _ := new(big.Rat).SetString(high)
	return func(value any) bool {
		n, ok := parseExactNumber(json.Number(fmt.Sprint(value)))
		return ok && n.Cmp(least) >= 0 && n.Cmp(most) <= 0
	}
}
