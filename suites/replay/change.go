package replay

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/token"
	"github.com/gateassay/gateassay/suites/target"
)

// change is one way in which a repeat differs from the request before it. Further ways to repeat a request are lines of
// the table below.
type change struct {
	cell  string                   // the cell of the document's table that says how it ends, and with the mode the rule
	rule  string                   // the rule that it is about instead; empty: that of the cell
	words string                   // "a request that ..."
	only  func(rules.Mode) bool    // in which modes; nil: in all
	group string                   // changes of a group share a first request
	first func(*target.ExportCall) // what this request has; nil: nothing
	apply func(earlier) target.ExportCall
	after string // the change that it builds on, by its words: it is sent where that one was accepted

	everywhere bool // it is tried in contexts, not only in plain requests
	key        bool // only where the API key may export
	query      bool // only where the deployment accepts a query that it does not know
	user       bool // only where another user may export
}

// earlier is what was sent before a repeat: the first request, and what came after it, see change.after.
type earlier struct{ first, last target.ExportCall }

// to is a change of the first request.
func to(change func(*target.ExportCall)) func(earlier) target.ExportCall {
	return func(e earlier) target.ExportCall {
		change(&e.first)
		return e.first
	}
}

func exactly(e earlier) target.ExportCall { return e.first }
func lastOne(e earlier) target.ExportCall { return e.last }

func in(modes ...string) func(m rules.Mode) bool {
	return func(m rules.Mode) bool { return slices.Contains(modes, m.Name) }
}

// Changes that others build on, and groups of changes whose first requests are not plain.
const (
	everything       = "repeats everything"
	otherNonce       = "changes only the nonce"
	otherTransaction = "changes only the transaction ID"
	otherBoth        = "changes both identifiers"
	otherQuery       = "keeps identifiers and body with another query"
	otherUser        = "comes from another user"

	// Rules that are about more than one mode.
	sameUser      = "replay.method.same_user"
	bothSpellings = "replay.mode.both_spellings"
	otherHeaders  = "replay.none.other_headers"

	byQuery, byStart, byText = "a query", "a start only", "a long text"
)

// changes lists the ways to repeat a request.
func (s *Suite) changes() []change {
	if s.table == nil {
		s.table = slices.Concat(s.same(), s.otherIdentifiers(), s.otherQueries(), s.otherBodies(), []change{{
			cell: "other_user", words: otherUser, everywhere: true, user: true,
			apply: to(func(c *target.ExportCall) { c.Credential = s.t.Deployment.Credentials.OtherUser }),
		}})
	}
	return s.table
}

// same are the ways to repeat a request in which nothing that is compared changes.
func (s *Suite) same() []change {
	f := s.t.Deployment.Fixtures
	list := []change{
		{cell: "same", words: everything, everywhere: true, apply: exactly},
		{cell: "same", words: "repeats everything twice", apply: exactly},
		{
			cell: "same", words: "repeats everything of the last of several requests", after: otherNonce, apply: lastOne,
			only: in("nonce", "transaction_nonce"),
		},
		{
			cell: "same", words: "repeats everything of the last of several requests", after: otherTransaction, apply: lastOne,
			only: in("transaction", "nonce_transaction"),
		},
		{
			cell: "same", words: "repeats everything, a query included", after: otherQuery, query: true, apply: lastOne,
			only: in("nonce", "transaction", "transaction_nonce", "nonce_transaction"),
		},
		{
			cell: "same", words: "repeats everything that another user sent", after: otherUser, user: true, apply: lastOne,
			only: in("none"),
		},
		{
			cell: "same", words: "repeats everything, an empty body included", group: "no body", query: true, apply: exactly,
			first: func(c *target.ExportCall) { c.Fields = nil; tagged(c) }, only: in("none"),
		},
		{
			cell: "same", rule: bothSpellings, words: "repeats everything under the other order of the names",
			only: in("transaction_nonce", "nonce_transaction"), apply: to(func(c *target.ExportCall) {
				a, b, _ := strings.Cut(c.Mode, "&")
				c.Mode = b + "&" + a
			}),
		},
		{
			cell: "same", rule: sameUser, words: "repeats everything by the other method of authentication",
			only: in("none", "nonce"), key: true,
			apply: to(func(c *target.ExportCall) { c.Credential = s.t.Deployment.Credentials.APIKey }),
		},
		{
			cell: "same", rule: otherHeaders, words: "changes only headers that are not compared", only: in("none", "nonce"),
			apply: to(func(c *target.ExportCall) {
				*c = c.Set(target.HeaderLanguage, "en-US").Set("User-Agent", "curl/8.9.1").
					Set("Accept", "application/json, */*;q=0.8").Set("X-Request-Id", target.UUID())
			}),
		},
	}
	if f.ProductID != "" || f.OtherWalletID != "" {
		list = append(list, change{
			cell: "same", rule: otherHeaders, words: "leaves out product and wallet", group: "product and wallet",
			only: in("none"),
			first: func(c *target.ExportCall) {
				for name, id := range map[string]string{target.HeaderProduct: f.ProductID, target.HeaderWallet: f.OtherWalletID} {
					if id != "" {
						*c = c.Set(name, id)
					}
				}
			},
			apply: to(func(c *target.ExportCall) {
				c.Header = c.Header.Clone()
				delete(c.Header, target.HeaderProduct)
				delete(c.Header, target.HeaderWallet)
			}),
		})
	}
	return list
}

