package replay

import (
	"context"

	"github.com/gateassay/gateassay/suites/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// What a change needs a deployment to accept.
const (
	anyQuery    = "an unknown query parameter"
	anotherUser = "another user's credential"
	theKey      = "the API key"
)

// possible says why what a change needs cannot be had, by whether a valid export with it is accepted at all; nil: it can.
func (s *Suite) possible(ctx context.Context, needs string) error {
	if needs == "" {
		return nil
	}
	given, main := s.t.Deployment.Credentials, s.t.Deployment.Credentials.Main()
	key, by := map[string]string{anotherUser: "credentials.other_user", theKey: "credentials.api_key"}[needs], given.OtherUser
	if needs == theKey {
		by = given.APIKey
	}
	switch {
	case needs == anyQuery:
	case by == nil:
		return spec.NotVerifiedf(key, "")
	case needs == anotherUser && main != nil && main.Method == by.Method && main.Value == by.Value:
		return spec.NotVerifiedf(key, "it is the main credential again, not that of another user")
	}
	p := lab.Probe{
		Operation: lab.Export, Label: "a valid export with " + needs, Expectation: lab.Expectation{Conclusive: target.ConclusiveForCaller}, Valid: true,
		Edit: func(r *target.Request) {
			if needs == anyQuery {
				tagged(r)
			} else {
				r.Credential = by
			}
		},
	}
	switch a, err := s.lab.ObserveProbe(p).Get(ctx); {
	case err != nil:
		return err
	case a.IsClientError():
		return spec.NotVerifiedf(key, "%s was not accepted (%s)", p.Label, a)
	case !a.IsSuccess():
		return spec.Inconclusivef("%s got %s", p.Label, a)
	}
	return nil
}
