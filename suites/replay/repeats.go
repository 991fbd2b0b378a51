package replay

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

// cell is a column of the table: what differs between a request and its repeat.
type cell struct {
	words                                 string // "a request that ..."
	nonce, transaction, body, query, user bool
}

var (
	same             = cell{words: "repeats everything"}
	otherNonce       = cell{words: "changes only the nonce", nonce: true}
	otherTransaction = cell{words: "changes only the transaction ID", transaction: true}
	otherBoth        = cell{words: "changes both identifiers", nonce: true, transaction: true}
	otherBody        = cell{words: "keeps the identifiers with another body", body: true}
	otherQuery       = cell{words: "keeps identifiers and body with another query", query: true}
	otherUser        = cell{words: "comes from another user", user: true}
)

// cell is the repeat that differs in what a cell of the table says and in nothing else.
func (s *Suite) cell(m rules.Mode, c cell) repeat {
	how := repeat{words: c.words, exact: c == same, query: c.query, user: c.user, apart: c.user}
	switch {
	case c == same: // which goes without company, so that nothing explains how it ends
	case c == otherNonce && m.Header == "": // nothing asks for a transaction ID; no group can share that
		how.in, how.first = s.row(m, c, 0), func(call *target.ExportCall) { call.Transaction = "" }
	default:
		how.in, how.both, how.grouped = control.First, true, true
	}
	how.again = func(again *target.ExportCall) {
		if c.nonce {
			again.Nonce = renewed(again.Nonce)
		}
		if c.transaction {
			again.Transaction = renewed(again.Transaction)
		}
		if c.body {
			s.otherBound(m)(again)
		}
		if c.query {
			tagged(again)
		}
		if c.user {
			again.Credential = s.t.Deployment.Credentials.OtherUser
		}
	}
	return how
}

// row is where the nth repeat of a cell goes: all of them in turn.
func (s *Suite) row(m rules.Mode, c cell, n int) control.Row {
	return s.c.Row(client.Export, "replay."+m.Name+" "+c.words, n%len(control.Accompanied(client.Export)))
}

// otherBound changes one of the two bounds, another one from mode to mode: a deployment that leaves either out of the
// comparison takes the body for the same.
func (s *Suite) otherBound(m rules.Mode) change {
	name, by := "date_start", -time.Second
	if m.Nonce {
		name, by = "date_end", time.Second
	}
	return func(c *target.ExportCall) {
		text, _ := c.Fields[name].(string)
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			panic("a bound of our own that is not a date-time: " + text)
		}
		// A random millisecond, so that no other run makes the same body of the same one.
		at = at.Add(by).Add(time.Duration(rand.IntN(1000)) * time.Millisecond)
		c.Fields = c.Fields.With(name, s.t.Instant(at))
	}
}

// twice repeats a request that was repeated before: a block does not use up what it is compared with.
func (s *Suite) twice(m rules.Mode) repeat {
	const words = "repeats everything twice"
	between := func(first target.ExportCall) []target.ExportCall {
		first.Label = called(m) + ", the first repeat"
		return []target.ExportCall{first}
	}
	among := func(g *group) []target.ExportCall {
		first, ok := g.passed[otherQuery.words]
		if !ok {
			return nil
		}
		return []target.ExportCall{first, first}
	}
	return repeat{words: words, in: control.First, queried: true, between: between, grouped: true, among: among}
}

// empty repeats a request whose body is an empty object. Others send such a one as well, so it has a query where the
// deployment allows one.
func (s *Suite) empty() repeat {
	return repeat{
		words: "repeats everything, an empty body included", queried: true,
		first: func(c *target.ExportCall) { c.Fields = nil },
	}
}

// ofOtherUser repeats a request of another user: one who is protected as well.
func (s *Suite) ofOtherUser() repeat {
	return repeat{
		words: "repeats everything that another user sent", user: true, apart: true, grouped: true,
		first: func(c *target.ExportCall) { c.Credential = s.t.Deployment.Credentials.OtherUser },
		among: func(g *group) []target.ExportCall {
			theirs, ok := g.passed[otherUser.words]
			if !ok {
				return nil
			}
			return []target.ExportCall{theirs}
		},
	}
}

// renewed changes an identifier but for its last part, and nearly only its last digit: part of an identifier is not the
// identifier.
func renewed(id string) string {
	const last = 12
	return target.UUID()[:len(id)-last] + id[len(id)-last:]
}

func (s *Suite) nearly(m rules.Mode) repeat {
	flip := func(id string) string {
		front, digit := id[:len(id)-1], "0"
		if id[len(front):] == digit {
			digit = "1"
		}
		return front + digit
	}
	if m.Name == "nonce" || m.Name == "transaction_nonce" {
		return repeat{
			words: "changes one digit of the nonce", in: control.Second, grouped: true,
			again: func(again *target.ExportCall) { again.Nonce = flip(again.Nonce) },
		}
	}
	return repeat{
		words: "changes one digit of the transaction ID", in: control.Second, grouped: true,
		again: func(again *target.ExportCall) { again.Transaction = flip(again.Transaction) },
	}
}

