package auth

import (
	"context"
	"net/http"
	"time"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/token"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// checkMethods judges each of the two methods by itself.
func (s *suite) checkMethods() {
	// The platform token, sent as a bearer token, is enough.
	s.accepted("auth.bearer", "the platform token alone", func() (*deployment.Credential, error) {
		value, err := s.token()
		if err != nil {
			return nil, err
		}
		if at, known := token.Expiry(value); known && !at.After(time.Now()) {
			return nil, spec.Unmet("credentials.platform_token", "it expired on %s", at.Format(time.RFC3339))
		}
		return s.t.Deployment.Credentials.PlatformToken, nil
	})
	// The API key in x-api-key is enough, as long as the deprecated method exists.
	s.accepted("auth.api_key", "the API key alone", func() (*deployment.Credential, error) {
		_, err := s.key()
		return s.t.Deployment.Credentials.APIKey, err
	})
}

// accepted adds both checks of a credential that authenticates by itself.
func (s *suite) accepted(rule, label string, give func() (*deployment.Credential, error)) {
	creation := spec.Observe(s.p, "creation, "+label, func(ctx context.Context) (target.Answer, error) {
		cred, err := give()
		if err != nil {
			return target.Answer{}, err
		}
		if s.t.Deployment.Fixtures.ShareholderID == "" {
			return target.Answer{}, spec.Unmet("fixtures.shareholder_id", "")
		}
		_, _ = s.c.Creation.Get(ctx) // it finds out how this deployment wants creations spelled; its own fate is judged elsewhere
		a, err := s.t.Settle(ctx, target.AboutCaller, func() *client.Exchange {
			return s.t.Create(ctx, func() target.Creation {
				return identity{credential: cred}.create(s.t.Creation(""), label)
			})
		}, s.c.CreationAlive)
		if err == nil && a.Status == http.StatusConflict {
			return a, spec.Unclear("answered 409, which is about identifiers, and these were fresh; see create.repeat.other_transaction")
		}
		if err == nil && !a.Success() && a.Status != http.StatusUnauthorized {
			// Only 401 is about authentication for certain: the twin tells whether anything else can be.
			_, err = s.c.Creation.Get(ctx)
		}
		return a, err
	})
	export := spec.Observe(s.p, "export, "+label, func(ctx context.Context) (target.Answer, error) {
		cred, err := give()
		if err != nil {
			return target.Answer{}, err
		}
		a, err := s.t.Settle(ctx, target.AboutCaller, func() *client.Exchange {
			return s.t.StartExport(ctx, func() target.ExportCall {
				return identity{credential: cred}.export(s.t.Export("", s.t.Unique()), label)
			})
		}, s.c.ExportAlive)
		if err == nil && !a.Success() && a.Status != http.StatusUnauthorized && a.Status != http.StatusForbidden {
			_, err = s.c.Export.Get(ctx)
		}
		return a, err
	})
	// A credential that both operations refuse may as well be a wrong one: only the two together tell.
	judge := func(name string, own, other *spec.Observation[target.Answer]) {
		s.p.It(rule, name, spec.After(own, other), func(ctx context.Context) {
			a := own.Await(ctx)
			if a.Status == http.StatusUnauthorized {
				if b, ok := other.Settled(ctx); !ok || !b.Success() {
					s.p.Inconclusive("%s gets 401 wherever it is sent: check the value in the deployment file", label)
				}
			}
			Expect(a).To(BeAccepted())
		})
	}
	judge("creation", creation, export)
	judge("export", export, creation)
}

// checkMissing judges requests that show no identity at all.
func (s *suite) checkMissing() {
	// A request without valid authentication fails, with 401 on creation.
	s.refused("auth.missing", "no credential", "", func() (identity, error) { return identity{}, nil })
}
