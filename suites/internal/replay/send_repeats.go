package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// observeRepeat declares the repeat of a mode: after the first request of its group, without
// options and in its configurations. The first request comes first in Preceding. A wrong result is confirmed by a repeat without the rest of
// the group, which is judged instead.
func (s *Suite) observeRepeat(m rules.ReplayMode, r repetition) lab.AnswerObservation {
	name := modeLabel(m) + ", a request that " + r.description
	return spec.Observe(s.Plan, name, func(ctx context.Context) (target.Answer, error) {
		if err := s.unmetRequirement(ctx, r.requires); err != nil {
			return target.Answer{}, err
		}
		configs := append([]design.Configuration{nil}, s.configurationsOf(m, r)...)
		groups := map[string]*spec.Observation[map[string]target.Answer]{}
		for _, config := range configs { // concurrently: no two groups share a request
			group := s.observeGroup(m, r.group, config)
			groups[config.String()] = group
			group.Start(ctx)
		}
		right := func(got target.Answer) bool {
			if r.isBlockedIn(m) {
				return !answers.StartsExport(got.Exchange)
			}
			return got.IsSuccess()
		}
		got, err := s.lab.FindFailingConfiguration(ctx, client.OperationExport, configs, right,
			func(config design.Configuration) (target.Answer, error) {
				if group := groups[config.String()]; group != nil {
					delete(groups, config.String()) // each shows one answer
					all, _ := group.Get(ctx)
					if got, sent := all[r.description]; sent && s.isConclusive(got.Exchange) && right(got) {
						return got, nil
					}
				}
				return s.sendSingleRepeat(ctx, m, r, s.configurationForSender(r, config))
			})
		if err == nil && !right(got) {
			err = s.inconclusiveError(ctx, m, r, got)
		}
		return got, err
	})
}

// observeGroup declares a first request in a configuration and its repeats.
func (s *Suite) observeGroup(
	m rules.ReplayMode, group string, config design.Configuration,
) *spec.Observation[map[string]target.Answer] {
	name := fmt.Sprintf("a request and its repeats, %s, %s, with %s", modeLabel(m), group, config)
	return spec.Observe(s.Plan, name, func(ctx context.Context) (map[string]target.Answer, error) {
		repeats := s.repetitionsOfGroup(ctx, m, group, config)
		valid, _ := s.lab.ObserveControl(client.OperationExport, config).Get(ctx)
		if len(repeats) == 0 || len(valid.Configuration) < len(config) {
			return nil, nil // each is tried alone in what is left of the configuration
		}
		return s.sendInOrder(ctx, m, config, repeats)
	})
}

// configurationForSender returns the options of a configuration that suit the sender of the
// repeat.
func (s *Suite) configurationForSender(
	r repetition, config design.Configuration,
) design.Configuration {
	if r.requires == requiresOtherUser {
		return config.Without(s.lab.IdentityFactors(client.OperationExport)...)
	}
	return config
}

// repetitionsOfGroup returns the repetitions of a group in a configuration: the exact repeat,
// those that pass, then the others that are blocked. A blocked repeat does not affect the next
// one.
func (s *Suite) repetitionsOfGroup(
	ctx context.Context, m rules.ReplayMode, group string, config design.Configuration,
) []repetition {
	var exact, passing, blocked []repetition
	for _, r := range s.table {
		isWith := func(in design.Configuration) bool { return in.String() == config.String() }
		here := len(config) == 0 ||
			len(s.configurationForSender(r, config)) == len(config) &&
				slices.ContainsFunc(s.configurationsOf(m, r), isWith)
		switch {
		case !here || !s.isTried(r, m) || r.group != group || s.unmetRequirement(ctx, r.requires) != nil:
		case r.description == exactRepeat:
			exact = append(exact, r)
		case r.isBlockedIn(m):
			blocked = append(blocked, r)
		default:
			passing = append(passing, r)
		}
	}
	return slices.Concat(exact, passing, blocked)
}

// sendFirst sends a request that repeats none, with the changes that the repetitions need. If
// query is true, it gets a unique query.
func (s *Suite) sendFirst(
	ctx context.Context, m rules.ReplayMode, config design.Configuration, query bool,
	repeats ...repetition,
) (sent target.Request, x *client.Exchange) {
	s.lab.ControlExport.WaitDone(ctx)
	send := s.sender(ctx, func() target.Request {
		first := s.newFirstRequest(m, "first request, "+modeLabel(m), config)
		for _, r := range repeats {
			if r.prepare != nil {
				r.prepare(&first)
			}
		}
		if query && first.Query == nil {
			first.Query = uniqueQuery()
		}
		return first
	})
	a, _ := send()
	if answers.MayBeBusy(a.Exchange) {
		a = s.lab.RetryRefused(ctx, a, send)
	}
	return a.Sent, a.Exchange
}

// sender returns a function that sends what build returns. Its answer holds the last request sent,
// and its error is nil.
func (s *Suite) sender(
	ctx context.Context, build func() target.Request,
) func() (target.Answer, error) {
	return func() (a target.Answer, _ error) {
		a.Exchange = s.target.Send(ctx, func() target.Request {
			a.Sent = build()
			return a.Sent
		})
		return a, nil
	}
}

