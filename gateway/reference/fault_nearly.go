package reference

import (
	"encoding/json"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/google/uuid"
)

// text is what a request gives as a field, if that is text.
func (q *call) text(field string) string {
	text, _ := q.values[field].(string)
	return text
}

// nearlyIDs are about identifiers that are nearly a UUID v4.
func nearlyIDs(operation operation, id string, braced bool) faults {
	value := func(q *call) string { return map[string]string{"nonce": q.nonce, "transaction_id": q.transaction}[id] }
	accepts := func(what, ending, key string, when func(id string) bool) faults {
		rule := string(operation) + ".header." + id + ".version"
		return fault(rule+"."+ending, rule, "accepts a UUID "+what+" as "+id,
			ignoring(operation, "header."+id+key).when(func(q *call) bool { return when(value(q)) }))
	}
	all := append(accepts("without dashes", "undashed", ".format", func(id string) bool {
		_, err := uuid.Parse(id)
		return err == nil && len(id) == 32
	}), accepts("v4 of any variant", "variant", ".version", func(id string) bool {
		return len(id) == 36 && id[14] == '4'
	})...)
	malformed := string(operation) + ".header." + id + ".malformed"
	sent := func(q *call) bool { return q.r.Header[http.CanonicalHeaderKey(q.identifier(id))] != nil }
	all = append(all, fault(malformed+".empty", malformed, "accepts an empty "+id,
		ignoring(operation, "header."+id+".absent").when(sent))...)
	all = append(all, fault(malformed+".beginning", malformed, "accepts text that begins with a UUID v4 as "+id,
		ignoring(operation, "header."+id+".inside").when(func(q *call) bool {
			id := value(q)
			return len(id) > 36 && uuidV4Shape.MatchString(id[:36])
		}))...)
	all = append(all, fault(malformed+".ending", malformed, "accepts text that ends with a UUID v4 as "+id,
		ignoring(operation, "header."+id+".inside").when(func(q *call) bool {
			id := value(q)
			return len(id) > 36 && uuidV4Shape.MatchString(id[len(id)-36:])
		}))...)
	if braced {
		all = append(all, accepts("in braces", "braced", ".inside",
			func(id string) bool { return strings.HasPrefix(id, "{") })...)
	}
	return all
}

// identifier is the name of the header that holds an identifier.
func (q *call) identifier(id string) string {
	headers := q.g.choices.CreateHeaders
	switch {
	case q.operation == exporting:
		return id
	case id == "nonce":
		return headers.Nonce
	}
	return headers.TransactionID
}

