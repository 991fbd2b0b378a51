package replay

import (
	"context"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/control"
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
		return spec.Unmet(key, "")
	case needs == anotherUser && main != nil && main.Method == by.Method && main.Value == by.Value:
		return spec.Unmet(key, "it is the main credential again, not that of another user")
	}
	what := "a valid export with " + needs
	_, err := spec.Observe(s.Plan, what, func(ctx context.Context) (target.Answer, error) {
		a, err := s.c.Send(ctx, client.Export, target.AboutCaller, nil, func(x control.Call) {
			if x.Label = what; needs == anyQuery {
				tagged(x.Export)
			} else {
				x.Credential = by
			}
		})
		if err == nil && a.Refusal() {
			err = spec.Unmet(key, "%s was not accepted (%s)", what, a)
		} else if err == nil && !a.Success() {
			err = spec.Unclear("%s got %s", what, a)
		}
		return a, err
	}).Get(ctx)
	return err
}