// afterOthers repeats a request when others of its group, which differ in one identifier each, came after it: it is an
// earlier request still, and so is the last of them.
func (s *Suite) afterOthers(m rules.Mode) repeat {
	const words = "repeats everything after others"
	var last target.ExportCall
	return repeat{
		words: words, in: control.Second, grouped: true,
		between: func(first target.ExportCall) (all []target.ExportCall) {
			for _, c := range []cell{otherNonce, otherTransaction} {
				if c.nonce && m.Nonce || c.transaction && m.Transaction {
					last = s.cell(m, c).again.of(first)
					last.Label = called(m) + ", another request of the group: " + c.words
					all = append(all, last)
				}
			}
			return all
		},
		each: []variation{
			{},
			{only: record.Only("the last request of its group"), later: true, change: func(c *target.ExportCall) { *c = last }},
		},
		among: func(g *group) []target.ExportCall {
			last, ok := g.passed[otherTransaction.words]
			if !m.Transaction || !ok {
				last, ok = g.passed[otherNonce.words]
			}
			if !ok {
				return nil
			}
			return []target.ExportCall{g.sent, last}
		},
	}
}

// crossed sends two requests that share no identifier, and then the transaction ID of the first with the nonce of the
// second: together, they were never seen.
func (s *Suite) crossed(m rules.Mode) repeat {
	var nonce string // of the second
	return repeat{
		words: "mixes the identifiers of two requests", in: control.First,
		between: func(other target.ExportCall) []target.ExportCall {
			nonce = target.UUID()
			other.Label = called(m) + ", another request of the group: changes both identifiers"
			other.Nonce, other.Transaction = nonce, target.UUID()
			return []target.ExportCall{other}
		},
		again:   func(again *target.ExportCall) { again.Nonce = nonce },
		grouped: true,
		among: func(g *group) []target.ExportCall {
			other, ok := g.passed[otherBoth.words]
			if !ok {
				return nil
			}
			mixed := g.sent
			mixed.Nonce = other.Nonce
			return []target.ExportCall{mixed}
		},
	}
}

// otherValue changes the value of a query parameter that both requests have.
func (s *Suite) otherValue() repeat {
	return repeat{
		words: "changes only the value of a query parameter", in: control.Second, tagged: true, query: true,
		again:   tagged,
		grouped: true,
		among: func(g *group) []target.ExportCall {
			other, ok := g.passed[otherQuery.words]
			if !ok {
				return nil
			}
			tagged(&other)
			return []target.ExportCall{other}
		},
	}
}

// What differs between two bodies.
const (
	filterText = "filter text"
	letterCase = "letter case"
	filterType = "filter type"
	extension  = "type_extension"
	sorting    = "sort"
	order      = "order"
	start      = "start"
	end        = "end"
)

// bodies are repeats of one first request, in whose bodies one field alone differs. The texts are of one form, so that
// a deployment which understands one of them understands the other.
func (s *Suite) bodies(fields ...string) repeat {
	text := "Ga " + s.t.Run // short: how long a text may be is open
	set := func(name, value string) change {
		return func(c *target.ExportCall) { c.Fields = c.Fields.With(name, value) }
	}
	how := repeat{words: "changes only " + strings.Join(fields, " or "), strange: true}
	var first []change
	for _, field := range fields {
		var again change
		doubtful := false
		switch field {
		case filterText:
			first = append(first, set("filter_type", "client_id"), set("filter_text", text))
			again = set("filter_text", text+" II")
		case letterCase:
			first = append(first, set("filter_type", "client_id"), set("filter_text", text))
			again = set("filter_text", strings.ToLower(text))
		case filterType: // beside a text, which a deployment may want one for
			first = append(first, set("filter_type", "client_id"), set("filter_text", text))
			again, doubtful = func(c *target.ExportCall) { c.Fields = c.Fields.Without("filter_type") }, true
		case extension:
			first = append(first, set("type_extension", "CSV"))
			again = func(c *target.ExportCall) { c.Fields = c.Fields.Without("type_extension") }
		case sorting:
			first, again = append(first, set("sort", "quote_created_at")), set("sort", "settled_date")
		case order:
			first, again = append(first, set("order", "desc")), set("order", "asc")
		case start:
			again = s.otherBound(mode("none"))
		case end:
			again = s.otherBound(mode("nonce"))
		}
		how.each = append(how.each, variation{only: record.Only("another " + field), change: again, doubtful: doubtful})
	}
	how.first = func(c *target.ExportCall) {
		for _, one := range first {
			*c = one.of(*c)
		}
	}
	return how
}
