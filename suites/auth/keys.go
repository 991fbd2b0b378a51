package auth

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// apiKeyHeader carries the API key, as the document names it.
const apiKeyHeader = "x-api-key"

func (s *Suite) keys() {
	s.Rule("auth.api_key.unknown", Must, Authentication, "An API key that nobody issued is refused.", spec.Security, func() {
		s.refuses("an API key that nobody issued", func() (identity, error) { return apiKey(target.UUID()), nil })
	})

	s.Rule("auth.api_key.altered", Must, Authentication, "An API key that is nearly the one that was issued is refused.",
		spec.Needs("credentials.api_key"), spec.Security, func() {
			altered := func(what string, change func(key string) string) {
				s.refuses(what, func() (identity, error) {
					key, err := s.key()
					if err != nil {
						return identity{}, err
					}
					changed := change(key)
					if changed == key {
						return identity{}, spec.Unmet("", "the key has no letter whose case could be changed")
					}
					s.t.Client.Redactor().Secret(what, changed)
					return apiKey(changed), nil
				})
			}
			altered("the API key without its last character", func(key string) string { return key[:len(key)-1] })
			altered("the API key and one character more", func(key string) string { return key + "x" })
			altered("the API key in the other case", otherCase)
		})

	s.Rule("auth.api_key.revoked", Must, Authentication, "An API key that was revoked is refused.",
		spec.Needs("credentials.revoked_api_key"), spec.Security, func() {
			s.refuses("a revoked API key", func() (identity, error) {
				revoked := s.t.Deployment.Credentials.RevokedAPIKey
				_, err := given("credentials.revoked_api_key", revoked, deployment.APIKey)
				return identity{credential: revoked}, err
			})
		})

	s.Rule("auth.api_key.empty", Must, Authentication, "An empty API key is refused.", spec.Security, func() {
		s.refuses("an empty API key", func() (identity, error) { return apiKey(""), nil })
	})

	s.Rule("auth.api_key.in_query", Should, Authentication, "The API key in the query instead of the header is refused.",
		spec.Needs("credentials.api_key"), func() {
			s.refusesInQuery("x-api-key")
			s.refusesInQuery("api_key")
		})
}

func apiKey(value string) identity { return identity{header: http.Header{apiKeyHeader: {value}}} }

func otherCase(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

// refusesInQuery puts the right key where it does not belong. A deployment that refuses every query it does not know may
// do so before it looks for a key; that says nothing about authentication.
func (s *Suite) refusesInQuery(name string) {
	place := types.NewCodeLocation(1)
	what := "the API key as ?" + name
	give := func() (identity, error) {
		key, err := s.key()
		return identity{query: url.Values{name: {key}}}, err
	}
	seen := s.creation(what, give)
	creation := spec.Observe(s.Plan, "creation with "+what+", beside an unknown parameter", func(ctx context.Context) (target.Answer, error) {
		a, err := seen.Get(ctx)
		if err != nil || !a.Refusal() || a.Status == http.StatusUnauthorized {
			return a, err
		}
		x := s.t.Create(ctx, func() target.Creation {
			c := s.t.Creation("valid creation with an unknown query parameter")
			c.Query = url.Values{"gateassay": {target.UUID()}}
			return c
		})
		if err = s.t.Usable(ctx, x); err == nil && x.Refusal() {
			err = spec.Unmet("", "the deployment rejects an unknown query parameter (%s)", target.Describe(x))
		}
		return a, err
	})
	export := s.export(what, give)
	It("refuses a creation with "+what, place, func(ctx SpecContext) {
		Expect(creation.Await(ctx)).To(HaveStatus(http.StatusUnauthorized))
	})
	It("refuses an export with "+what, place, func(ctx SpecContext) { Expect(export.Await(ctx)).To(BeRefused()) })
}
