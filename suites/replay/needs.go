package replay

import (
	"context"
	"errors"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// impossible is why a change cannot be tried; nil: it can.
func (s *Suite) impossible(ctx context.Context, c change) (err error) {
	if c.query {
		_, err = s.unknownQuery().Get(ctx)
	}
	if c.user && err == nil {
		_, err = s.otherExport().Get(ctx)
	}
	if c.key && err == nil {
		_, err = s.mayExport(ctx, "valid export by API key", "credentials.api_key", func(x *target.ExportCall) {
			x.Credential = s.t.Deployment.Credentials.APIKey
		})
	}
	return err
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
		if main := s.t.Deployment.Credentials.Main(); main != nil && main.Method == user.Method && main.Value == user.Value {
			return nil, spec.Unmet(key, "it is the main credential again, not that of another user")
		}
		return s.mayExport(ctx, label, key, func(c *target.ExportCall) { c.Credential = user })
	})
}

// mayExport sends a valid export with a change; its refusal leaves what rests on the change unverified.
func (s *Suite) mayExport(ctx context.Context, label, key string, with func(*target.ExportCall)) (*client.Exchange, error) {
	x := s.t.StartExport(ctx, func() target.ExportCall {
		call := s.t.Export(label, s.t.Unique(label))
		with(&call)
		return call
	})
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
