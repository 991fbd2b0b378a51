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

// repeatResult is what the repeat of a request got that was accepted.
type repeatResult struct {
	target.Answer
	First *client.Exchange
}

type repeatObservation = *spec.Observation[repeatResult]

// observeRepeat declares what a repetition gets in a mode: after the first request of its group,
// plainly and in its contexts. What ends wrongly among others is repeated by itself, and judged by
// that.
func (s *Suite) observeRepeat(m rules.ReplayMode, r repetition) repeatObservation {
	name := modeLabel(m) + ", a request that " + r.words
	return spec.Observe(s.Plan, name, func(ctx context.Context) (repeatResult, error) {
		if err := s.unmetRequirement(ctx, r.requires); err != nil {
			return repeatResult{}, err
		}
		contexts := append([]design.Configuration{nil}, s.configurationsOf(m, r)...)
		groups := map[string]*spec.Observation[map[string]repeatResult]{}
		for _, with := range contexts { // at once: no two groups share a request
			group := fmt.Sprintf("a request and its repeats, %s, %s, with %s", modeLabel(m), r.group, with)
			groups[with.String()] = spec.Observe(s.Plan, group,
				func(ctx context.Context) (map[string]repeatResult, error) {
					repeats := s.repetitionsOfGroup(ctx, m, r.group, with)
					valid, _ := s.lab.ObserveControl(lab.OperationExport, with).Get(ctx)
					if len(repeats) == 0 || len(valid.Configuration) < len(with) {
						return nil, nil // each is tried by itself in what is left of the context
					}
					return s.sendInOrder(ctx, m, with, repeats)
				})
			groups[with.String()].Start(ctx)
		}
		right := func(got repeatResult) bool {
			if r.isBlockedIn(m) {
				return !answers.StartsExport(got.Exchange)
			}
			return got.IsSuccess()
		}
		used := map[string]bool{}
		got, condition, err := lab.FindFailingConfiguration(ctx, s.lab, lab.OperationExport, contexts,
			right, func(with design.Configuration) (repeatResult, error) {
				if group := groups[with.String()]; group != nil && !used[with.String()] {
					all, _ := group.Get(ctx)
					if got, sent := all[r.words]; sent && s.isConclusive(got.Exchange) && right(got) {
						used[with.String()] = true
						return got, nil
					}
				}
				return s.sendSingleRepeat(ctx, m, r, s.configurationForSender(r, with))
			})
		got.Condition = condition
		if err == nil && !right(got) {
			err = s.inconclusiveError(ctx, m, r, got)
		}
		return got, err
	})
}

// configurationForSender is as much of a context as is right for whoever sends the repeat.
func (s *Suite) configurationForSender(
	r repetition, with design.Configuration,
) design.Configuration {
	if r.requires == requiresOtherUser {
		return with.Without(s.lab.IdentityFactors(lab.OperationExport)...)
	}
	return with
}

// repetitionsOfGroup lists the repetitions of a group in a context. An exact repeat comes first; it
// and all others that are blocked change nothing for the next one. Those that are to be blocked
// otherwise come last, after others with other identifiers.
func (s *Suite) repetitionsOfGroup(
	ctx context.Context, m rules.ReplayMode, group string, with design.Configuration,
) []repetition {
	var exact, passing, blocked []repetition
	for _, r := range s.table {
		isWith := func(in design.Configuration) bool { return in.String() == with.String() }
		here := len(with) == 0 ||
			len(s.configurationForSender(r, with)) == len(with) &&
				slices.ContainsFunc(s.configurationsOf(m, r), isWith)
		switch {
		case !here || !s.isTried(r, m) || r.group != group || s.unmetRequirement(ctx, r.requires) != nil:
		case r.words == wordsExactRepeat:
			exact = append(exact, r)
		case r.isBlockedIn(m):
			blocked = append(blocked, r)
		default:
			passing = append(passing, r)
		}
	}
	return slices.Concat(exact, passing, blocked)
}

