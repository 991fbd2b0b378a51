package replay

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// change is one way in which a repeat differs from the request before it. Further ways to repeat a request are lines of
// the tables below.
type change struct {
	cell  string                // the cell of the document's table that says how it ends, and with the mode the rule
	rule  string                // the rule that it is about instead; empty: that of the cell
	words string                // "a request that ..."
	modes []string              // in which standard runs try it; nil: in all
	only  []string              // in which it makes sense; nil: in all
	needs string                // what the deployment has to accept for it; empty: nothing
	group string                // changes of a group share a first request
	first func(*target.Request) // what this request has; nil: nothing
	edit  func(*target.Request) // makes the repeat of the first request; nil: nothing changes
	// after names another change: the repeat is sent where that one ended as it should, and may be made of what it sent.
	after string
	last  func(r *target.Request, last target.Request)

	everywhere bool // it is tried in contexts, not only in plain requests
}

// theLast repeats the request of another change.
func theLast(r *target.Request, last target.Request) { *r = last }

// repeat makes the request that a change is of a first one, and of the one that it comes after.
func (c change) repeat(first, last target.Request) target.Request {
	if c.edit != nil {
		c.edit(&first)
	}
	if c.last != nil {
		c.last(&first, last)
	}
	return first
}

// of finds the cell of the document's table.
func (c change) of() rules.RepeatKind {
	all := rules.RepeatKinds()
	return all[slices.IndexFunc(all, func(cell rules.RepeatKind) bool { return cell.Name == c.cell })]
}

// blocks predicts how a repeat ends: the truth table of the document.
func (c change) blocks(m rules.ReplayMode) bool { return c.cell != nothing && m.Blocks(c.of()) }

// possible reports whether a change makes sense in a mode.
func (c change) possible(m rules.ReplayMode) bool {
	return c.only == nil || slices.Contains(c.only, m.Name)
}

// turn says which runs try a change in a mode.
func (c change) turn(m rules.ReplayMode) (t spec.Sampling) {
	if c.modes != nil && !slices.Contains(c.modes, m.Name) {
		t = spec.ThoroughOnly()
	}
	return t
}

// tries reports whether the run tries a change in a mode: in a quick one, that is the first of its rule, and those that this
// one comes after.
func (s *Suite) tries(c change, m rules.ReplayMode) bool {
	if !c.possible(m) || s.t.Depth != record.Quick {
		return c.possible(m) && c.turn(m).Includes(s.t.Depth, s.t.Seed)
	}
	first := func(of change) bool {
		at := slices.IndexFunc(s.table, func(o change) bool { return o.cell == of.cell && o.rule == of.rule && s.usual(o, m) })
		return at >= 0 && s.table[at].words == of.words
	}
	return c.words == everything || first(c) ||
		slices.ContainsFunc(s.table, func(o change) bool { return o.after == c.words && first(o) })
}

// usual reports whether standard runs try a change in a mode.
func (s *Suite) usual(c change, m rules.ReplayMode) bool {
	return c.possible(m) && c.turn(m).Includes(record.Standard, s.t.Seed)
}

const (
	// nothing is the cell of a request that repeats none.
	nothing = "first"

	// Changes that others build on.
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
)

// pairs are the modes that compare two identifiers.
func pairs() []string { return []string{"transaction_nonce", "nonce_transaction"} }

// unrepeated is a request that repeats none.
func unrepeated() change {
	return change{cell: nothing, words: "repeats no earlier one", everywhere: true}
}

// same are the ways to repeat a request in which nothing that is compared changes.
func (s *Suite) same() []change {
	f, plain := s.t.Deployment.Fixtures, []string{"none", "nonce"}
	const first, last = "repeats everything of the first of several requests", "repeats everything of the last of several requests"
	list := []change{ // a repeat that passes may be what a later one is blocked for, so those of the first come first
		{words: everything, everywhere: true},
		{words: first, after: otherNonce, modes: append(pairs(), "nonce"), only: append(pairs(), plain...)},
		{words: first, after: otherTransaction, only: []string{"transaction"}},
		{words: "repeats everything twice", after: everything, modes: plain},
		{words: last, after: otherNonce, last: theLast, modes: []string{"nonce", "transaction_nonce"}, only: append(plain, "transaction_nonce")},
		{words: last, after: otherTransaction, last: theLast, only: []string{"transaction", "nonce_transaction"}},
		{words: "repeats everything, a query included", after: otherQuery, needs: anyQuery, last: theLast, modes: append(pairs(), "nonce", "transaction")},
		{words: "repeats everything that another user sent", after: otherUser, needs: anotherUser, last: theLast, modes: []string{"none"}},
		{
			words: "repeats everything, with one UUID for both identifiers", group: "one UUID", modes: pairs()[:1],
			first: func(c *target.Request) { c.Transaction = c.Nonce },
		},
		{
			words: "repeats everything, an empty body included", group: "no body", needs: anyQuery, modes: []string{"none"},
			first: func(c *target.Request) { c.Fields = nil; tagged(c) },
		},
		{
			rule: bothSpellings, words: "repeats everything under the other order of the names", only: pairs(),
			edit: func(c *target.Request) {
				a, b, _ := strings.Cut(c.Mode, "&")
				c.Mode = b + "&" + a
			},
		},
		{
			rule: sameUser, words: "repeats everything by the other method of authentication", needs: theKey, modes: plain,
			edit: func(c *target.Request) { c.Credential = s.t.Deployment.Credentials.APIKey },
		},
		{
			rule: otherHeaders, words: "changes only headers that are not compared", modes: plain,
			edit: func(c *target.Request) {
				c.Language = "en-US"
				c.SetHeader("User-Agent", "curl/8.9.1")
				c.SetHeader("Accept", "application/json, */*;q=0.8")
				c.SetHeader("X-Request-Id", target.NewUUID())
			},
		},
	}
	if f.ProductID != "" || f.OtherWalletID != "" {
		list = append(list, change{
			rule: otherHeaders, words: "leaves out product and wallet", group: "product and wallet", modes: []string{"none"},
			first: func(c *target.Request) {
				for name, id := range map[string]string{target.HeaderProduct: f.ProductID, target.HeaderWallet: f.OtherWalletID} {
					if id != "" {
						c.SetHeader(name, id)
					}
				}
			},
			edit: func(c *target.Request) {
				c.Product = ""
				c.SetHeader(target.HeaderProduct)
				c.SetHeader(target.HeaderWallet)
			},
		})
	}
	return of("same", list...)
}

