package reference

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// nearlyRight compare a little too little.
func nearlyRight() []declaration {
	const most, least = "create:participation_percentage.above", "create:participation_percentage.below"
	all := slices.Concat(
		mishandled("create.participation.type.array", "create.participation.type", "an array as participation",
			"_accepted", "participation_percentage.type.array"),
		mishandled("create.money.income.string.true", "create.money.income.string", "a boolean as income", "_accepted",
			"income.type.boolean"),
		mishandled("create.type.email.number", "create.type.email", "a number as email", "_accepted", "email.type"),
	)
	for _, header := range []string{"create.header.nonce", "create.header.transaction_id", "export.header.nonce"} {
		id, key, rule := lastOf(header), strings.Replace(header, ".", ":", 1), header+".version"
		value := func(q *call) string {
			return map[string]string{
				"nonce":          q.nonce,
				"transaction_id": q.transaction,
			}[id]
		}
		all = append(all, skips(rule+".undashed", rule, "accepts a UUID without dashes as "+id, func(q *call) bool {
			_, err := uuid.Parse(value(q))
			return err == nil && len(value(q)) == 32
		}, key+".format"),
			skips(rule+".variant", rule, "accepts a UUID v4 of any variant as "+id,
				func(q *call) bool { return len(value(q)) == 36 && value(q)[14] == '4' }, key+".version"))
		if !strings.HasPrefix(header, "export.") {
			all = append(all, skips(rule+".braced", rule, "accepts a UUID in braces as "+id,
				func(q *call) bool { return strings.HasPrefix(value(q), "{") }, key+".inside"))
		}
	}
	for _, field := range []string{"income", "patrimony"} {
		rule := "create.money." + field + ".fraction"
		all = append(all, skips(rule+".by_a_millionth", rule, "accepts up to a millionth of a cent as "+field,
			func(q *call) bool {
				number, _ := q.values[field].(json.Number)
				given, ok := exactly(number)
				if !ok {
					return false
				}
				rest := new(big.Rat).Sub(given, new(big.Rat).SetInt(new(big.Int).Quo(given.Num(), given.Denom())))
				return rest.Abs(rest).Cmp(big.NewRat(1, 1_000_000)) <= 0
			}, "create:"+field+".fraction"))
	}
	all = append(all, skips("create.header.on_behalf_of.unknown_accepted", "create.header.on_behalf_of.unknown",
		"acts for the caller where the product does not have the user that is named", func(*call) bool { return true },
		"create:header.on_behalf_of.unknown"))
	unfiltered := func(field string, absent func(c *choice) bool) declaration {
		return chosen("export.filter.client_id.needs_"+field, "export.filter.client_id",
			"ignores the filter when no "+field+" is given", func(c *choice) {
				if absent(c) {
					c.isClient = func(string) bool { return true }
				}
			})
	}
	return append(all, skips("create.participation.above_hundred.by_a_millionth", "create.participation.above_hundred",
		"accepts up to a millionth more than 100", func(q *call) bool {
			given, ok := q.participation()
			return ok && given.Cmp(big.NewRat(100_000_001, 1_000_000)) <= 0
		}, most),
		skips("create.participation.below_zero.by_a_millionth", "create.participation.below_zero",
			"accepts down to a millionth less than 0", func(q *call) bool {
				given, ok := q.participation()
				return ok && given.Cmp(big.NewRat(-1, 1_000_000)) >= 0
			}, least),
		skips("create.type.address.array_accepted", "create.type.address", "accepts an array as address",
			func(q *call) bool {
				_, array := q.values["address"].([]any)
				return array
			}, "create:address.type"),
		skips("create.type.address.true_accepted", "create.type.address", "accepts true as address",
			func(q *call) bool { return q.values["address"] == true }, "create:address.type"),
		skips("create.qualification.lower_case.padded_accepted", "create.qualification.lower_case",
			"accepts qualifications with spaces around them", func(q *call) bool {
				text, _ := q.values["qualification"].(string)
				return slices.Contains(qualifications, strings.TrimSpace(text))
			}, "create:qualification.set"),
		fault("auth.api_key.altered.any_case", "auth.api_key.altered", "compares API keys without case",
			admits(func(q *call) bool {
				key, sent := q.apiKey()
				return sent && strings.EqualFold(key, q.g.tokens.apiKey)
			})),
		fault("auth.bearer.signature.any_case", "auth.bearer.signature", "compares signatures without case",
			believes(func(f forgery) bool { return f.other() && strings.EqualFold(f.signature, f.genuine[2]) })),
		chosen("export.range.start_drops_the_next", "export.range.precision",
			"drops quotes a millisecond behind the start",
			func(c *choice) {
				c.keeps = func(q quote) bool {
					behind := q.date(c.bounded).Sub(c.start)
					return c.matches(q) && c.within(q) && (behind <= 0 || behind > time.Millisecond || c.start.IsZero())
				}
			}),
		unfiltered("sort", func(c *choice) bool { return c.Sort == "" }),
		unfiltered("start", func(c *choice) bool { return c.start.IsZero() }),
		skips("export.header.nonce.absent.with_transaction", "export.header.nonce.absent",
			"accepts an export without nonce when transaction IDs are compared", func(q *call) bool {
				return q.r.Header.Get(schemaHeader) == "x-transaction-uuid"
			}, "export:header.nonce.absent"),
		skips("export.body.order.padded_accepted", "export.body.order", "accepts an order with blanks around it",
			func(q *call) bool {
				text, _ := q.values["order"].(string)
				return slices.Contains([]string{"asc", "desc"}, strings.TrimSpace(text))
			}, "export:order.set"),
		skips("export.body.date_start.day_accepted", "export.body.date_start", "accepts a day as date_start",
			func(q *call) bool {
				text, _ := q.values["date_start"].(string)
				_, err := time.Parse(time.DateOnly, text)
				return err == nil
			}, "export:date_start.format"),
		fault("export.isolation.newest_file", "export.isolation",
			"gives the newest file of anybody to whoever fetches one",
			newestFile(false)),
		fault("export.file.again.newest", "export.file.again",
			"gives the newest file of a user in place of one that is fetched again",
			newestFile(true)),
	)
}

// newestFile puts whatever was exported last in place of a file: of another user, or of its own where it was given
// before.
func newestFile(own bool) effect {
	var newest atomic.Pointer[file]
	var given sync.Map // by file ID
	e := answered(exporting, "exported", func(q *call, _ *reply) { newest.Store(q.file) })
	e.choice = func(q *call, c *choice) {
		_, again := given.LoadOrStore(q.file.ID, true)
		switch last := newest.Load(); {
		case last == nil, own != (last.Owner == q.file.Owner):
		case own && again:
			*c = *last.Selection.choose(c.from)
		case !own:
			c.only(q, q.g.data.users[last.Owner].person)
		}
	}
	return e
}
