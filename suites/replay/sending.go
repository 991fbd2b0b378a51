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

type observation = *spec.Observation[repeated]

// observe declares what a repetition gets in a mode: after the first request of its group, plainly
// and in its contexts. What ends wrongly among others is repeated by itself, and judged by that.
func (s *Suite) observe(m rules.ReplayMode, r repetition) observation {
	name := called(m) + ", a request that " + r.words
	return spec.Observe(s.Plan, name, func(ctx context.Context) (repeated, error) {
		if err := s.unmet(ctx, r.requires); err != nil {
			return repeated{}, err
		}
		contexts := append([]design.Configuration{nil}, s.contexts(m, r)...)
		groups := map[string]*spec.Observation[map[string]repeated]{}
		for _, with := range contexts { // at once: no two groups share a request
			group := fmt.Sprintf("a request and its repeats, %s, %s, with %s",
				called(m), r.group, with)
			groups[with.String()] = spec.Observe(s.Plan, group,
				func(ctx context.Context) (map[string]repeated, error) {
					repeats := s.inGroup(ctx, m, r.group, with)
					valid, _ := s.lab.ControlFor(lab.Export, with).Get(ctx)
					if len(repeats) == 0 || len(valid.Configuration) < len(with) {
						return nil, nil // each is tried by itself in what is left of the context
					}
					return s.sendInOrder(ctx, m, with, repeats)
				})
			groups[with.String()].Start(ctx)
		}
		right := func(got repeated) bool {
			if r.blocked(m) {
				return !StartsExport(got.Exchange)
			}
			return got.IsSuccess()
		}
		used := map[string]bool{}
		got, condition, err := lab.FindFailingConfiguration(ctx, s.lab, lab.Export, contexts, right,
			func(with design.Configuration) (repeated, error) {
				if group := groups[with.String()]; group != nil && !used[with.String()] {
					all, _ := group.Get(ctx)
					if got, sent := all[r.words]; sent && s.conclusive(got.Exchange) && right(got) {
						used[with.String()] = true
						return got, nil
					}
				}
				return s.sendByItself(ctx, m, r, s.fitting(r, with))
			})
		got.Condition = condition
		if err == nil && !right(got) {
			err = s.provesNothing(ctx, m, r, got)
		}
		return got, err
	})
}

// fitting is as much of a context as is right for whoever sends the repeat.
func (s *Suite) fitting(r repetition, with design.Configuration) design.Configuration {
	if r.requires == otherUser {
		return with.Without(s.lab.IdentityFactors(lab.Export)...)
	}
	return with
}

// inGroup lists the repetitions of a group in a context. An exact repeat comes first; it and all
// others that are blocked change nothing for the next one. Those that are to be blocked otherwise
// come last, after others with other identifiers.
func (s *Suite) inGroup(ctx context.Context, m rules.ReplayMode, group string, with design.Configuration,
) []repetition {
	var exact, passing, blocked []repetition
	for _, r := range s.table {
		isWith := func(in design.Configuration) bool { return in.String() == with.String() }
		here := len(with) == 0 ||
			len(s.fitting(r, with)) == len(with) && slices.ContainsFunc(s.contexts(m, r), isWith)
		switch {
		case !here || !s.tried(r, m) || r.group != group || s.unmet(ctx, r.requires) != nil:
		case r.words == exactRepeat:
			exact = append(exact, r)
		case r.blocked(m):
			blocked = append(blocked, r)
		default:
			passing = append(passing, r)
		}
	}
	return slices.Concat(exact, passing, blocked)
}

// sendFirst sends a request that repeats none, with what some repetitions want of it; where query
// is true, with a query of its own.
func (s *Suite) sendFirst(ctx context.Context, m rules.ReplayMode, with design.Configuration, query bool,
	repeats ...repetition,
) (sent target.Request, x *client.Exchange) {
	x = s.lab.SendAfterControlExport(ctx, func() target.Request {
		sent = s.request(m, "first request, "+called(m), with)
		for _, r := range repeats {
			r.prepare(&sent)
		}
		if query && sent.Query == nil {
			sent.Query = uniqueQuery()
		}
		return sent
	})
	return sent, x
}

// sendInOrder sends a first request, and one repeat after the other, but for those that follow one
// which was not let through. Answers are by the words of the repetition; the first has none. Where
// a part of the group is not compared at all, such as the body, every first request looks like an
// earlier one and is refused: then a query of its own sets it apart, where one is accepted.
func (s *Suite) sendInOrder(ctx context.Context, m rules.ReplayMode, with design.Configuration,
	repeats []repetition,
) (map[string]repeated, error) {
	first, x := s.sendFirst(ctx, m, with, false, repeats...)
	if x.IsClientError() && !x.IsTransient() && s.unmet(ctx, unknownQuery) == nil {
		first, x = s.sendFirst(ctx, m, with, true, repeats...)
	}
	answers := map[string]repeated{"": {First: x}}
	if first.Query == nil { // it did not take one to be accepted
		answers[repeatsNone.words] = repeated{Answer: target.Answer{Exchange: x}}
	}
	if err := s.acceptedFirst(ctx, m, x); err != nil {
		return answers, err
	}
	sent := map[string]target.Request{"": first}
	for _, r := range repeats {
		followed, ended := sent[r.follows]
		if !ended || ctx.Err() != nil {
			continue
		}
		call := r.build(first, followed)
		call.Label = "request with " + called(m) + " that " + r.words
		call.MayBlock = r.blocked(m) && !s.throttles.Load()
		again := s.t.Send(ctx, func() target.Request { return call })
		if r.blocked(m) {
			s.lab.MarkInvalid(again)
		}
		s.classify429(ctx, again, call)
		if again.IsSuccess() || r.blocked(m) {
			sent[r.words] = call
		}
		got := repeated{First: x}
		got.Exchange, got.Attempts = again, []*client.Exchange{again}
		if got.Preceding = []*client.Exchange{x}; r.follows != "" {
			got.Preceding = append(got.Preceding, answers[r.follows].Exchange)
		}
		answers[r.words] = got
	}
	return answers, nil
}

