package replay

import (
	"context"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// What a change needs a deployment to accept.
const (
	anyQuery    = "an unknown query parameter"
	anotherUser = "another user's credential"
	theKey      = "the API key"
)

// possible says why what a change needs cannot be had; nil: it can.
func (s *Suite) possible(ctx context.Context, needs string) error {
	if needs == "" {
		return nil
	}
	_, err := s.accepts(needs).Get(ctx)
	return err
}

// accepts sees whether a valid export with something that repeats rest on is accepted at all.
func (s *Suite) accepts(needs string) *spec.Observation[*client.Exchange] {
	credentials, key := s.t.Deployment.Credentials, map[string]string{
		anotherUser: "credentials.other_user", theKey: "credentials.api_key",
	}[needs]
	return spec.Observe(s.Plan, "a valid export with "+needs, func(ctx context.Context) (*client.Exchange, error) {
		main, other := credentials.Main(), credentials.OtherUser
		switch {
		case needs == anotherUser && other == nil:
			return nil, spec.Unmet(key, "")
		case needs == anotherUser && main != nil && main.Method == other.Method && main.Value == other.Value:
			return nil, spec.Unmet(key, "it is the main credential again, not that of another user")
		}
		x := s.t.StartExport(ctx, func() target.ExportCall {
			call := s.t.Export("valid export with "+needs, s.t.Unique(needs))
			switch needs {
			case anyQuery:
				tagged(&call)
			case anotherUser:
				call.Credential = other
			case theKey:
				call.Credential = credentials.APIKey
			}
			return call
		})
		err := s.t.Usable(ctx, x)
		switch {
		case err != nil:
		case x.Crashed():
			err = spec.Transient("a valid export with %s got %s", needs, target.Describe(x))
		case x.Refusal():
			if _, err = s.c.Export.Get(ctx); err == nil { // else the refusal is not about what it has
				err = spec.Unmet(key, "a valid export with %s was not accepted (%s)", needs, target.Describe(x))
			}
		case !x.Success():
			err = spec.Unclear("a valid export with %s got %s", needs, target.Describe(x))
		}
		return x, err
	})
}
