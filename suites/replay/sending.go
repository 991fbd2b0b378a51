package replay

import (
	"context"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// send sends a first request that has what each of the changes wants, and then its repeats. Where such a request is
// refused, a bare one serves those that want nothing.
func (s *Suite) send(ctx context.Context, m rules.Mode, with design.Context, changes []change) (map[string]repeated, error) {
	bare := slices.DeleteFunc(slices.Clone(changes), func(c change) bool { return c.first != nil })
	if slices.ContainsFunc(changes, func(c change) bool { return c.first != nil && s.impossible(ctx, c) != nil }) {
		changes = bare
	}
	if len(changes) == 0 {
		return nil, nil
	}
	sent, first, err := s.first(ctx, m, with, changes...)
	if err != nil && first.Refusal() && len(bare) > 0 && len(bare) < len(changes) {
		changes = bare
		sent, first, err = s.first(ctx, m, with)
	}
	if err != nil {
		return nil, err
	}
	found, accepted := map[string]repeated{}, map[string]target.ExportCall{}
	for _, c := range changes {
		last, sensible := accepted[c.after]
		if !sensible && c.after != "" || s.impossible(ctx, c) != nil {
			continue
		}
		call := c.apply(earlier{sent, last})
		x, clear, err := s.again(ctx, m, c, call)
		if err != nil {
			return found, err
		}
		if !clear {
			continue
		}
		if x.Success() {
			accepted[c.words] = call
		}
		found[c.words] = repeated{Answer: target.Answer{Exchange: x, Attempts: []*client.Exchange{x}}, First: first}
	}
	return found, nil
}

// first sends a first request and returns the call that was accepted. Where a part of the group is not compared at all,
// such as the body, every first request looks like one of the run's earlier ones and is refused: then a query of its
// own sets it apart, where the deployment allows one.
func (s *Suite) first(ctx context.Context, m rules.Mode, with design.Context, wanted ...change,
) (target.ExportCall, *client.Exchange, error) {
	var sent target.ExportCall
	plain := len(with) == 0
	build := func(query bool) *client.Exchange {
		return s.t.StartExport(ctx, func() target.ExportCall {
			sent = s.request(m, "first request, "+called(m))
			s.in(&sent, with)
			for _, c := range wanted {
				if c.first != nil {
					c.first(&sent)
					plain = false
				}
			}
			if query && sent.Query == nil {
				tagged(&sent)
			}
			return sent
		})
	}
	x := build(false)
	if plain || x.Success() {
		s.sighted(m, x, false)
	}
	if x.Refusal() && !x.Transient() {
		if _, unknown := s.unknownQuery().Get(ctx); unknown == nil {
			x = build(true)
		}
	}
	if x.Refusal() && !x.Transient() && len(with) > 0 {
		s.refusedIn(m, with)
	}
	switch err := s.t.Usable(ctx, x); {
	case err != nil:
		return sent, x, err
	case x.Crashed():
		return sent, x, spec.Transient("the first request got %s", target.Describe(x))
	case !x.Success():
		return sent, x, spec.Unclear(
			"the first request was not accepted (%s), so there is nothing to repeat; see %s", target.Describe(x),
			spec.Ref("replay."+m.Name+".first"))
	}
	return sent, x, nil
}

const (
	// chains is how often a chain starts anew when the repeat had no usable answer.
	chains = 4
	// mostChains is how often it does where repeats get lost by accident.
	mostChains = 3 * chains
)

// chain sends a first request and one repeat. A repeat that got no clear answer may have been noted by the deployment
// all the same, so its identifiers are given up and the chain starts anew. Where every first request was accepted and
// the same repeat was never answered, in the same way each time, that is the finding.
func (s *Suite) chain(ctx context.Context, m rules.Mode, c change, with design.Context) (repeated, error) {
	var lost []*client.Exchange
	for {
		sent, first, err := s.first(ctx, m, with, c)
		if err != nil {
			if c.first != nil && first.Refusal() && !first.Transient() {
				err = spec.Unmet("", "the deployment accepts no first request such as this needs (%s)", target.Describe(first))
			}
			return repeated{}, err
		}
		e := earlier{first: sent}
		if before := s.named(c.after); before != nil {
			e.last = before.apply(e)
			x, clear, err := s.again(ctx, m, *before, e.last)
			switch {
			case err != nil:
				return repeated{}, err
			case !clear:
				return repeated{}, spec.Transient("%s", target.Describe(x))
			case !x.Success():
				return repeated{}, spec.Unclear("a request that %s was not accepted, so it cannot be repeated", before.words)
			}
		}
		x, clear, err := s.again(ctx, m, c, c.apply(e))
		if err != nil {
			return repeated{}, err
		}
		a := target.Answer{Exchange: x, Attempts: []*client.Exchange{x}}
		if clear {
			s.t.Came(x, lost)
			return repeated{Answer: a, First: first}, nil
		}
		lost = append(lost, x)
		switch {
		case x.Status != lost[0].Status || x.Attempt > 1 || len(lost) == mostChains:
			return repeated{}, spec.Transient("%s", target.Describe(x))
		case len(lost) >= chains && s.t.Astray() != nil:
			return repeated{}, s.t.Astray()
		case len(lost) >= chains && !s.t.Accident(len(lost)):
			a.Attempts, a.Control = lost, first
			return repeated{Answer: a, First: first}, nil
		}
	}
}

// again sends a repeat, and reports whether its answer speaks about replay protection.
func (s *Suite) again(ctx context.Context, m rules.Mode, c change, call target.ExportCall) (*client.Exchange, bool, error) {
	call.Label = "request with " + called(m) + " that " + c.words
	call.MayBlock = c.blocks(m) && !s.throttles.Load()
	x := s.t.StartExport(ctx, func() target.ExportCall { return call })
	if c.blocks(m) {
		s.t.Disown(x)
	}
	if err := s.unthrottled(ctx, x, call); err != nil {
		return x, false, err
	}
	clear, err := s.clear(ctx, x, call)
	return x, clear, err
}

// named finds a change that others build on; nil where there is none of that name.
func (s *Suite) named(words string) *change {
	for _, c := range s.changes() {
		if c.words == words {
			return &c
		}
	}
	return nil
}

// understood tells a request that the deployment accepts from nobody, whatever came before it, from one that it takes
// for a repeat. The former is what the rules about requests are for.
func (s *Suite) understood(ctx context.Context, m rules.Mode, c change, r repeated) error {
	if c.blocks(m) || !r.Refusal() {
		return nil
	}
	_, unknown := s.unknownQuery().Get(ctx)
	x := s.t.StartExport(ctx, func() target.ExportCall {
		call := s.request(m, "a request that repeats nothing, such as one that was refused: it "+c.words)
		s.in(&call, r.Condition)
		if c.first != nil {
			c.first(&call)
		}
		e := earlier{first: call}
		if before := s.named(c.after); before != nil {
			e.last = before.apply(e)
		}
		if call = c.apply(e); unknown == nil && call.Query == nil {
			tagged(&call) // it is like no other, whatever else is compared
		}
		return call
	})
	if ctx.Err() != nil {
		return spec.Interrupted
	}
	if x.Refusal() && !x.Transient() {
		return spec.Unmet("", "the deployment accepts such a request never (%s), see export.success", target.Describe(x))
	}
	return nil
}
