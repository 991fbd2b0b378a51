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
func onDefects(operation operation, keys []string, stays func(q *call, i *issue) bool) effect {
	return on(operation, func(q *call, found *defects) {
		var all defects
		for _, i := range *found {
			if !matches(keys, i.Key) || stays(q, &i) {
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

// understood makes an effect that takes the value of a field in another form where one can be made of it.
func understood(other func(value any) (any, bool), keys ...string) effect {
	return onDefects(creating, keys, func(q *call, i *issue) bool {
		field := i.Key[:strings.IndexByte(i.Key, '.')]
		value, ok := other(q.values[field])
		if ok {
			q.values[field] = value
		}
		return !ok
	})
}

// dislikes makes an effect that rejects sound requests of an operation.
func dislikes(operation operation, unwelcome func(q *call) bool) effect {
	return on(operation, func(q *call, _ *defects) {
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

// mishandling is a kind of request that is treated in wrong ways.
type mishandling struct {
	names   string               // of its faults, such as "create.cpf.letters_accepted _500": the first whole, of others their ends
	rule    string               // without one it is what the names have in common
	request string               // in the statements
	keys    string               // of the request's defects, or of what is refused; without them they are what the names have in common
	only    func(value any) bool // nil: every value
}

// kind is a mishandling of all requests with some defects, or of those only that have a value.
func kind(names, rule, request, keys string, only ...func(value any) bool) mishandling {
	return mishandling{names, rule, request, keys, append(only, nil)[0]}
}

// mishandled declares a fault for each wrong way to treat some kinds of requests. A name that does not say how ends in
// "accepted".
func mishandled(kinds ...mishandling) (all faults) {
	for _, k := range kinds {
		names := strings.Fields(k.names)
		common := names[0]
		for _, ending := range []string{"_accepted", "_200", "_500", "_rejected"} {
			common = strings.TrimSuffix(common, ending)
		}
		of, topic, _ := strings.Cut(common, ".")
		keys := strings.Fields(cmp.Or(k.keys, topic))
		for _, name := range names {
			name = common + strings.TrimPrefix(name, common)
			statement, stays := "accepts "+k.request, ignored
			switch {
			case strings.HasSuffix(name, "_200"):
				statement, stays = "answers "+k.request+" with 200 and an error inside", withStatus(http.StatusOK)
			case strings.HasSuffix(name, "_500"):
				statement, stays = "answers "+k.request+" with a server error", withStatus(http.StatusInternalServerError)
			}
			e := onDefects(operation(of), keys, func(q *call, i *issue) bool {
				return k.only != nil && !k.only(i.value) || stays(q, i)
			})
			if strings.HasSuffix(name, "_rejected") {
				statement, e = "refuses "+k.request, refusing(operation(of), k.only, keys...)
			}
			all = append(all, fault(name, cmp.Or(k.rule, topic), statement, e)...)
		}
	}
	return all
}

// mishandledEach does so for each of some fields, which stand in place of FIELD.
func mishandledEach(fields []string, kinds ...mishandling) faults {
	return forEach(fields, func(field string) (all faults) {
		for _, k := range kinds {
			for _, text := range []*string{&k.names, &k.rule, &k.request, &k.keys} {
				*text = strings.ReplaceAll(*text, "FIELD", field)
			}
			all = append(all, mishandled(k)...)
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

func is(wanted any) func(any) bool { return func(value any) bool { return value == wanted } }

func has(part string) func(any) bool {
	return of(func(s string) bool { return strings.Contains(s, part) })
}

// anyOf holds for some texts, whatever blanks are around them.
func anyOf(texts ...string) func(any) bool {
	return of(func(s string) bool { return slices.Contains(texts, strings.TrimSpace(s)) })
}

// among holds for texts with a character from one to another.
func among(from, to rune) func(any) bool {
	return of(func(s string) bool {
		return strings.ContainsFunc(s, func(c rune) bool { return c >= from && c <= to })
	})
}

// beyondASCII holds for texts that are not ASCII alone.
var beyondASCII = among(unicode.MaxASCII+1, unicode.MaxRune)

func isKind(kinds ...string) func(any) bool {
	return func(value any) bool { return slices.Contains(kinds, kindOf(value)) }
}

// between holds for numbers from one to another.
func between(low, high string) func(value any) bool {
	return of(func(text string) bool {
		least, _ := new(big.Rat).SetString(low)
		most, _ := new(big.Rat).SetString(high)
		n, ok := exactly(json.Number(text))
		return ok && n.Cmp(least) >= 0 && n.Cmp(most) <= 0
	})
}

// sweeping declares faults that break many rules at once.
func sweeping(sweeps []string, list faults) faults {
	for i := range list {
		list[i].Sweeps = sweeps
	}
	return list
}

// sweepingFaults break every rule of a kind at once, as a gateway without a handler for its own errors does.
func sweepingFaults() faults {
	const creations = `create.required.shareholder_id* create.required.mother_name* create.required.phone_number*
		create.required.email* create.required.address* create.type.* create.shareholder.unknown
		create.shareholder.malformed create.shareholder.foreign create.participation.below_zero
		create.participation.above_hundred create.participation.type create.money.*.fraction create.money.*.string
		create.cpf.formatted create.cpf.letters create.cpf.spaces create.cpf.length create.cpf.type
		create.dates.birth_date create.dates.relationship_start_date create.dates.relationship_end_date
		create.dates.registration_update_date create.flags.* create.qualification.unknown create.qualification.lower_case
		create.email.* create.header.*.absent create.header.*.malformed create.header.*.version
		create.header.*.without_product create.body.*`
	const exports = `export.body.* export.header.nonce.absent export.header.nonce.malformed export.header.nonce.version
		export.header.product.malformed export.header.target_user.malformed export.header.target_user.without_product
		export.header.wallet.malformed`
	const replays = `replay.nonce.other_nonce replay.nonce.other_both replay.transaction.other_transaction
		replay.transaction.other_both replay.*_*.other_nonce replay.*_*.other_transaction replay.*_*.other_both`
	return slices.Concat(
		sweeping(strings.Fields(replays), fault("replay.schema_ignored", "nonce.other_nonce",
			"ignores the replay protection header and compares no identifier",
			func(c *comparison) { c.parts &^= identifiers })),
		sweeping(strings.Fields(creations), mishandled(
			kind("create.rejections_200 _500", "required.mother_name", "everything that it should reject", "*"))),
		sweeping(strings.Fields(exports), mishandled(
			kind("export.rejections_200 _500", "body.not_json", "everything that it should reject", "*"))),
	)
}
