package replay

import (
	"context"
	"errors"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// understood separates a body that the deployment accepts in no request from one that it takes for a repeat: the former
// is what the rules about requests are for.
func (s *Suite) understood(ctx context.Context, m rules.Mode, how repeat, r repeated, err error) error {
	if err == nil && (how.blocks || !r.Refusal()) || err != nil && !errors.Is(err, spec.ErrInconclusive) {
		return err
	}
	x := s.t.StartExport(ctx, func() target.ExportCall {
		call := s.request(m, "an export that repeats nothing, with the fields of one that was refused", how.words)
		if call = how.first.of(call); err == nil { // the first request was accepted, and the repeat refused
			for _, one := range how.variations() {
				if len(how.each) == 0 || slices.Equal(r.Condition, one.only) {
					call = one.of(call)
				}
			}
		}
		return call
	})
	if ctx.Err() != nil {
		return spec.Interrupted
	}
	if x.Refusal() && !x.Transient() {
		return spec.Unmet("", "the deployment accepts such a body in no request (%s), see %s",
			target.Describe(x), spec.Ref("export.success"))
	}
	return err
}

// unsound reports whether the deployment refuses what a repeat would be when nothing came before it.
func (s *Suite) unsound(ctx context.Context, m rules.Mode, how repeat, one variation) bool {
	x := s.t.StartExport(ctx, func() target.ExportCall {
		return one.of(how.first.of(s.request(m, "an export that repeats nothing"+record.OnlyWith(one.only), how.words)))
	})
	return x.Refusal() && !x.Transient()
}

// understoodBeside is understood for a body in company. A query of its own sets the export apart whatever else replay
// protection compares; where the deployment allows none, it says nothing.
func (s *Suite) understoodBeside(ctx context.Context, m rules.Mode, how repeat, with control.Company, r repeated,
) error {
	if _, unknown := s.unknownQuery().Get(ctx); unknown != nil {
		return nil
	}
	how = how.beside(with)
	accompanied := how.first
	how.first = func(c *target.ExportCall) {
		*c = accompanied.of(*c)
		tagged(c)
	}
	return s.understood(ctx, m, how, r, nil)
}

// exported is a valid export that has something a repeat rests on, and was accepted.
type exported = *spec.Observation[*client.Exchange]

// unknownQuery sees whether a query parameter that nobody knows is accepted at all: otherwise no repeat with another
// query can pass, replay protection or not.
func (s *Suite) unknownQuery() exported {
	const label = "valid export with an unknown query parameter"
	return spec.Observe(s.Plan, label, func(ctx context.Context) (*client.Exchange, error) {
		x, err := s.mayExport(ctx, label, "", tagged)
		if need := (*spec.NeedError)(nil); errors.As(err, &need) {
			// A refusal is only about the query when the same export without it is accepted.
			if _, refused := s.c.Export.Get(ctx); refused != nil {
				return nil, refused
			}
		}
		return x, err
	})
}

// otherExport sees whether the second identity may export at all.
func (s *Suite) otherExport() exported {
	const label, key = "valid export by the other user", "credentials.other_user"
	return spec.Observe(s.Plan, label, func(ctx context.Context) (*client.Exchange, error) {
		user := s.t.Deployment.Credentials.OtherUser
		if user == nil {
			return nil, spec.Unmet(key, "")
		}
		if main := s.t.Deployment.Credentials.Main(); main != nil && main.Method == user.Method &&
			main.Value == user.Value {
			return nil, spec.Unmet(key, "it is the main credential again, not that of another user")
		}
		return s.mayExport(ctx, label, key, func(c *target.ExportCall) { c.Credential = user })
	})
}

// mayExport sends a valid export with a change; its refusal leaves what rests on the change unverified.
func (s *Suite) mayExport(ctx context.Context, label, key string, with change) (*client.Exchange, error) {
	x := s.t.StartExport(ctx, func() target.ExportCall { return with.of(s.t.Export(label, s.t.Unique(label))) })
	if err := s.t.Usable(ctx, x); err != nil {
		return nil, err
	}
	switch {
	case x.Success():
		return x, nil
	case x.Crashed():
		return nil, spec.Transient("a %s got %s", label, target.Describe(x))
	case !x.Refusal():
		return nil, spec.Unclear("a %s got %s", label, target.Describe(x))
	}
	return nil, spec.Unmet(key, "a %s was not accepted (%s)", label, target.Describe(x))
}
