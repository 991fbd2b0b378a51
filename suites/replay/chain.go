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
