package replay

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
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
	return repeat{words: c.words, exact: c == same, query: c.query, user: c.user, again: func(sent target.ExportCall, _ []target.ExportCall) target.ExportCall {
		if c.nonce {
			sent.Nonce = target.UUID()
		}
		if c.transaction {
			sent.Transaction = target.UUID()
		}
		if c.body {
			sent.Fields = otherBound(m, sent.Fields)
		}
		if c.query {
			sent.Query = tag()
		}
		if c.user {
			sent.Credential = s.t.Deployment.Credentials.OtherUser
		}
		return sent
	}}
}

// otherBound changes one of the two bounds, another one from mode to mode: a deployment that leaves either out of the
// comparison takes the body for the same.
func otherBound(m rules.Mode, sent target.Fields) target.Fields {
	name, by := "date_start", -time.Second
	if m.Nonce {
		name, by = "date_end", time.Second
	}
	text, _ := sent[name].(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic("a bound of our own that is not a date-time: " + text)
	}
	// A random millisecond, so that no other run makes the same body of the same one.
	at = at.Add(by).Add(time.Duration(rand.IntN(1000)) * time.Millisecond)
	return sent.With(name, at.UTC().Format("2006-01-02T15:04:05.000Z"))
}

func again(first target.ExportCall, _ []target.ExportCall) target.ExportCall { return first }

// twice repeats a request that was repeated before: a block does not use up what it is compared with.
func (s *Suite) twice(m rules.Mode) repeat {
	return repeat{
		words: "repeats everything for the second time",
		between: func(first target.ExportCall) []target.ExportCall {
			first.Label = called(m) + ", the first repeat"
			return []target.ExportCall{first}
		},
		again: again,
	}
}

// otherHeaders repeats a request with other headers that are not compared.
func (s *Suite) otherHeaders() repeat {
	return repeat{
		words: "repeats everything but headers that are not compared",
		again: func(sent target.ExportCall, _ []target.ExportCall) target.ExportCall {
			return sent.Set(target.HeaderLanguage, "en-US").Set("User-Agent", "curl/8.9.1")
		},
	}
}

// beside repeats a request that carries an optional header, or comes by the other method of authentication: neither
// switches the protection off. Without the fixture it is the zero repeat, which declares nothing.
func (s *Suite) beside(m rules.Mode, what string) repeat {
	f := s.t.Deployment.Fixtures
	var change func(target.ExportCall) target.ExportCall
	set := func(values ...string) func(target.ExportCall) target.ExportCall {
		return func(c target.ExportCall) target.ExportCall {
			for i := 0; i < len(values); i += 2 {
				c = c.Set(values[i], values[i+1])
			}
			return c
		}
	}
	switch {
	case what == "language":
		change = set(target.HeaderLanguage, "en-US")
	case what == "API key" && s.apiKey() != nil:
		change = func(c target.ExportCall) target.ExportCall { c.Credential = s.apiKey(); return c }
	case what == "wallet" && f.OtherWalletID != "":
		change = set(target.HeaderWallet, f.OtherWalletID)
	case what == "product" && f.ProductID != "":
		change = set(target.HeaderProduct, f.ProductID)
	case what == "target user" && f.ProductID != "" && f.TargetUserID != "":
		change = set(target.HeaderProduct, f.ProductID, target.HeaderTarget, f.TargetUserID)
	default:
		return repeat{}
	}
	return repeat{words: "repeats everything, with a " + what + " both times", first: change, again: again, strange: true}
}

// apiKey is the API key, where requests are otherwise sent with the token.
func (s *Suite) apiKey() *deployment.Credential {
	if s.t.Deployment.Credentials.PlatformToken == nil {
		return nil
	}
	return s.t.Deployment.Credentials.APIKey
}

// nearly changes one digit of the identifier that a mode compares: part of an identifier is not the identifier.
func (s *Suite) nearly(m rules.Mode) repeat {
	flip := func(id string, at int) string {
		digit := "0"
		if id[at] == '0' {
			digit = "1"
		}
		return id[:at] + digit + id[at+1:]
	}
	return repeat{
		words: "changes one digit of an identifier that is compared",
		again: func(sent target.ExportCall, _ []target.ExportCall) target.ExportCall {
			switch m.Name {
			case "nonce":
				sent.Nonce = flip(sent.Nonce, 35)
			case "transaction_nonce":
				sent.Nonce = flip(sent.Nonce, 0)
			case "transaction":
				sent.Transaction = flip(sent.Transaction, 35)
			default:
				sent.Transaction = flip(sent.Transaction, 0)
			}
			return sent
		},
	}
}

// afterOthers repeats a request when others of its group, which differ in one identifier each, came after it: it is an
// earlier request still.
func (s *Suite) afterOthers(m rules.Mode) repeat {
	return repeat{
		words: "repeats everything, after requests of its group with other identifiers",
		between: func(first target.ExportCall) []target.ExportCall {
			var all []target.ExportCall
			for _, c := range []cell{otherNonce, otherTransaction} {
				if c.nonce && m.Nonce || c.transaction && m.Transaction {
					other := s.cell(m, c).again(first, nil)
					other.Label = called(m) + ", another request of the group: " + c.words
					all = append(all, other)
				}
			}
			return all
		},
		again: again,
	}
}

