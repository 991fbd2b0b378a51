package auth

import (
	"context"
	"net/http"
	"net/url"

	. "github.com/onsi/gomega"

	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// apiKeyHeader carries the API key, as the document names it.
const apiKeyHeader = "x-api-key"

// checkKeys judges API keys that nobody issued, and the right one in the wrong place.
func (s *suite) checkKeys() {
	// The key is one that the support team issued.
	s.refused("auth.api_key.unknown", "an API key that nobody issued", "", func() (identity, error) {
		return identity{header: http.Header{apiKeyHeader: {target.UUID()}}}, nil
	})
	// Nearly right is not issued either.
	for _, near := range []struct {
		detail string
		change func(key string) string
	}{
		{"the key without its last character", func(key string) string { return key[:len(key)-1] }},
		{"the key with one character more", func(key string) string { return key + "x" }},
	} {
		s.refused("auth.api_key.altered", near.detail, near.detail, func() (identity, error) {
			key, err := s.key()
			if err != nil {
				return identity{}, err
			}
			changed := near.change(key)
			s.t.Client.Redactor().Secret(near.detail, changed)
			return identity{header: http.Header{apiKeyHeader: {changed}}}, nil
		})
	}
	// The header has to carry a key.
	s.refused("auth.api_key.empty", "an empty API key", "", func() (identity, error) {
		return identity{header: http.Header{apiKeyHeader: {""}}}, nil
	})
	for _, name := range []string{"x-api-key", "api_key"} {
		s.checkKeyInQuery(name)
	}
}

// checkKeyInQuery puts the right key where it does not belong. A deployment that refuses every query it does not know
// may do so before it looks for a key; that says nothing about authentication.
func (s *suite) checkKeyInQuery(name string) {
	label := "the API key as ?" + name
	give := func() (identity, error) {
		key, err := s.key()
		return identity{query: url.Values{name: {key}}}, err
	}
	seen := s.creation(label, give)
	creation := spec.Observe(s.p, "creation, "+label+", against an unknown parameter", func(ctx context.Context) (target.Answer, error) {
		a, err := seen.Get(ctx)
		if err != nil || a.Success() || !a.Refusal() || a.Status == http.StatusUnauthorized {
			return a, err
		}
		if _, err := s.key(); err != nil {
			return a, err
		}
		x := s.t.Create(ctx, func() target.Creation {
			c := s.t.Creation("valid creation with an unknown query parameter")
			c.Query = url.Values{"gateassay": {target.UUID()}}
			return c
		})
		if err := s.t.Usable(ctx, x); err != nil {
			return a, err
		}
		if x.Refusal() {
			return a, spec.Unmet("", "the deployment rejects an unknown query parameter (%s)", target.Describe(x))
		}
		return a, nil
	})
	export := s.export(label, give)
	// The key is sent in the header; in the query it is no authentication.
	s.p.It("auth.api_key.in_query", "creation, ?"+name, spec.After(creation), func(ctx context.Context) {
		Expect(creation.Await(ctx)).To(HaveStatus(http.StatusUnauthorized))
	})
	s.p.It("auth.api_key.in_query", "export, ?"+name, spec.After(export), func(ctx context.Context) {
		Expect(export.Await(ctx)).To(BeRefused())
	})
}