// sendFirst sends a request that repeats none, with what some repetitions want of it; where query
// is true, with a query of its own.
func (s *Suite) sendFirst(
	ctx context.Context,
	m rules.ReplayMode,
	with design.Configuration,
	query bool,
	repeats ...repetition,
) (sent target.Request, x *client.Exchange) {
	x = s.lab.SendAfterControlExport(ctx, func() target.Request {
		sent = s.newFirstRequest(m, "first request, "+modeLabel(m), with)
		for _, r := range repeats {
			r.prepareFirst(&sent)
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
) (map[string]repeatResult, error) {
	first, x := s.sendFirst(ctx, m, with, false, repeats...)
	if x.IsClientError() && !x.IsTransient() && s.unmetRequirement(ctx, requiresUnknownQuery) == nil {
		first, x = s.sendFirst(ctx, m, with, true, repeats...)
	}
	answers := map[string]repeatResult{"": {First: x}}
	if first.Query == nil { // it did not take one to be accepted
		answers[noRepetition.words] = repeatResult{Answer: target.Answer{Exchange: x}}
	}
	if err := s.notRepeatableError(ctx, m, x); err != nil {
		return answers, err
	}
	sent := map[string]target.Request{"": first}
	for _, r := range repeats {
		followed, ended := sent[r.follows]
		if !ended || ctx.Err() != nil {
			continue
		}
		call := r.buildRepeat(first, followed)
		call.Label = "request with " + modeLabel(m) + " that " + r.words
		call.MayBlock = r.isBlockedIn(m) && !s.throttles.Load()
		again := s.t.Send(ctx, func() target.Request { return call })
		if r.isBlockedIn(m) {
			s.lab.MarkInvalid(again)
		}
		s.classify429(ctx, again, call)
		if again.IsSuccess() || r.isBlockedIn(m) {
			sent[r.words] = call
		}
		got := repeatResult{First: x}
		got.Exchange, got.Attempts = again, []*client.Exchange{again}
		if got.Preceding = []*client.Exchange{x}; r.follows != "" {
			got.Preceding = append(got.Preceding, answers[r.follows].Exchange)
		}
		if r.isBlockedIn(m) { // a deployment that remembers the last request alone shows it after another
			between, _ := s.lab.ControlExport.Get(ctx)
			got.Preceding = append(got.Preceding, between.Exchange)
		}
		answers[r.words] = got
	}
	return answers, nil
}

// sendSingleRepeat sends a first request and one repeat. A repeat that got no clear answer may have
// been noted all the same, so its identifiers are given up and both are sent anew.
func (s *Suite) sendSingleRepeat(
	ctx context.Context, m rules.ReplayMode, r repetition, with design.Configuration,
) (got repeatResult, err error) {
	repeats := []repetition{r}
	if followed := s.findRepetition(r.follows); followed != nil {
		repeats = []repetition{*followed, r}
	}
	var failed error
	var before []*client.Exchange
	clear := func(x *client.Exchange) bool { return failed != nil || s.isConclusive(x) }
	got.Answer, err = s.lab.SendUntilConclusive(ctx, clear, func() *client.Exchange {
		if r.cell == cellFirst {
			_, x := s.sendFirst(ctx, m, with, false)
			return x
		}
		var all map[string]repeatResult
		all, failed = s.sendInOrder(ctx, m, with, repeats)
		got.First, before = all[""].First, all[r.words].Preceding
		x := all[r.words].Exchange
		if followed := all[r.follows].Exchange; failed == nil && x == nil && followed != nil {
			x = followed
			failed = cmp.Or(s.lab.TransientError(ctx, x), notFollowedError(x, r.follows))
		}
		return cmp.Or(x, got.First)
	}, func(ctx context.Context) (*client.Exchange, bool) {
		return s.lab.SendLivenessProbe(ctx, lab.OperationExport)
	})
	if got.Preceding = before; got.First != nil && got.First.IsSuccess() {
		got.Control = got.First
	}
	special := r.firstBody != nil || r.firstQuery != nil || r.firstEdit != nil
	if special && failed != nil && got.First.IsClientError() && !got.First.IsTransient() {
		failed = spec.NotVerifiedf("", "the deployment accepts no first request such as this needs (%s)",
			answers.Describe(got.First))
	}
	return got, cmp.Or(failed, err)
}

// notFollowedError says that a request which another follows was not accepted.
func notFollowedError(x *client.Exchange, words string) error {
	const why = "a request that %s was not accepted (%s), so it cannot be repeated"
	switch {
	case x.Attempt > 1: // one that was throttled may have been noted
		return spec.Transientf(why, words, answers.Describe(x))
	case x.IsClientError() && !x.IsTransient(): // whether that is right has a case of its own
		return spec.NotVerifiedf("", why, words, answers.Describe(x))
	}
	return spec.Inconclusivef(why, words, answers.Describe(x))
}

// findRepetition looks a repetition up by its words; nil: there is none.
func (s *Suite) findRepetition(words string) *repetition {
	at := slices.IndexFunc(s.table, func(r repetition) bool { return r.words == words })
	if at < 0 {
		return nil
	}
	return &s.table[at]
}
