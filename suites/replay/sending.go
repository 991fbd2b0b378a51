package replay

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// repeated is what the repeat of a request got that was accepted.
type repeated struct {
	target.Answer
	First *client.Exchange
}

type repetition = *spec.Observation[repeated]

// repeat declares what a change of a mode gets: in its group, plain and in its contexts. What ends wrongly among others
// is repeated by itself, and judged by that.
func (s *Suite) repeat(m rules.ReplayMode, c change) repetition {
	return spec.Observe(s.Plan, called(m)+", a request that "+c.words, func(ctx context.Context) (repeated, error) {
		if err := s.possible(ctx, c.needs); err != nil {
			return repeated{}, err
		}
		in := append([]design.Configuration{nil}, s.contexts(m, c)...)
		for _, with := range in { // side by side: no two groups share a request
			s.group(m, c.group, with).Start(ctx)
		}
		right := func(r repeated) bool {
			if c.blocks(m) {
				return !StartsExport(r.Exchange)
			}
			return r.IsSuccess()
		}
		asked := map[string]bool{}
		r, condition, err := lab.FindFailingConfiguration(ctx, s.lab, lab.Export, in, right, func(with design.Configuration) (repeated, error) {
			among, _ := s.group(m, c.group, with).Get(ctx)
			if r, seen := among[c.words]; seen && s.clear(r.Exchange) && right(r) && !asked[with.String()] {
				asked[with.String()] = true
				return r, nil
			}
			return s.alone(ctx, m, c, s.own(c, with))
		})
		r.Condition = condition
		if err == nil && !right(r) {
			err = s.excuse(ctx, m, c, r)
		}
		return r, err
	})
}

// own is as much of a context as is right for whoever sends the repeat.
func (s *Suite) own(c change, with design.Configuration) design.Configuration {
	if c.needs == anotherUser {
		return with.Without(s.lab.IdentityFactors(lab.Export)...)
	}
	return with
}

// group declares a first request in a context and its repeats, by the words of the change.
func (s *Suite) group(m rules.ReplayMode, name string, with design.Configuration) *spec.Observation[map[string]repeated] {
	what := fmt.Sprintf("a request and its repeats, %s, %s, with %s", called(m), name, with)
	return spec.Observe(s.Plan, what, func(ctx context.Context) (map[string]repeated, error) {
		members := s.members(ctx, m, name, with)
		if valid, _ := s.lab.ControlFor(lab.Export, with).Get(ctx); len(members) == 0 || len(valid.Configuration) < len(with) {
			return nil, nil // a part of the context is tried, each change by itself
		}
		return s.chain(ctx, m, with, members)
	})
}

// chain sends a first request and one repeat after the other, but for those that build on one which was not let through.
func (s *Suite) chain(ctx context.Context, m rules.ReplayMode, with design.Configuration, members []change) (map[string]repeated, error) {
	sent, first, err := s.first(ctx, m, with, members...)
	found := map[string]repeated{"": {First: first}}
	if sent.Query == nil { // it did not take one to be accepted
		found[unrepeated().words] = repeated{Answer: target.Answer{Exchange: first}}
	}
	before := map[string]target.Request{"": sent}
	for _, c := range members {
		last, sensible := before[c.after]
		if !sensible || err != nil || ctx.Err() != nil {
			continue
		}
		call := c.repeat(sent, last)
		x := s.again(ctx, m, c, call)
		if x.IsSuccess() || c.blocks(m) {
			before[c.words] = call
		}
		a := target.Answer{Exchange: x, Attempts: []*client.Exchange{x}, Preceding: []*client.Exchange{first}}
		if c.after != "" {
			a.Preceding = append(a.Preceding, found[c.after].Exchange)
		}
		found[c.words] = repeated{a, first}
	}
	return found, err
}

// members are the changes of a group in a context. An exact repeat comes first; it and all others that are blocked change
// nothing for the next one. Those that are to be blocked otherwise come last, after others with other identifiers.
func (s *Suite) members(ctx context.Context, m rules.ReplayMode, group string, with design.Configuration) []change {
	var exact, passing, blocked []change
	for _, c := range s.table {
		tried := len(with) == 0 || len(s.own(c, with)) == len(with) &&
			slices.ContainsFunc(s.contexts(m, c), func(in design.Configuration) bool { return in.String() == with.String() })
		switch {
		case !tried || !s.tries(c, m) || c.group != group || s.possible(ctx, c.needs) != nil:
		case c.words == everything:
			exact = append(exact, c)
		case c.blocks(m):
			blocked = append(blocked, c)
		default:
			passing = append(passing, c)
		}
	}
	return slices.Concat(exact, passing, blocked)
}

// fresh sends a request that repeats none, with what some changes want of it; query: with one of its own.
func (s *Suite) fresh(ctx context.Context, m rules.ReplayMode, with design.Configuration, query bool, wanted ...change,
) (sent target.Request, x *client.Exchange) {
	x = s.lab.SendAfterControlExport(ctx, func() target.Request {
		sent = s.request(m, "first request, "+called(m), with)
		for _, c := range wanted {
			if c.first != nil {
				c.first(&sent)
			}
		}
		if query && sent.Query == nil {
			tagged(&sent)
		}
		return sent
	})
	return sent, x
}

