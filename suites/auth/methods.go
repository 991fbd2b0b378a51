package auth

import (
	"context"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/token"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) methods() {
	s.Rule("auth.bearer", Must, Authentication, "The platform token alone, as a bearer token, is accepted.",
		spec.Needs("credentials.platform_token"), func() {
			s.accepts("the platform token alone", func() (*deployment.Credential, error) {
				value, err := s.token()
				if err != nil {
					return nil, err
				}
				if at, known := token.Expiry(value); known && !at.After(time.Now()) {
					return nil, spec.Unmet("credentials.platform_token", "it expired on %s", at.Format(time.RFC3339))
				}
				return s.t.Deployment.Credentials.PlatformToken, nil
			})
		})

	s.Rule("auth.api_key", Must, Authentication, "The API key alone, in x-api-key, is accepted.",
		spec.Needs("credentials.api_key"), func() {
			s.accepts("the API key alone", func() (*deployment.Credential, error) {
				_, err := s.key()
				return s.t.Deployment.Credentials.APIKey, err
			})
		})
}

// accepts adds both specs of a credential that authenticates by itself. A credential that both operations refuse may as
// well be a wrong one: only the two together show which it is.
func (s *Suite) accepts(what string, give func() (*deployment.Credential, error)) {
	spec.Helper()
	creation, export := s.alone(client.Create, what, give), s.alone(client.Export, what, give)
	judge := func(ctx spec.Context, own, other answer) {
		a := own.Await(ctx)
		if a.Status == http.StatusUnauthorized {
			if b, ok := other.Settled(ctx); !ok || !b.Success() {
				ctx.Inconclusive("%s gets 401 wherever it is sent: check the value in the deployment file", what)
			}
		}
		ctx.Expect(a).To(BeAccepted())
	}
	s.It("accepts a creation with "+what, func(ctx spec.Context) { judge(ctx, creation, export) })
	s.It("accepts an export with "+what, func(ctx spec.Context) { judge(ctx, export, creation) })
}

// alone declares a creation or an export under nothing but a credential.
func (s *Suite) alone(op client.Operation, what string, give func() (*deployment.Credential, error)) answer {
	s.Asks(string(op))
	alive := s.c.CreationAlive
	if op == client.Export {
		alive = s.c.ExportAlive
	}
	return spec.Observe(s.Plan, labelled(op, what), func(ctx context.Context) (target.Answer, error) {
		cred, err := give()
		if err != nil {
			return target.Answer{}, err
		}
		if op == client.Create && s.t.Deployment.Fixtures.ShareholderID == "" {
			return target.Answer{}, spec.Unmet("fixtures.shareholder_id", "")
		}
		a, err := s.t.Settle(ctx, target.AboutCaller, func() *client.Exchange {
			return s.send(ctx, op, identity{credential: cred}, what)
		}, alive)
		// Only 401, and 403 of an export, are about the credential for certain: the control shows whether anything else
		// can be.
		switch {
		case err != nil || a.Success() || a.Status == http.StatusUnauthorized:
		case op == client.Create && a.Status == http.StatusConflict:
			err = spec.Unclear(
				"answered 409, which is about identifiers, and these were fresh; see %s", spec.Ref("create.repeat.other_transaction"))
		case op == client.Create:
			_, err = s.c.Creation.Get(ctx)
		case a.Status != http.StatusForbidden:
			_, err = s.c.Export.Get(ctx)
		}
		return a, err
	})
}

func nobody() (identity, error) { return identity{}, nil }

func (s *Suite) missing() {
	s.rejects("auth.missing", Must, Authentication, "Without a credential, a creation answers 401 and an export a 4xx.",
		spec.Security, sender{"no credential", nobody})

	s.Rule("auth.missing.before_body", Should, Authentication,
		"Without a credential a creation answers 401 whatever its body, and reveals nothing about the body.",
		func() {
			in := control.Accompanied(client.Create)[:2] // what the other has goes in a body
			for i, body := range []struct{ what, text string }{
				{"an empty object", "{}"}, {"a body that is not JSON", "this is not JSON"},
			} {
				what := body.what + " and no credential"
				creation := s.refused(client.Create, what, func() (identity, error) {
					return identity{body: []byte(body.text)}, nil
				}, s.c.Rows(in, s.Building(), 2, false)[i]...)
				s.It("refuses a creation with "+what, func(ctx spec.Context) {
					if a := creation.Await(ctx); !inFront(a) {
						a.Condition = s.c.Either(a.Condition)
						ctx.Expect(a).To(HaveStatus(http.StatusUnauthorized))
					}
				})
			}
		})
}