// sendInOrder sends a first request, then each repeat, except repeats that follow a blocked one.
// The results are keyed by the words of the repetition, and "" is the first request. Where the
// deployment does not compare part of the group, such as the body, it takes every first request
// for a repeat and refuses it. The first request then gets a unique query, if the deployment
// accepts one.
func (s *Suite) sendInOrder(ctx context.Context, m rules.ReplayMode, config design.Configuration,
	repeats []repetition,
) (map[string]target.Answer, error) {
	first, x := s.sendFirst(ctx, m, config, false, repeats...)
	if x.IsClientError() && !x.IsTransient() && s.unmetRequirement(ctx, requiresUnknownQuery) == nil {
		first, x = s.sendFirst(ctx, m, config, true, repeats...)
	}
	results := map[string]target.Answer{"": {Exchange: x}}
	if first.Query == nil { // it was accepted without one
		results[noRepetition.description] = results[""]
	}
	if err := s.notRepeatableError(ctx, m, x); err != nil {
		return results, err
	}
	sent := map[string]target.Request{"": first}
	for _, r := range repeats {
		followed, ended := sent[r.follows]
		if !ended || ctx.Err() != nil {
			continue
		}
		call := r.buildRepeat(first, followed)
		call.Label = "request with " + modeLabel(m) + " that " + r.description
		call.RepeatsExport, call.MayBlock = true, r.isBlockedIn(m) && !s.throttles.Load()
		again := s.target.Send(ctx, func() target.Request { return call })
		if r.isBlockedIn(m) {
			s.lab.MarkInvalid(again)
		}
		s.classify429(ctx, again, call)
		if again.IsSuccess() || r.isBlockedIn(m) {
			sent[r.description] = call
		}
		got := target.Answer{
			Exchange: again, Attempts: []*client.Exchange{again}, Preceding: []*client.Exchange{x},
		}
		if r.follows != "" {
			got.Preceding = append(got.Preceding, results[r.follows].Exchange)
		}
		// a deployment that remembers only the last request shows it after another one
		if r.isBlockedIn(m) {
			between, _ := s.lab.ControlExport.Get(ctx)
			got.Preceding = append(got.Preceding, between.Exchange)
		}
		results[r.description] = got
	}
	return results, nil
}

// sendSingleRepeat sends a first request and one repeat. A repeat without a clear answer may
// have been recorded, so both are sent again with new identifiers.
func (s *Suite) sendSingleRepeat(
	ctx context.Context, m rules.ReplayMode, r repetition, config design.Configuration,
) (got target.Answer, err error) {
	repeats := []repetition{r}
	if followed := s.findRepetition(r.follows); followed != nil {
		repeats = []repetition{*followed, r}
	}
	var failed error
	var first *client.Exchange
	var before []*client.Exchange
	isConclusive := func(x *client.Exchange) bool {
		return failed != nil || s.isConclusive(x) && (r.isBlockedIn(m) || !s.lab.IsBesideOthers(x, true))
	}
	got, err = s.lab.SendUntilConclusive(ctx, isConclusive, func() *client.Exchange {
		if r.cell == cellFirst {
			_, x := s.sendFirst(ctx, m, config, false)
			return x
		}
		var all map[string]target.Answer
		all, failed = s.sendInOrder(ctx, m, config, repeats)
		first, before = all[""].Exchange, all[r.description].Preceding
		x := all[r.description].Exchange
		if followed := all[r.follows].Exchange; failed == nil && x == nil && followed != nil {
			x = followed
			failed = cmp.Or(s.lab.TransientError(ctx, x), notFollowedError(x, r.follows))
		}
		return cmp.Or(x, first)
	}, func(ctx context.Context) (*client.Exchange, bool) {
		return s.lab.SendLivenessProbe(ctx, client.OperationExport)
	})
	got.Preceding = before
	if first != nil && first.IsSuccess() {
		got.Control = first
	}
	if r.prepare != nil && failed != nil && first.IsClientError() && !first.IsTransient() {
		failed = spec.NotVerifiedf("", "the deployment does not accept the first request that "+
			"this needs (%s)", answers.Describe(first))
	}
	return got, cmp.Or(failed, err)
}

// notFollowedError returns why a repetition cannot follow a request that was not accepted.
func notFollowedError(x *client.Exchange, description string) error {
	const why = "a request that %s was not accepted (%s), so it cannot be repeated"
	switch {
	case x.Attempt > 1: // a throttled attempt may have been recorded
		return spec.Transientf(why, description, answers.Describe(x))
	case x.IsClientError() && !x.IsTransient(): // another case judges that
		return spec.NotVerifiedf("", why, description, answers.Describe(x))
	}
	return spec.Inconclusivef(why, description, answers.Describe(x))
}

// findRepetition returns the repetition with this description, or nil.
func (s *Suite) findRepetition(description string) *repetition {
	at := slices.IndexFunc(s.table, func(r repetition) bool { return r.description == description })
	if at < 0 {
		return nil
	}
	return &s.table[at]
}