// first sends a first request and returns the call that was accepted. Where a part of the group is not compared at all,
// such as the body, every first request looks like one of the run's earlier ones and is refused: then a query of its
// own sets it apart, where the deployment allows one.
func (s *Suite) first(ctx context.Context, m rules.ReplayMode, with design.Configuration, wanted ...change,
) (target.Request, *client.Exchange, error) {
	sent, x := s.fresh(ctx, m, with, false, wanted...)
	if x.IsClientError() && !x.IsTransient() && s.possible(ctx, anyQuery) == nil {
		sent, x = s.fresh(ctx, m, with, true, wanted...)
	}
	err := s.lab.TransientError(ctx, x)
	switch {
	case err != nil:
	case x.IsServerError():
		err = spec.Transientf("the first request got %s", target.DescribeAnswer(x))
	case !x.IsSuccess():
		if _, err := s.lab.ControlExport.Get(ctx); err != nil {
			return sent, x, err
		}
		err = spec.Inconclusivef("the first request was not accepted (%s), so there is nothing to repeat; see %s", target.DescribeAnswer(x),
			"replay."+m.Name+".first")
	}
	return sent, x, err
}

// alone sends a first request and one repeat. A repeat that got no clear answer may have been noted by the deployment
// all the same, so its identifiers are given up and both are sent anew.
func (s *Suite) alone(ctx context.Context, m rules.ReplayMode, c change, with design.Configuration) (r repeated, err error) {
	members := []change{c}
	if before := s.named(c.after); before != nil {
		members = []change{*before, c}
	}
	var failed error
	var sentBefore []*client.Exchange
	clear := func(x *client.Exchange) bool { return failed != nil || s.clear(x) }
	r.Answer, err = s.lab.SendUntilConclusive(ctx, clear, func() *client.Exchange {
		if c.cell == nothing {
			_, x := s.fresh(ctx, m, with, false)
			return x
		}
		var found map[string]repeated
		found, failed = s.chain(ctx, m, with, members)
		r.First = found[""].First
		sentBefore = found[c.words].Preceding
		x := found[c.words].Exchange
		if before := found[c.after].Exchange; failed == nil && x == nil && before != nil {
			why := spec.Inconclusivef
			if x = before; x.Attempt > 1 { // one that was throttled may have been noted all the same
				why = spec.Transientf
			}
			failed = cmp.Or(s.lab.TransientError(ctx, x), why("a request that %s was not accepted, so it cannot be repeated", c.after))
		}
		return cmp.Or(x, r.First)
	}, func(ctx context.Context) (*client.Exchange, bool) { return s.lab.CheckAlive(ctx, lab.Export) })
	if r.Preceding = sentBefore; r.First != nil && r.First.IsSuccess() {
		r.Control = r.First
	}
	if c.first != nil && failed != nil && r.First.IsClientError() && !r.First.IsTransient() {
		failed = spec.NotVerifiedf("", "the deployment accepts no first request such as this needs (%s)", target.DescribeAnswer(r.First))
	}
	return r, cmp.Or(failed, err)
}

// named finds a change that others build on; nil where there is none of that name.
func (s *Suite) named(words string) *change {
	if at := slices.IndexFunc(s.table, func(c change) bool { return c.words == words }); at >= 0 {
		return &s.table[at]
	}
	return nil
}

// again sends a repeat.
func (s *Suite) again(ctx context.Context, m rules.ReplayMode, c change, call target.Request) *client.Exchange {
	call.Label = "request with " + called(m) + " that " + c.words
	call.MayBlock = c.blocks(m) && !s.throttles.Load()
	x := s.lab.SendAfterControlExport(ctx, func() target.Request { return call })
	if c.blocks(m) {
		s.lab.MarkInvalid(x)
	}
	s.pair(ctx, x, call)
	return x
}

// clear reports whether an answer speaks about replay protection: an attempt that was lost may count as an earlier one.
func (s *Suite) clear(x *client.Exchange) bool {
	if x.Status == http.StatusTooManyRequests {
		return s.blocks429.Load()
	}
	return !x.IsTransient() && !x.IsServerError() && (x.Attempt == 1 || x.IsSuccess())
}

// pair finds out whether 429 is the deployment's way to block or a throttle, once one was met: a block comes each time,
// while a fresh request right after it is accepted.
func (s *Suite) pair(ctx context.Context, met *client.Exchange, again target.Request) {
	if met.Status != http.StatusTooManyRequests || s.blocks429.Load() || s.throttles.Load() {
		return
	}
	const pairs = 3
	again.MayBlock = true
	for range pairs {
		x := s.lab.SendAfterControlExport(ctx, func() target.Request { return again })
		s.lab.MarkInvalid(x)
		fresh, accepted := s.lab.CheckAlive(ctx, lab.Export)
		if ctx.Err() != nil {
			return
		}
		if x.Status != http.StatusTooManyRequests || !accepted || fresh.Attempt > 1 {
			s.throttles.Store(true)
			return
		}
	}
	s.blocks429.Store(true)
}

// excuse is why a repeat that ended wrongly proves nothing; nil: it does.
func (s *Suite) excuse(ctx context.Context, m rules.ReplayMode, c change, r repeated) error {
	switch {
	case c.needs == theKey:
		// The deployment file gives both credentials and does not say whose they are.
		if one, err := s.lab.TokenAndKeyShareUser(ctx); err != nil || !one {
			return cmp.Or(err, spec.NotVerifiedf("", "nothing shows that the token and the API key belong to one user, and the user is compared"))
		}
	case c.cell != nothing && !c.blocks(m) && r.IsClientError():
		// What the deployment accepts from nobody, whatever came before it, is what the rules about requests are for.
		itself := change{first: func(r *target.Request) {
			last := *r
			if before := s.named(c.after); before != nil {
				last = before.repeat(last, last)
			}
			*r = c.repeat(*r, last)
		}}
		_, x := s.fresh(ctx, m, r.Condition, s.possible(ctx, anyQuery) == nil, c, itself)
		if x.IsClientError() && !x.IsTransient() {
			return spec.NotVerifiedf("", "the deployment accepts such a request never (%s), see export.success", target.DescribeAnswer(x))
		}
	}
	return nil
}
