package replay

import (
	"context"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// A request of its own for each repeat, in each row, would be many. What passes changes nothing about what the table
// says of the next repeat, nor does what is blocked: so several repeat one request. Where one of them goes wrong among
// others, it is tried again by itself. What is sent with another credential repeats a request that has nothing of the
// caller's beside it.

// join has a repeat take part in the group of its mode, in each of its rows. The rows go side by side.
func (s *Suite) join(m rules.Mode, how repeat) {
	known := func(other repeat) bool { return other.words == how.words }
	if !how.grouped {
		return
	}
	if !slices.ContainsFunc(s.groups[m.Name], known) {
		s.groups[m.Name] = append(s.groups[m.Name], how)
	}
	for _, in := range how.rows() {
		s.Uses(s.repeats(m, in, how.apart))
	}
}

// group is a request and what passed of its repeats, by their words.
type group struct {
	sent   target.ExportCall
	passed map[string]target.ExportCall
}

// repeats declares a request in company and all repeats of it, by their words, as far as they were answered: first those
// that pass.
func (s *Suite) repeats(m rules.Mode, in control.Row, apart bool) *spec.Observation[map[string]repeated] {
	name := fmt.Sprintf("%s, a request and its repeats in row %d", called(m), in)
	if apart {
		name += ", with another credential"
	}
	return spec.Observe(s.Plan, name, func(ctx context.Context) (map[string]repeated, error) {
		sent, first, err := s.send(ctx, m, repeat{}.beside(s.company(ctx, in, apart)))
		if err != nil {
			return nil, err
		}
		found, g := map[string]repeated{}, &group{sent, map[string]target.ExportCall{}}
		for _, how := range s.members(ctx, m, in, apart) {
			if s.impossible(ctx, how) != nil {
				continue
			}
			r, clear, err := s.tryIn(ctx, m, g, how)
			if err != nil {
				return found, err
			}
			if r.First = first; clear {
				found[how.words] = r
			}
		}
		return found, nil
	})
}

// tryIn sends a repeat of the group's request, until one of its variations goes wrong. It reports whether all that it
// sent, if anything, was answered clearly.
func (s *Suite) tryIn(ctx context.Context, m rules.Mode, g *group, how repeat) (r repeated, clear bool, err error) {
	calls := []target.ExportCall{how.again.of(g.sent)}
	if how.among != nil {
		calls = how.among(g)
	}
	for i, call := range calls {
		x, clear, err := s.again(ctx, m, how, call)
		if err != nil || !clear {
			return repeated{}, false, err
		}
		r.Answer = target.Answer{Exchange: x, Attempts: []*client.Exchange{x}}
		if x.Success() {
			g.passed[how.words] = call
		}
		if x.Success() == how.blocks {
			if i < len(how.each) {
				r.Condition = how.each[i].only
			}
			break
		}
	}
	return r, r.Exchange != nil, nil
}

// company is what stands beside a repeat in a row.
func (s *Suite) company(ctx context.Context, in control.Row, apart bool) control.Company {
	with := s.c.Company(ctx, client.Export, in)
	if apart {
		with = with.Apart()
	}
	return with
}

// impossible is why a repeat cannot be tried; nil: it can.
func (s *Suite) impossible(ctx context.Context, how repeat) (err error) {
	if how.query {
		_, err = s.unknownQuery().Get(ctx)
	}
	if how.user {
		_, err = s.otherExport().Get(ctx)
	}
	return err
}

// members are the repeats of a group, those that pass first.
func (s *Suite) members(ctx context.Context, m rules.Mode, in control.Row, apart bool) []repeat {
	var passing, blocked []repeat
	for _, how := range s.groups[m.Name] {
		switch {
		case how.apart != apart || !slices.Contains(how.goes(ctx), in):
		case how.blocks:
			blocked = append(blocked, how)
		default:
			passing = append(passing, how)
		}
	}
	return append(passing, blocked...)
}

// amongOthers is what a repeat got in the group of a row, the first time that it is asked for in one.
func (s *Suite) amongOthers(ctx context.Context, m rules.Mode, how repeat, with control.Company,
	asked map[control.Row]bool,
) (repeated, bool) {
	if !how.grouped {
		return repeated{}, false
	}
	for _, in := range how.goes(ctx) {
		if asked[in] || with.String() != s.company(ctx, in, how.apart).String() {
			continue
		}
		asked[in] = true
		all, err := s.repeats(m, in, how.apart).Get(ctx)
		r, ok := all[how.words]
		return r, ok && err == nil
	}
	return repeated{}, false
}