// otherIdentifiers change nonce and transaction ID.
func (s *Suite) otherIdentifiers() []change {
	const last = len(token.NilUUID) - 1
	pairs := in("transaction_nonce", "nonce_transaction")
	digit := func(cell, which string, at int, only func(rules.Mode) bool) change {
		return change{cell: cell, words: "changes " + which, only: only, apply: to(func(c *target.ExportCall) {
			if cell == "other_nonce" {
				c.Nonce = flipped(c.Nonce, at)
			} else {
				c.Transaction = flipped(c.Transaction, at)
			}
		})}
	}
	return []change{
		{
			cell: "other_nonce", words: otherNonce, everywhere: true,
			apply: to(func(c *target.ExportCall) { c.Nonce = renewed(c.Nonce) }),
		},
		digit("other_nonce", "the last digit of the nonce", last, in("nonce", "transaction_nonce", "nonce_transaction")),
		digit("other_nonce", "the first digit of the nonce", 0, pairs),
		{
			cell: "other_nonce", words: "changes only the nonce, without a transaction ID", group: "no transaction ID",
			only:  in("none"),
			first: func(c *target.ExportCall) { c.Transaction = "" },
			apply: to(func(c *target.ExportCall) { c.Nonce = renewed(c.Nonce) }),
		},
		{
			cell: "other_transaction", words: otherTransaction, everywhere: true,
			apply: to(func(c *target.ExportCall) { c.Transaction = renewed(c.Transaction) }),
		},
		digit("other_transaction", "the last digit of the transaction ID", last,
			in("transaction", "transaction_nonce", "nonce_transaction")),
		digit("other_transaction", "the first digit of the transaction ID", 0, pairs),
		{cell: "other_both", words: otherBoth, apply: to(func(c *target.ExportCall) {
			c.Nonce, c.Transaction = renewed(c.Nonce), renewed(c.Transaction)
		})},
		{
			cell: "other_both", words: "exchanges the two identifiers", only: pairs,
			apply: to(func(c *target.ExportCall) { c.Nonce, c.Transaction = c.Transaction, c.Nonce }),
		},
		{
			cell: "other_nonce", words: "mixes the identifiers of two requests", after: otherBoth,
			only: pairs,
			apply: func(e earlier) target.ExportCall {
				e.first.Nonce = e.last.Nonce
				return e.first
			},
		},
	}
}

// otherQueries change the query. Those after the first are alike for whoever puts a query together carelessly.
func (s *Suite) otherQueries() []change {
	list := []change{{
		cell: "other_query", words: otherQuery, everywhere: true, query: true,
		apply: to(tagged),
	}}
	for _, q := range []struct{ words, query string }{
		{"changes only the value of a query parameter", "a=Gateassay2&b=34"},
		{"changes only the letter case of a query", "a=gateassay1&b=34"},
		{"changes only the name of a query parameter", "a=Gateassay1&c=34"},
		{"moves a digit from one query parameter to the next", "a=Gateassay13&b=4"},
		{"adds only a second value of a query parameter", "a=Gateassay1&a=2&b=34"},
	} {
		list = append(list, change{
			cell: "other_query", words: q.words, group: byQuery, query: true, only: in("none"),
			first: func(c *target.ExportCall) { c.Query = query("a=Gateassay1&b=34") },
			apply: to(func(c *target.ExportCall) { c.Query = query(q.query) }),
		})
	}
	text := s.t.Run
	return append(list, change{
		cell: "other_query", words: "moves a field from the query to the body", group: "a field in the query", query: true,
		only: in("none"),
		first: func(c *target.ExportCall) {
			c.Fields, c.Query = target.Fields{"order": "desc"}, url.Values{"filter_text": {text}}
		},
		apply: to(func(c *target.ExportCall) { c.Fields, c.Query = c.Fields.With("filter_text", text), nil }),
	})
}

// of finds the cell of the document's table.
func (c change) of() rules.Cell {
	for _, cell := range rules.Cells() {
		if cell.Name == c.cell {
			return cell
		}
	}
	panic("replay: there is no cell " + c.cell)
}

// blocks predicts how a repeat ends: the truth table of the document.
func (c change) blocks(m rules.Mode) bool { return m.Blocks(c.of()) }

// tried reports whether a change is tried in a mode.
func (c change) tried(m rules.Mode) bool { return c.only == nil || c.only(m) }

// renewed changes an identifier but for its last part, and flipped only one digit: part of an identifier is not the
// identifier.
func renewed(id string) string {
	const last = 12
	return target.UUID()[:len(id)-last] + id[len(id)-last:]
}

func flipped(id string, at int) string {
	digit := "0"
	if id[at:at+1] == digit {
		digit = "1"
	}
	return id[:at] + digit + id[at+1:]
}

// tagged gives a request a query that no other has.
func tagged(c *target.ExportCall) { c.Query = url.Values{"gateassay": {target.UUID()}} }

func query(text string) url.Values {
	values, err := url.ParseQuery(text)
	if err != nil {
		panic("a query of our own that is none: " + text)
	}
	return values
}
