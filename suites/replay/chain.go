package replay

import (
	"context"
	"slices"
	"sync"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// repeated is a request that was accepted, and what its repeat got.
type repeated struct {
	target.Answer // of the repeat
	First         *client.Exchange
}

type repetition = *spec.Observation[repeated]

// ended reports whether a repeat ended as the document predicts.
func (c change) ended(m rules.Mode, r repeated) bool {
	if c.blocks(m) {
		return !LetThrough(r.Exchange)
	}
	return r.Success()
}

// repeat declares what a change of a mode gets: in its group and, where it is tried in contexts, in those of the
// contexts. What ends wrongly among others is repeated by itself.
func (s *Suite) repeat(m rules.Mode, c change) repetition {
	return spec.Observe(s.Plan, called(m)+", a request that "+c.words, func(ctx context.Context) (repeated, error) {
		if err := s.impossible(ctx, c); err != nil {
			return repeated{}, err
		}
		groups, err := s.groups(m).Get(ctx)
		if err != nil {
			return repeated{}, err
		}
		asked := map[string]bool{}
		right := func(r repeated) bool { return c.ended(m, r) }
		r, condition, err := control.InContexts(ctx, s.c, client.Export, append([]design.Context{nil}, s.contexts(m, c)...),
			right, func(with design.Context) (repeated, error) {
				among, seen := groups[place{c.group, with.String()}][c.words]
				if first := !asked[with.String()]; first && seen && right(among) {
					return among, nil
				}
				asked[with.String()] = true
				alone, err := s.chain(ctx, m, c, s.own(c, with))
				if err != nil || !seen || !right(alone) {
					return alone, err
				}
				return s.afterOthers(ctx, m, c, with, alone)
			})
		if len(condition) > 0 {
			r.Condition = condition
		}
		if err == nil && !right(r) {
			err = s.understood(ctx, m, c, r)
		}
		return r, err
	})
}

// afterOthers asks once more where a repeat ended wrongly among others and rightly alone.
func (s *Suite) afterOthers(ctx context.Context, m rules.Mode, c change, with design.Context, alone repeated,
) (repeated, error) {
	again, err := s.send(ctx, m, with, s.members(m, c.group, with))
	if r, seen := again[c.words]; err == nil && seen && !c.ended(m, r) {
		r.Condition = []record.Setting{{Factor: "after other requests of its group"}}
		return r, nil
	}
	return alone, nil
}

// contexts are those in which a change is tried, beside the plain one. The group that is compared is the same in all
// modes: so what passes is tried in every context without a value, and in one context with each of the others.
func (s *Suite) contexts(m rules.Mode, c change) []design.Context {
	all := s.c.Assign(client.Export, "replay."+m.Name, 1)[0]
	switch {
	case !c.everywhere || len(all) == 0:
		return nil
	case c.blocks(m) || m.Header == "":
		return all
	}
	at := slices.Index(rules.Modes(), m) + slices.Index(rules.Cells(), c.of())
	return all[at%len(all):][:1]
}

// own is as much of a context as is right for whoever sends the repeat.
func (s *Suite) own(c change, with design.Context) design.Context {
	if c.user {
		return with.Without(s.c.Whose(client.Export)...)
	}
	return with
}

// place is where repeats were sent: the name of their group, and the context.
type place struct{ group, with string }

// groups are the repeats of a mode by the words of the change, as far as they got a clear answer. Groups go side by
// side: no two of them share a request.
func (s *Suite) groups(m rules.Mode) *spec.Observation[map[place]map[string]repeated] {
	return spec.Observe(s.Plan, "requests and their repeats, "+called(m),
		func(ctx context.Context) (map[place]map[string]repeated, error) {
			var running sync.WaitGroup
			var mu sync.Mutex
			all := map[place]map[string]repeated{}
			start := func(group string, with design.Context) {
				at := place{group, with.String()}
				if _, started := all[at]; started {
					return
				}
				all[at] = nil
				running.Go(func() {
					control, _ := s.c.In(client.Export, with).Get(ctx)
					if len(control.Context) < len(with) {
						return // a part of it is tried, each change by itself
					}
					found, _ := s.send(ctx, m, with, s.members(m, group, with))
					mu.Lock()
					defer mu.Unlock()
					all[at] = found
				})
			}
			mu.Lock()
			for _, c := range s.changes() {
				if c.tried(m) {
					start(c.group, nil)
					for _, with := range s.contexts(m, c) {
						start("", with)
					}
				}
			}
			mu.Unlock()
			running.Wait()
			if ctx.Err() != nil {
				return nil, spec.Interrupted
			}
			return all, nil
		})
}

// members are the changes of a group in a context. An exact repeat comes first; it and all others that are blocked change
// nothing for the next one. Those that are to be blocked otherwise come last, after others with other identifiers.
func (s *Suite) members(m rules.Mode, group string, with design.Context) []change {
	var exact, passing, blocked []change
	for _, c := range s.changes() {
		switch {
		case !c.tried(m) || c.group != group || len(with) > 0 && !s.among(m, c, with):
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

// among reports whether a change is tried in a context, among others.
func (s *Suite) among(m rules.Mode, c change, with design.Context) bool {
	return len(s.own(c, with)) == len(with) && slices.ContainsFunc(s.contexts(m, c), func(in design.Context) bool {
		return in.String() == with.String()
	})
}

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
