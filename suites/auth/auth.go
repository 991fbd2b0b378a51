// Package auth tests authentication on both operations: either documented method alone is enough, and nothing else is.
package auth

import (
	"context"
	"net/http"
	"net/url"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// suite is what the topics share.
type suite struct {
	p *spec.Plan
	t *target.Target
	c *control.Controls

	exports []*spec.Observation[target.Answer] // every export without valid authentication
	missing struct {
		creation, export *spec.Observation[target.Answer]
	}
}

// Add declares the observations and checks of all authentication rules.
func Add(p *spec.Plan, t *target.Target, c *control.Controls) {
	p.Suite("auth")
	s := &suite{p: p, t: t, c: c}
	s.checkMethods()
	s.checkMissing()
	s.checkBearer()
	s.checkTampered()
	s.checkKeys()
	s.checkExportStatus()
	s.checkConfidential()
	s.checkObserved()
}

// identity is what a request shows of its sender.
type identity struct {
	credential *deployment.Credential // sent by its own method
	header     http.Header            // sent as it is
	query      url.Values
}

// authorization is an identity that puts a value of its own into the Authorization header.
func authorization(value string) identity {
	return identity{header: http.Header{"Authorization": {value}}}
}

func (i identity) create(c target.Creation, label string) target.Creation {
	c.Label, c.Credential, c.Query = label, i.credential, i.query
	for name, values := range i.header {
		c.Header[name] = values
	}
	return c
}

func (i identity) export(c target.ExportCall, label string) target.ExportCall {
	c.Label, c.Credential, c.Query = label, i.credential, i.query
	for name, values := range i.header {
		c.Header[name] = values
	}
	return c
}

// maker makes an identity for one attempt; its error says why there is none on this deployment.
type maker func() (identity, error)

// creation observes a creation under an identity that must not be accepted, once a valid one was.
func (s *suite) creation(label string, give maker) *spec.Observation[target.Answer] {
	return spec.Observe(s.p, "creation, "+label, func(ctx context.Context) (target.Answer, error) {
		if _, err := give(); err != nil {
			return target.Answer{}, err
		}
		a, err := s.c.Creations(ctx, target.AboutCaller, func(valid target.Creation) target.Creation {
			who, _ := give()
			return who.create(valid, label)
		})
		s.t.Disown(a.Attempts...)
		return a, err
	})
}

// export observes an export under an identity that must not be accepted, once a valid one was.
func (s *suite) export(label string, give maker) *spec.Observation[target.Answer] {
	return spec.Observe(s.p, "export, "+label, func(ctx context.Context) (target.Answer, error) {
		if _, err := give(); err != nil {
			return target.Answer{}, err
		}
		a, err := s.c.Exports(ctx, target.AboutCaller, func(valid target.ExportCall) target.ExportCall {
			who, _ := give()
			return who.export(valid, label)
		})
		s.t.Disown(a.Attempts...)
		return a, err
	})
}

// refused adds both checks of an identity that authenticates nobody. Creation answers 401; what the export answers is
// not documented beyond that such a request fails, so any 4xx is right there. detail tells checks of one rule apart,
// empty where the rule has a single case.
func (s *suite) refused(rule, label, detail string, give maker) {
	creation, export := s.creation(label, give), s.export(label, give)
	s.exports = append(s.exports, export)
	if rule == "auth.missing" {
		s.missing.creation, s.missing.export = creation, export
	}
	s.p.It(rule, named("creation", detail), spec.After(creation), func(ctx context.Context) {
		Expect(creation.Await(ctx)).To(HaveStatus(http.StatusUnauthorized))
	})
	s.p.It(rule, named("export", detail), spec.After(export), func(ctx context.Context) {
		Expect(export.Await(ctx)).To(BeRefused())
	})
}

func named(operation, detail string) string {
	if detail == "" {
		return operation
	}
	return operation + ", " + detail
}

// token is the platform token, where the deployment file gives one as a bearer token.
func (s *suite) token() (string, error) {
	c := s.t.Deployment.Credentials.PlatformToken
	if c == nil {
		return "", spec.Unmet("credentials.platform_token", "")
	}
	if c.Method != deployment.Bearer {
		return "", spec.Unmet("credentials.platform_token", "it is given as an API key, not as a bearer token")
	}
	return c.Value, nil
}

// key is the API key, where the deployment file gives one as such.
func (s *suite) key() (string, error) {
	c := s.t.Deployment.Credentials.APIKey
	if c == nil {
		return "", spec.Unmet("credentials.api_key", "")
	}
	if c.Method != deployment.APIKey {
		return "", spec.Unmet("credentials.api_key", "it is given as a bearer token, not as an API key")
	}
	return c.Value, nil
}