func of(cell string, list ...change) []change {
	for i := range list {
		list[i].cell = cell
	}
	return list
}

// identifiers change nonce and transaction ID. Part of an identifier is not the identifier.
func identifiers() []change {
	const end = len(token.NilUUID) - 1
	plain := []string{"none", "nonce"}
	nonce := func(from, to int) func(*target.Request) {
		return func(c *target.Request) { c.Nonce = changed(c.Nonce, from, to) }
	}
	transaction := func(from, to int) func(*target.Request) {
		return func(c *target.Request) { c.Transaction = changed(c.Transaction, from, to) }
	}
	const most = len(token.NilUUID) - 12 // all but the last part
	return slices.Concat(
		of("other_nonce",
			change{words: otherNonce, everywhere: true, edit: nonce(0, most)},
			change{words: "changes the last digit of the nonce", edit: nonce(end, end+1), modes: append(pairs(), "nonce")},
			change{
				words: "changes only the nonce, without a transaction ID", group: "no transaction ID", modes: []string{"none"}, only: plain,
				first: func(c *target.Request) { c.Transaction = "" }, edit: nonce(0, most),
			},
			change{
				words: "mixes the identifiers of two requests", after: otherBoth, only: pairs(),
				last: func(c *target.Request, last target.Request) { c.Nonce = last.Nonce },
			}),
		of("other_transaction",
			change{words: otherTransaction, everywhere: true, edit: transaction(0, most)},
			change{words: "changes the last digit of the transaction ID", edit: transaction(end, end+1), modes: append(pairs(), "transaction")},
			change{words: "changes the first digit of the transaction ID", edit: transaction(0, 1), modes: pairs()}),
		of("other_both",
			change{words: otherBoth, edit: func(c *target.Request) {
				c.Nonce, c.Transaction = changed(c.Nonce, 0, most), changed(c.Transaction, 0, most)
			}},
			change{words: "exchanges the two identifiers", modes: pairs(), edit: func(c *target.Request) {
				c.Nonce, c.Transaction = c.Transaction, c.Nonce
			}}))
}

// changed is a UUID with other digits in a part of it.
func changed(id string, from, to int) string {
	for {
		if other := id[:from] + target.NewUUID()[from:to] + id[to:]; other != id {
			return other
		}
	}
}

// queries change the query. Those after the first are alike for whoever puts a query together carelessly.
func (s *Suite) queries() []change {
	list := []change{{words: otherQuery, everywhere: true, edit: tagged}}
	for _, q := range []struct {
		words string
		other url.Values
	}{
		{"changes only the value of a query parameter", url.Values{"a": {"Gateassay2"}, "b": {"34"}}},
		{"changes only the letter case of a query", url.Values{"a": {"gateassay1"}, "b": {"34"}}},
		{"changes only the name of a query parameter", url.Values{"a": {"Gateassay1"}, "c": {"34"}}},
		{"moves a digit from one query parameter to the next", url.Values{"a": {"Gateassay13"}, "b": {"4"}}},
		{"adds only a second value of a query parameter", url.Values{"a": {"Gateassay1", "2"}, "b": {"34"}}},
		{"adds only a value ahead of that of a query parameter", url.Values{"a": {"2", "Gateassay1"}, "b": {"34"}}},
		{"adds only a query parameter without a value", url.Values{"a": {"Gateassay1"}, "b": {"34"}, "c": {""}}},
	} {
		list = append(list, change{
			words: q.words, group: "a query", modes: []string{"none"},
			first: func(c *target.Request) { c.Query = url.Values{"a": {"Gateassay1"}, "b": {"34"}} },
			edit:  func(c *target.Request) { c.Query = q.other },
		})
	}
	list = append(list, change{
		words: "moves a field from the query to the body", group: "a field in the query", modes: []string{"none"},
		first: func(c *target.Request) {
			c.Fields, c.Query = target.ExportFields{"order": "desc"}, url.Values{"filter_text": {s.t.RunID}}
		},
		edit: func(c *target.Request) { c.SetField("filter_text", s.t.RunID); c.Query = nil },
	})
	for i := range list {
		list[i].needs = anyQuery
	}
	return of("other_query", list...)
}

// tagged gives a request a query that no other has.
func tagged(c *target.Request) { c.Query = url.Values{"gateassay": {target.NewUUID()}} }

func (s *Suite) users() []change {
	return of("other_user", change{
		words: otherUser, everywhere: true, needs: anotherUser,
		edit: func(c *target.Request) { c.Credential = s.t.Deployment.Credentials.OtherUser },
	})
}