// nearlyRight compare a little too little.
func nearlyRight() faults {
	unfiltered := func(field string, absent func(c *choice) bool) faults {
		return chosen("export.filter.client_id.needs_"+field, "filter.client_id",
			"ignores the filter when no "+field+" is given", where(absent, (*choice).everyClient))
	}
	return slices.Concat(mishandled(creating,
		kind("create.participation.type.array_accepted", "participation.type",
			"an array as participation", "participation_percentage.type.array"),
		kind("create.money.income.string.true_accepted", "money.income.string",
			"a boolean as income", "income.type.boolean"),
		kind("create.money.patrimony.string.true_accepted", "money.patrimony.string",
			"a boolean as patrimony", "patrimony.type.boolean"),
	), forEach([]string{"mother_name", "phone_number", "email"}, func(field string) faults {
		rule := "create.type." + field
		accepts := func(jsonType string) faults {
			return fault(rule+"."+jsonType+"_accepted", rule, "accepts a "+jsonType+" as "+field,
				ignoring(creating, field+".type").when(func(q *call) bool {
					value, _ := q.find(field)
					return kindOf(value) == jsonType
				}))
		}
		return append(accepts("number"), accepts("boolean")...)
	}), nearlyIDs(creating, "nonce", true), nearlyIDs(creating, "transaction_id", true),
		nearlyIDs(exporting, "nonce", false),
		under("create.",
			forEach([]string{"income", "patrimony"}, func(field string) faults {
				rule := "money." + field + ".fraction"
				return fault("create."+rule+".by_a_millionth", rule, "accepts up to a millionth of a cent as "+field,
					ignoring(creating, field+".fraction").when(func(q *call) bool {
						number, _ := q.values[field].(json.Number)
						given, ok := exactly(number)
						if !ok {
							return false
						}
						whole := new(big.Int).Quo(given.Num(), given.Denom())
						rest := new(big.Rat).Sub(given, new(big.Rat).SetInt(whole))
						return rest.Abs(rest).Cmp(big.NewRat(1, 1_000_000)) <= 0
					}))
			}),
			fault("create.header.on_behalf_of.unknown_accepted", "header.on_behalf_of.unknown",
				"acts for the caller when the named user does not belong to the product",
				ignoring(creating, "header.on_behalf_of.unknown")),
			fault("create.participation.above_hundred.by_a_millionth", "participation.above_hundred",
				"accepts up to a millionth more than 100", between(hundred, big.NewRat(100_000_001, 1_000_000))),
			fault("create.participation.below_zero.by_a_millionth", "participation.below_zero",
				"accepts down to a millionth less than 0", between(big.NewRat(-1, 1_000_000), new(big.Rat))),
			fault("create.type.address.array_accepted", "type.address", "accepts an array as address",
				ignoring(creating, "address.type").when(func(q *call) bool {
					_, array := q.values["address"].([]any)
					return array
				})),
			fault("create.type.address.true_accepted", "type.address", "accepts true as address",
				ignoring(creating, "address.type").when(func(q *call) bool { return q.values["address"] == true })),
			fault("create.qualification.unknown.beginning_accepted", "qualification.unknown",
				"accepts words that begin with a qualification",
				ignoring(creating, "qualification.set").when(func(q *call) bool {
					return slices.ContainsFunc(qualifications, func(listed string) bool {
						return strings.HasPrefix(q.text("qualification"), listed)
					})
				})),
			fault("create.cpf.letters.last_accepted", "cpf.letters", "accepts an X as the last character of a CPF",
				ignoring(creating, "document_number.letters").when(func(q *call) bool {
					digits, last := strings.CutSuffix(q.text("document_number"), "X")
					return last && !strings.ContainsFunc(digits, unicode.IsLetter)
				})),
			fault("create.cpf.length.of_company_accepted", "cpf.length", "accepts 14 digits as CPF",
				ignoring(creating, "document_number.length").when(func(q *call) bool {
					return len(q.text("document_number")) == 14
				})),
			fault("create.qualification.lower_case.padded_accepted", "qualification.lower_case",
				"accepts qualifications with spaces around them",
				ignoring(creating, "qualification.set").when(func(q *call) bool {
					return slices.Contains(qualifications, strings.TrimSpace(q.text("qualification")))
				})),
		),
		under("auth.",
			fault("auth.api_key.altered.any_case", "api_key.altered", "compares API keys without case",
				admits(withKey(func(q *call, key string) bool { return strings.EqualFold(key, q.g.tokens.apiKey) }))),
			fault("auth.bearer.signature.any_case", "bearer.signature", "compares signatures without case",
				believes(func(f forgery) bool { return f.other() && strings.EqualFold(f.signature, f.genuine[2]) })),
		),
		under("export.",
			chosen("export.range.start_drops_the_next", "range.precision",
				"drops quotes a millisecond after the start", func(c *choice) {
					c.keeps = func(q *quote) bool {
						behind := q.date(c.bounded).Sub(c.start)
						return c.within(q) && (behind <= 0 || behind > time.Millisecond || c.start.IsZero())
					}
				}),
			chosen("export.range.end_exclusive.settled_filtered", "range.end_exclusive",
				"keeps quotes exactly on the end of an export of one client by settled_date",
				where(func(c *choice) bool { return c.sort == bySettled && c.filtered() }, endInclusive)),
			unfiltered("sort", func(c *choice) bool { return c.Sort == "" }),
			unfiltered("start", func(c *choice) bool { return c.start.IsZero() }),
			fault("export.header.nonce.absent.with_transaction", "header.nonce.absent",
				"accepts an export without nonce when transaction IDs are compared",
				ignoring(exporting, "header.nonce.absent").when(func(q *call) bool {
					return q.r.Header.Get(schemaHeader) == "x-transaction-uuid"
				})),
			fault("export.header.nonce.absent.with_both", "header.nonce.absent",
				"accepts an export without nonce when both identifiers are compared",
				ignoring(exporting, "header.nonce.absent").when(func(q *call) bool {
					return strings.Contains(q.r.Header.Get(schemaHeader), "&")
				})),
			fault("export.body.order.padded_accepted", "body.order", "accepts an order with blanks around it",
				ignoring(exporting, "order.set").when(func(q *call) bool {
					return slices.Contains([]string{"asc", "desc"}, strings.TrimSpace(q.text("order")))
				})),
			forEach([]string{"sort", "order"}, func(field string) faults {
				rule := "body." + field
				return fault("export."+rule+".beginning_accepted", rule, "accepts the beginning of a listed "+field,
					ignoring(exporting, field+".set").when(func(q *call) bool {
						return slices.ContainsFunc([]string{byCreated, bySettled, "asc", "desc"},
							func(listed string) bool { return strings.HasPrefix(listed, q.text(field)) })
					}))
			}),
			fault("export.body.sort.padded_accepted", "body.sort", "accepts a sort with blanks around it",
				ignoring(exporting, "sort.set").when(func(q *call) bool {
					return slices.Contains([]string{byCreated, bySettled}, strings.TrimSpace(q.text("sort")))
				})),
			fault("export.body.null.scalar_accepted", "body.null", "treats a text or a number as an empty object",
				ignoring(exporting, "body.shape").when(func(q *call) bool {
					text := strings.TrimSpace(q.sentBody())
					return text != "" && text != "null" && !strings.ContainsAny(text[:1], "[{")
				})),
			fault("export.body.array.empty_accepted", "body.array", "treats an empty array as an empty object",
				ignoring(exporting, "body.shape").when(func(q *call) bool {
					return strings.TrimSpace(q.sentBody()) == "[]"
				})),
			fault("export.body.date_start.day_accepted", "body.date_start", "accepts a day as date_start",
				ignoring(exporting, "date_start.format").when(func(q *call) bool {
					_, err := time.Parse(time.DateOnly, q.text("date_start"))
					return err == nil
				})),
			fault("export.isolation.newest_file", "isolation",
				"gives the newest file of any user to everyone who fetches a file", newestFile(false)),
			fault("export.file.again.newest", "file.again",
				"gives the newest file of a user in place of one that is fetched again", newestFile(true)),
		))
}

// newestFile puts whatever was exported last in place of a file: of another user, or of its own where it was given
// before.
func newestFile(own bool) effect {
	var newest atomic.Pointer[file]
	var given sync.Map // by file ID
	return exported(func(q *call, _ *reply) { newest.Store(q.file) }).and(on(func(q *call, c *choice) {
		_, again := given.LoadOrStore(q.file.ID, true)
		switch last := newest.Load(); {
		case last == nil, own != (last.Owner == q.file.Owner):
		case own && again:
			*c = *last.Selection.choose(c.from)
		case !own:
			c.only(q, q.g.data.users[last.Owner].person)
		}
	}))
}
