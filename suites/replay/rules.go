package replay

import (
	"context"
	"errors"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// cells: the table of the document. Compared is the group { method, params, path, query, body, userId }; with a value of
// the header, the identifiers that it names are compared too. A repeat is blocked when everything compared is the same.
func (s *Suite) cells() {
	for _, m := range rules.Modes() {
		s.Describe(called(m), func() {
			for _, cell := range rules.Cells() {
				s.cell(m, cell)
			}
		})
	}
}

func (s *Suite) cell(m rules.Mode, cell rules.Cell) {
	verb, fate, matcher := "lets through", "passes", Pass()
	if m.Blocks(cell) {
		verb, fate, matcher = "blocks", "is blocked", BeBlocked()
	}
	needs := spec.Needs()
	if cell.User {
		needs = spec.Needs("credentials.other_user")
	}
	s.Rule("replay."+m.Name+"."+cell.Name, rules.Must, rules.ExportOperation,
		with(m)+"a request that "+cell.Words+" "+fate+".", needs, func() {
			excused := func(spec.Context, *client.Exchange) {}
			if m.Blocks(cell) && cell.Name != "same" {
				excused = s.unlessExact(m)
			}
			for _, c := range s.changes() {
				if c.cell != cell.Name || c.rule != "" || !c.tried(m) {
					continue
				}
				seen := s.repeat(m, c)
				s.It(verb+" a request with "+called(m)+" that "+c.words, func(ctx spec.Context) {
					got := s.await(ctx, c, seen)
					excused(ctx, got.Exchange)
					ctx.Expect(got).To(matcher)
				})
			}
		})
}

// await is what a repeat got. A deployment need not accept every request that a further case is made of.
func (s *Suite) await(ctx spec.Context, c change, seen repetition) target.Answer {
	var unmet *spec.NeedError
	_, err := seen.Get(ctx)
	// Other cases of the rule are not made of these.
	further := c.first != nil || c.query && c.cell != "other_query"
	others := c.user && c.cell != "other_user"
	if errors.As(err, &unmet) && (others || further && unmet.Key == "") {
		ctx.NotApplicable(unmet.Error())
	}
	return seen.Await(ctx).Answer
}

// exact is the repeat of everything.
func (s *Suite) exact(m rules.Mode) repetition { return s.repeat(m, s.changes()[0]) }

// unlessExact returns what ends a check where a repeat passes, as an exact one of some modes does: that is the finding
// of another rule.
func (s *Suite) unlessExact(modes ...rules.Mode) func(spec.Context, *client.Exchange) {
	all := make([]repetition, len(modes))
	for i, m := range modes {
		all[i] = s.exact(m)
	}
	return func(ctx spec.Context, x *client.Exchange) {
		for i, o := range all {
			if r, ok := o.Settled(ctx); ok && LetThrough(x) && LetThrough(r.Exchange) {
				ctx.NotVerified("", "an exact repeat passes as well, see %s", spec.Ref("replay."+modes[i].Name+".same"))
			}
		}
	}
}

// unlisted: repeats that the table does not list.
func (s *Suite) unlisted() {
	// Headers that identify nothing are not in the group, unless somebody takes them for its params, which the document
	// does not explain.
	s.blocksAll(otherHeaders,
		"A request that changes only headers which are not compared, such as x-lang and User-Agent, is blocked.")
	s.blocksAll(bothSpellings,
		"A request that repeats one sent under the other order of the two names is blocked.")

	// The deployment file gives both credentials and does not say whose they are: what shows that they are one user's is
	// a repeat that is blocked, or a file that is given to both.
	s.blocksAll(sameUser,
		"A request that repeats one of the same user's, sent by the other method of authentication, is blocked.",
		spec.Needs("credentials.platform_token", "credentials.api_key"))
}

// blocksAll declares the rule that the changes about it are blocked in each of their modes.
func (s *Suite) blocksAll(id, statement string, options ...any) {
	spec.Helper()
	s.Rule(id, rules.Should, rules.ExportOperation, statement, append(options, func() {
		var all []repetition
		for _, m := range rules.Modes() {
			like := []rules.Mode{m}
			if id == bothSpellings {
				like = append(like, mode("transaction_nonce"), mode("nonce_transaction"))
			}
			excused := s.unlessExact(like...)
			for _, c := range s.changes() {
				if c.rule != id || !c.tried(m) {
					continue
				}
				seen := s.repeat(m, c)
				all = append(all, seen)
				s.It("blocks a request with "+called(m)+" that "+c.words, func(ctx spec.Context) {
					got := seen.Await(ctx).Answer
					excused(ctx, got.Exchange)
					if c.key && LetThrough(got.Exchange) && !s.oneUser(ctx, all) {
						ctx.NotVerified("", "nothing shows that the token and the API key belong to one user, and the user is compared")
					}
					ctx.Expect(got).To(BeBlocked())
				})
			}
		}
	})...)
}

// oneUser reports whether what the token did is known to be the API key's: one of some repeats was blocked, or the file
// of a first request is given to the key.
func (s *Suite) oneUser(ctx context.Context, all []repetition) bool {
	var first *client.Exchange
	for _, o := range all {
		if r, ok := o.Settled(ctx); ok && !LetThrough(r.Exchange) {
			return true
		} else if ok {
			first = r.First
		}
	}
	return first != nil && s.c.GivenToKey(ctx, first)
}