// crossed sends two requests that share no identifier, and then the transaction ID of the first with the nonce of the
// second: together, they were never seen.
func (s *Suite) crossed(m rules.Mode) repeat {
	return repeat{
		words: "carries the transaction ID of one request and the nonce of another",
		between: func(first target.ExportCall) []target.ExportCall {
			other := first
			other.Label = called(m) + ", another request of the group: changes both identifiers"
			other.Nonce, other.Transaction = target.UUID(), target.UUID()
			return []target.ExportCall{other}
		},
		again: func(first target.ExportCall, between []target.ExportCall) target.ExportCall {
			first.Nonce = between[0].Nonce
			return first
		},
	}
}

// otherValue changes the value of a query parameter that both requests have.
func (s *Suite) otherValue() repeat {
	return repeat{
		words: "changes only the value of a query parameter", tagged: true, query: true,
		again: func(sent target.ExportCall, _ []target.ExportCall) target.ExportCall {
			sent.Query = tag()
			return sent
		},
	}
}

// bodies are repeats in whose bodies one field alone differs. The texts are of one form, so that a deployment which
// understands one of them understands the other.
func (s *Suite) bodies() []repeat {
	text := "Ga " + s.t.Run // short: how long a text may be is open
	filter := target.Fields{"filter_type": "client_id", "filter_text": text}
	sorted := target.Fields{"sort": "quote_created_at", "order": "desc"}
	body := func(words string, fields target.Fields, change func(sent target.Fields) target.Fields) repeat {
		return repeat{
			words: "keeps the identifiers with a body in which " + words + " alone differs",
			first: func(call target.ExportCall) target.ExportCall {
				for name, value := range fields {
					call.Fields = call.Fields.With(name, value)
				}
				return call
			},
			again: func(sent target.ExportCall, _ []target.ExportCall) target.ExportCall {
				sent.Fields = change(sent.Fields)
				return sent
			},
			strange: true,
		}
	}
	to := func(field, value string) func(target.Fields) target.Fields {
		return func(sent target.Fields) target.Fields { return sent.With(field, value) }
	}
	return []repeat{
		body("the filter text", filter, to("filter_text", text+" II")),
		body("the case of the filter text", filter, to("filter_text", strings.ToLower(text))),
		body("the sort", sorted, to("sort", "settled_date")),
		body("the order", sorted, to("order", "asc")),
		body("the end", nil, func(sent target.Fields) target.Fields { return otherBound(mode("nonce"), sent) }),
	}
}

// understood separates a body that the deployment accepts in no request from one that it takes for a repeat: the former
// is what the rules about requests are for.
func (s *Suite) understood(ctx context.Context, how repeat, r repeated, err error) error {
	change := how.first // the first request was refused
	if err == nil {
		change = func(call target.ExportCall) target.ExportCall { return how.again(how.first(call), nil) }
	}
	if err == nil && (how.blocks || !r.Refusal()) || err != nil && !errors.Is(err, spec.ErrInconclusive) {
		return err
	}
	x := s.t.StartExport(ctx, func() target.ExportCall {
		return change(s.t.Export("an export that repeats nothing, with the fields of one that was refused", s.t.Unique()))
	})
	if ctx.Err() != nil {
		return spec.Interrupted
	}
	if x.Refusal() && !x.Transient() {
		return spec.Unmet("", "the deployment accepts such a body in no request (%s), see export.success", target.Describe(x))
	}
	return err
}

// unknownQuery sees whether a query parameter that nobody knows is accepted at all: otherwise no repeat with another
// query can pass, replay protection or not.
func (s *Suite) unknownQuery() *spec.Observation[*client.Exchange] {
	return spec.Observe(s.Plan, "valid export with an unknown query parameter", func(ctx context.Context) (*client.Exchange, error) {
		x := s.t.StartExport(ctx, func() target.ExportCall {
			call := s.t.Export("valid export with an unknown query parameter", s.t.Unique())
			call.Query = tag()
			return call
		})
		if err := s.t.Usable(ctx, x); err != nil {
			return nil, err
		}
		switch {
		case x.Success():
			return x, nil
		case !x.Refusal():
			return nil, spec.Unclear("an export with an unknown query parameter got %s", target.Describe(x))
		}
		// A refusal is only about the query when the same export without it is accepted.
		if _, err := s.c.Export.Get(ctx); err != nil {
			return nil, err
		}
		return nil, spec.Unmet("", "the deployment rejects an unknown query parameter (%s)", target.Describe(x))
	})
}

// otherExport sees whether the second identity may export at all.
func (s *Suite) otherExport() *spec.Observation[*client.Exchange] {
	return spec.Observe(s.Plan, "valid export by the other user", func(ctx context.Context) (*client.Exchange, error) {
		user := s.t.Deployment.Credentials.OtherUser
		if user == nil {
			return nil, spec.Unmet("credentials.other_user", "")
		}
		if main := s.t.Deployment.Credentials.Main(); main != nil && main.Method == user.Method && main.Value == user.Value {
			return nil, spec.Unmet("credentials.other_user", "it is the main credential once more, not that of another user")
		}
		return s.mayExport(ctx, "valid export by the other user", "credentials.other_user", user)
	})
}

// mayExport sends a valid export with a credential; its refusal leaves what rests on the credential unverified.
func (s *Suite) mayExport(ctx context.Context, label, key string, as *deployment.Credential) (*client.Exchange, error) {
	x := s.t.StartExport(ctx, func() target.ExportCall {
		call := s.t.Export(label, s.t.Unique())
		call.Credential = as
		return call
	})
	if err := s.t.Usable(ctx, x); err != nil {
		return nil, err
	}
	switch {
	case x.Success():
		return x, nil
	case !x.Refusal():
		return nil, spec.Unclear("a %s got %s", label, target.Describe(x))
	}
	return nil, spec.Unmet(key, "a %s was not accepted (%s)", label, target.Describe(x))
}
