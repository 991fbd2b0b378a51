package replay

import (
	"context"
	"math/rand/v2"
	"time"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// observeTable declares a chain for each mode and each way to repeat.
func (s *suite) observeTable() {
	s.query = spec.Observe(s.p, "an export with an unknown query parameter", s.unknownQuery)
	other := spec.Observe(s.p, "a valid export by the other user", s.otherUser)
	for _, m := range rules.Modes() {
		for _, cell := range rules.Cells() {
			o := spec.Observe(s.p, called(m)+", a repeat that "+cell.Words, func(ctx context.Context) (repeated, error) {
				if cell.Query {
					if _, err := s.query.Get(ctx); err != nil {
						return repeated{}, err
					}
				}
				if cell.User {
					if _, err := other.Get(ctx); err != nil {
						return repeated{}, err
					}
				}
				return s.chain(ctx, m, s.cell(m, cell))
			})
			s.table[m.Name] = append(s.table[m.Name], o)
			if m.Blocks(cell) {
				s.blocked = append(s.blocked, o)
			}
			if cell.Name == "same" {
				s.same = append(s.same, o)
			}
		}
	}
}

// cell is the repeat that differs in what a cell of the table says and in nothing else.
func (s *suite) cell(m rules.Mode, cell rules.Cell) repeat {
	return repeat{words: cell.Words, blocks: m.Blocks(cell), again: func(sent target.ExportCall, _ []target.ExportCall) target.ExportCall {
		again := sent
		if cell.Nonce {
			again.Nonce = target.UUID()
		}
		if cell.Transaction {
			again.Transaction = target.UUID()
		}
		if cell.Body {
			again.Fields = otherBound(m, sent.Fields)
		}
		if cell.Query {
			again.Query = tag()
		}
		if cell.User {
			again.Credential = s.t.Deployment.Credentials.OtherUser
		}
		return again
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
		panic("a bound of our own that is no date-time: " + text)
	}
	// A random millisecond, so that no other run makes the same body of the same one.
	at = at.Add(by).Add(time.Duration(rand.IntN(1000)) * time.Millisecond)
	return sent.With(name, at.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// checkTable judges the repeats by the documented table.
//
// Compared is the group { method, params, path, query, body, userId }; with a value of the header, the identifiers that
// it names are compared too. A repeat is blocked when everything compared is the same, and passes otherwise:
//
//	value        same   other nonce  other transaction  other both  other body, query or user
//	none         block  block        block              block       pass
//	nonce        block  pass         block              pass        pass
//	transaction  block  block        pass               pass        pass
//	both         block  pass         pass               pass        pass
//
// Both orders of the two names mean the same.
func (s *suite) checkTable() {
	for _, m := range rules.Modes() {
		for i, cell := range rules.Cells() {
			o := s.table[m.Name][i]
			s.p.It("replay."+m.Name+"."+cell.Name, "the repeat", spec.After(o), func(ctx context.Context) {
				a := o.Await(ctx).Answer
				if m.Blocks(cell) {
					Expect(a).To(BeBlocked())
				} else {
					Expect(a).To(Pass())
				}
			})
		}
	}
}

// unknownQuery sees whether a query parameter that nobody knows is accepted at all: otherwise no repeat with another
// query can pass, replay protection or not.
func (s *suite) unknownQuery(ctx context.Context) (*client.Exchange, error) {
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
}

// otherUser sees whether the second identity may export at all.
func (s *suite) otherUser(ctx context.Context) (*client.Exchange, error) {
	user := s.t.Deployment.Credentials.OtherUser
	if user == nil {
		return nil, spec.Unmet("credentials.other_user", "")
	}
	if main := s.t.Deployment.Credentials.Main(); main != nil && main.Method == user.Method && main.Value == user.Value {
		return nil, spec.Unmet("credentials.other_user", "it is the main credential once more, not that of another user")
	}
	x := s.t.StartExport(ctx, func() target.ExportCall {
		call := s.t.Export("valid export by the other user", s.t.Unique())
		call.Credential = user
		return call
	})
	if err := s.t.Usable(ctx, x); err != nil {
		return nil, err
	}
	switch {
	case x.Success():
		return x, nil
	case !x.Refusal():
		return nil, spec.Unclear("a valid export by the other user got %s", target.Describe(x))
	}
	return nil, spec.Unmet("credentials.other_user", "a valid export by the other user was not accepted (%s)", target.Describe(x))
}