// acceptedFirst says why a first request cannot be repeated; nil: it was accepted.
func (s *Suite) acceptedFirst(ctx context.Context, m rules.ReplayMode, x *client.Exchange) error {
	switch err := s.lab.TransientError(ctx, x); {
	case err != nil:
		return err
	case x.IsServerError():
		return spec.Transientf("the first request got %s", target.DescribeAnswer(x))
	case x.IsSuccess():
		return nil
	}
	_, err := s.lab.ControlExport.Get(ctx)
	return cmp.Or(err, spec.Inconclusivef("the first request was not accepted (%s), so there is nothing "+
		"to repeat; see %s", target.DescribeAnswer(x), "replay."+m.Name+".first"))
}

// sendByItself sends a first request and one repeat. A repeat that got no clear answer may have
// been noted all the same, so its identifiers are given up and both are sent anew.
func (s *Suite) sendByItself(ctx context.Context, m rules.ReplayMode, r repetition, with design.Configuration,
) (got repeated, err error) {
	repeats := []repetition{r}
	if followed := s.find(r.follows); followed != nil {
		repeats = []repetition{*followed, r}
	}
	var failed error
	var before []*client.Exchange
	clear := func(x *client.Exchange) bool { return failed != nil || s.conclusive(x) }
	got.Answer, err = s.lab.SendUntilConclusive(ctx, clear, func() *client.Exchange {
		if r.cell == firstCell {
			_, x := s.sendFirst(ctx, m, with, false)
			return x
		}
		var all map[string]repeated
		all, failed = s.sendInOrder(ctx, m, with, repeats)
		got.First, before = all[""].First, all[r.words].Preceding
		x := all[r.words].Exchange
		if followed := all[r.follows].Exchange; failed == nil && x == nil && followed != nil {
			reason := spec.Inconclusivef
			if x = followed; x.Attempt > 1 { // one that was throttled may have been noted
				reason = spec.Transientf
			}
			failed = cmp.Or(s.lab.TransientError(ctx, x),
				reason("a request that %s was not accepted, so it cannot be repeated", r.follows))
		}
		return cmp.Or(x, got.First)
	}, func(ctx context.Context) (*client.Exchange, bool) { return s.lab.CheckAlive(ctx, lab.Export) })
	if got.Preceding = before; got.First != nil && got.First.IsSuccess() {
		got.Control = got.First
	}
	special := r.firstBody != nil || r.firstQuery != nil || r.firstEdit != nil
	if special && failed != nil && got.First.IsClientError() && !got.First.IsTransient() {
		failed = spec.NotVerifiedf("", "the deployment accepts no first request such as this needs (%s)",
			target.DescribeAnswer(got.First))
	}
	return got, cmp.Or(failed, err)
}

// provesNothing says why a repeat that ended wrongly is no finding; nil: it is one.
func (s *Suite) provesNothing(ctx context.Context, m rules.ReplayMode, r repetition, got repeated) error {
	switch {
	case r.requires == apiKey:
		// The deployment file gives both credentials and does not say whose they are.
		if one, err := s.lab.TokenAndKeyShareUser(ctx); err != nil || !one {
			return cmp.Or(err, spec.NotVerifiedf("", "nothing shows that the token and the API key "+
				"belong to one user, and the user is compared"))
		}
	case r.cell != firstCell && !r.blocked(m) && got.IsClientError():
		// What the deployment accepts from nobody, whatever came before it, is what the rules about
		// requests are for.
		repeat := repetition{firstEdit: func(call *target.Request) {
			followed := *call
			if f := s.find(r.follows); f != nil {
				followed = f.build(followed, followed)
			}
			*call = r.build(*call, followed)
		}}
		_, x := s.sendFirst(ctx, m, got.Condition, s.unmet(ctx, unknownQuery) == nil, r, repeat)
		if x.IsClientError() && !x.IsTransient() {
			return spec.NotVerifiedf("", "the deployment accepts such a request never (%s), "+
				"see export.success", target.DescribeAnswer(x))
		}
	}
	return nil
}

// find looks a repetition up by its words; nil: there is none.
func (s *Suite) find(words string) *repetition {
	at := slices.IndexFunc(s.table, func(r repetition) bool { return r.words == words })
	if at < 0 {
		return nil
	}
	return &s.table[at]
}

// conclusive reports whether an answer speaks about replay protection: an attempt that was lost may
// count as an earlier one.
func (s *Suite) conclusive(x *client.Exchange) bool {
	if x.Status == http.StatusTooManyRequests {
		return s.blocks429.Load()
	}
	return !x.IsTransient() && !x.IsServerError() && (x.Attempt == 1 || x.IsSuccess())
}

// classify429 finds out whether 429 is the deployment's way to block or a throttle, once one was
// met: a block comes each time, while a fresh request right after it is accepted.
func (s *Suite) classify429(ctx context.Context, met *client.Exchange, call target.Request) {
	if met.Status != http.StatusTooManyRequests || s.blocks429.Load() || s.throttles.Load() {
		return
	}
	const times = 3
	call.MayBlock = true
	for range times {
		x := s.t.Send(ctx, func() target.Request { return call })
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
