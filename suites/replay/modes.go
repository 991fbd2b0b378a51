package replay

import (
	"cmp"
	"context"
	"errors"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// The table of the document: compared is the group { method, params, path, query, body, userId }; with a value of the
// header, the identifiers that it names are compared too. A repeat is blocked when everything compared is the same.

func (s *Suite) table() {
	m := mode("none")
	s.Describe("no value", func() {
		s.first("replay.none.first", m)
		s.blocksRepeat("replay.none.same", m, same, s.twice(m),
			repeat{words: "repeats everything, optional headers included", in: control.Second, grouped: true},
			s.ofOtherUser(),
			s.empty())
		s.blocksRepeat("replay.none.other_nonce", m, otherNonce, repeat{
			words: "changes only the nonce, beside a transaction ID", grouped: true,
			again: func(again *target.ExportCall) { again.Nonce = renewed(again.Nonce) },
		})
		s.blocksRepeat("replay.none.other_transaction", m, otherTransaction)
		s.blocksRepeat("replay.none.other_both", m, otherBoth)
		s.passes("replay.none.other_body", m, otherBody, s.bodies(letterCase, filterType),
			s.bodies(sorting, order, end))
		s.passes("replay.none.other_query", m, otherQuery, s.otherValue())
		s.passes("replay.none.other_user", m, otherUser)
	})

	m = mode("nonce")
	s.Describe("nonce", func() {
		s.first("replay.nonce.first", m)
		s.blocksRepeat("replay.nonce.same", m, same, s.twice(m), s.afterOthers(m))
		s.passes("replay.nonce.other_nonce", m, otherNonce, s.nearly(m))
		s.blocksRepeat("replay.nonce.other_transaction", m, otherTransaction)
		s.passes("replay.nonce.other_both", m, otherBoth)
		s.passes("replay.nonce.other_body", m, otherBody, s.bodies(letterCase), s.bodies(sorting, order, start))
		s.passes("replay.nonce.other_query", m, otherQuery)
		s.passes("replay.nonce.other_user", m, otherUser)
	})

	m = mode("transaction")
	s.Describe("x-transaction-uuid", func() {
		s.first("replay.transaction.first", m)
		s.blocksRepeat("replay.transaction.same", m, same, s.twice(m), s.afterOthers(m))
		s.blocksRepeat("replay.transaction.other_nonce", m, otherNonce)
		s.passes("replay.transaction.other_transaction", m, otherTransaction, s.nearly(m))
		s.passes("replay.transaction.other_both", m, otherBoth)
		s.passes("replay.transaction.other_body", m, otherBody, s.bodies(filterText, letterCase),
			s.bodies(sorting, order, end))
		s.passes("replay.transaction.other_query", m, otherQuery)
		s.passes("replay.transaction.other_user", m, otherUser)
	})

	m = mode("transaction_nonce")
	s.Describe("x-transaction-uuid&nonce", func() {
		s.first("replay.transaction_nonce.first", m)
		s.blocksRepeat("replay.transaction_nonce.same", m, same, s.twice(m), s.afterOthers(m))
		s.passes("replay.transaction_nonce.other_nonce", m, otherNonce, s.crossed(m), s.nearly(m))
		s.passes("replay.transaction_nonce.other_transaction", m, otherTransaction)
		s.passes("replay.transaction_nonce.other_both", m, otherBoth)
		s.passes("replay.transaction_nonce.other_body", m, otherBody, s.bodies(letterCase, extension, start))
		s.passes("replay.transaction_nonce.other_query", m, otherQuery)
		s.passes("replay.transaction_nonce.other_user", m, otherUser)
	})

	m = mode("nonce_transaction")
	s.Describe("nonce&x-transaction-uuid", func() {
		s.first("replay.nonce_transaction.first", m)
		s.blocksRepeat("replay.nonce_transaction.same", m, same, s.twice(m), s.afterOthers(m))
		s.passes("replay.nonce_transaction.other_nonce", m, otherNonce, s.crossed(m))
		s.passes("replay.nonce_transaction.other_transaction", m, otherTransaction, s.nearly(m))
		s.passes("replay.nonce_transaction.other_both", m, otherBoth)
		s.passes("replay.nonce_transaction.other_body", m, otherBody, s.bodies(sorting, order))
		s.passes("replay.nonce_transaction.other_query", m, otherQuery)
		s.passes("replay.nonce_transaction.other_user", m, otherUser)
	})
}

// with begins the statement about a mode.
func with(m rules.Mode) string {
	if m.Header == "" {
		return "Without a replay protection value, "
	}
	return "With " + m.Header + ", "
}

// blocking is the repeat of a cell, which has to be blocked where the table says so.
func (s *Suite) blocking(m rules.Mode, c cell) repeat {
	how := s.cell(m, c)
	how.blocks = !(c.body || c.query || c.user || m.Nonce && c.nonce || m.Transaction && c.transaction)
	return how
}

// blocksRepeat declares the rule that a cell of the table is blocked. Further repeats fall under the same cell.
func (s *Suite) blocksRepeat(id string, m rules.Mode, c cell, further ...repeat) {
	spec.Helper()
	s.ends(id, m, c, true, "blocks", "is blocked", BeBlocked(), further)
}

// passes declares the rule that a cell of the table passes.
func (s *Suite) passes(id string, m rules.Mode, c cell, further ...repeat) {
	spec.Helper()
	s.ends(id, m, c, false, "lets through", "passes", Pass(), further)
}

// ends declares the rule how a cell of the table ends.
func (s *Suite) ends(id string, m rules.Mode, c cell, blocks bool, verb, fate string, matcher Matcher,
	further []repeat,
) {
	spec.Helper()
	needs := spec.Needs()
	if c.user {
		needs = spec.Needs("credentials.other_user")
	}
	s.Rule(id, rules.Must, rules.ExportOperation, with(m)+"a request that "+c.words+" "+fate+".", needs, func() {
		var plain *repetition
		for i, how := range append([]repeat{s.cell(m, c)}, further...) {
			how.blocks = blocks
			if i > 0 {
				how.in = s.row(m, c, i)
			}
			s.join(m, how)
			seen := s.repeat(m, how)
			plain = cmp.Or(plain, seen)
			exact := func(spec.Context, *client.Exchange) {}
			switch {
			case blocks && c == same:
				s.same[m.Name] = append(s.same[m.Name], seen)
			case blocks:
				exact = s.likeExact(how.in, m)
			}
			if blocks {
				s.blocked = append(s.blocked, seen)
			}
			if how.exact {
				s.exact = append(s.exact, seen)
			}
			s.It(verb+" a request with "+called(m)+" that "+how.words, func(ctx spec.Context) {
				var unmet *spec.NeedError
				if _, err := seen.Get(ctx); blocks && how.user && errors.As(err, &unmet) {
					seen = plain // nobody else may export: the caller's repeats are enough
				}
				got := seen.Await(ctx).Answer
				exact(ctx, got.Exchange)
				ctx.Expect(got).To(matcher)
			})
		}
	})
}

// likeExact returns what ends a spec where a repeat passes as exact ones of some modes do: that is the finding of
// another rule. What stands beside a plain repeat is nothing, so it is like a plain one only.
func (s *Suite) likeExact(in control.Row, modes ...rules.Mode) func(spec.Context, *client.Exchange) {
	var exact []*repetition
	for _, m := range modes {
		exact = append(exact, s.repeat(m, s.blocking(m, same)))
		if in != control.Plain {
			exact = append(exact, s.same[m.Name]...)
		}
	}
	for _, o := range exact {
		s.Uses(o)
	}
	return func(ctx spec.Context, x *client.Exchange) {
		for _, o := range exact {
			if r, ok := o.Settled(ctx); ok && LetThrough(x) && LetThrough(r.Exchange) {
				ctx.NotVerified("", "an exact repeat passes as well, see %s", spec.Ref("replay.*.same"))
			}
		}
	}
}

// oneMode: the two orders of the names are two spellings of one choice.
func (s *Suite) oneMode() {
	a, b := mode("transaction_nonce"), mode("nonce_transaction")
	s.Rule("replay.mode.both_spellings", rules.Should, rules.ExportOperation,
		"A request that repeats one sent under the other order of the two names is blocked.", func() {
			for i, pair := range [][2]rules.Mode{{a, b}, {b, a}} {
				how := repeat{
					words: "repeats everything, under " + pair[1].Header, blocks: true, grouped: true,
					in:    s.c.Row(client.Export, "replay.mode.both_spellings", i),
					again: func(again *target.ExportCall) { again.Mode = pair[1].Header },
				}
				s.join(pair[0], how)
				seen := s.repeat(pair[0], how)
				exact := s.likeExact(control.First, pair[0], pair[1])
				s.It("blocks a repeat under "+pair[1].Header+" of a request under "+pair[0].Header,
					func(ctx spec.Context) {
						got := seen.Await(ctx).Answer
						exact(ctx, got.Exchange)
						ctx.Expect(got).To(BeBlocked())
					})
			}
		})
}

// oneUser: a user is the same by either method of authentication. The deployment file gives both credentials and does
// not say whose they are: what shows that they are one user's is a repeat that is blocked, or a file that is given to
// both.
func (s *Suite) oneUser() {
	s.Rule("replay.method.same_user", rules.Should, rules.ExportOperation,
		"A request that repeats one of the same user's, sent by the other method of authentication, is blocked.",
		spec.Needs("credentials.platform_token", "credentials.api_key"), func() {
			byOther := func(c *target.ExportCall) { c.Credential = s.t.Deployment.Credentials.APIKey }
			byKey := spec.Observe(s.Plan, "valid export by API key",
				func(ctx context.Context) (*client.Exchange, error) {
					return s.mayExport(ctx, "valid export by API key", "credentials.api_key", byOther)
				})
			const words = "repeats everything, by the other method of authentication"
			var all []*repetition
			var exact []func(spec.Context, *client.Exchange)
			for i, m := range []rules.Mode{mode("none"), mode("nonce")} {
				how := repeat{
					words: words, blocks: true, again: byOther, apart: true, grouped: true,
					in: s.c.Row(client.Export, "replay.method.same_user", i),
				}
				s.join(m, how)
				all = append(all, s.repeat(m, how))
				exact = append(exact, s.likeExact(control.First, m))
			}
			oneUser := spec.Observe(s.Plan, "whether token and API key are one user's",
				func(ctx context.Context) (bool, error) {
					return s.sharesFiles(ctx, all)
				})
			for i, text := range []string{
				"blocks a repeat by the API key of a request by the token",
				"blocks a repeat by the API key, nonce included, of a request by the token",
			} {
				s.It(text, func(ctx spec.Context) {
					byKey.Await(ctx)
					got := all[i].Await(ctx).Answer
					exact[i](ctx, got.Exchange)
					if LetThrough(got.Exchange) && !oneUser.Await(ctx) {
						ctx.NotVerified(
							"", "nothing shows that the token and the API key belong to one user, and the user is compared")
					}
					ctx.Expect(got).To(BeBlocked())
				})
			}
		})
}

// sharesFiles reports whether what the token did is known to be the API key's: one of some repeats was blocked, or the
// file of a first request is given to the key.
func (s *Suite) sharesFiles(ctx context.Context, all []*repetition) (bool, error) {
	var first *client.Exchange
	for _, o := range all {
		r, err := o.Get(ctx)
		switch {
		case ctx.Err() != nil:
			return false, spec.Interrupted
		case err == nil && !LetThrough(r.Exchange):
			return true, nil
		case err == nil:
			first = r.First
		}
	}
	if first == nil {
		return false, nil
	}
	return s.c.GivenToKey(ctx, first), nil
}
