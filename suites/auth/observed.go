package auth

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// checkObserved notes what the document leaves open about authentication.
func (s *suite) checkObserved() {
	s.observe("both_token_wrong", "the API key with a token that nobody issued", func() (identity, error) {
		if _, err := s.key(); err != nil {
			return identity{}, err
		}
		who := authorization("Bearer " + random(30))
		who.credential = s.t.Deployment.Credentials.APIKey
		return who, nil
	})
	s.observe("both_key_wrong", "the token with an API key that nobody issued", func() (identity, error) {
		if _, err := s.token(); err != nil {
			return identity{}, err
		}
		return identity{
			credential: s.t.Deployment.Credentials.PlatformToken,
			header:     http.Header{apiKeyHeader: {target.UUID()}},
		}, nil
	})
	s.observe("scheme_case", "the token under bearer in lower case", func() (identity, error) {
		value, err := s.token()
		return authorization("bearer " + value), err
	})
	s.observePlainHTTP()
	s.observeChallenge()
}

// observe notes the statuses that both operations answer to an identity; creation only where it can be tried.
func (s *suite) observe(rule, label string, give maker) {
	o := spec.Observe(s.p, label, func(ctx context.Context) (string, error) {
		who, err := give()
		if err != nil {
			return "", err
		}
		x := s.t.StartExport(ctx, func() target.ExportCall { return who.export(s.t.Export("", s.t.Unique()), label) })
		if err := s.t.Usable(ctx, x); err != nil {
			return "", err
		}
		seen := fmt.Sprintf("export %d", x.Status)
		if s.t.Deployment.Fixtures.ShareholderID == "" {
			return seen, nil
		}
		_, _ = s.c.Creation.Get(ctx) // it finds out how this deployment wants creations spelled
		x = s.t.Create(ctx, func() target.Creation { return who.create(s.t.Creation(""), label) })
		if err := s.t.Usable(ctx, x); err != nil {
			return "", err
		}
		return fmt.Sprintf("creation %d, %s", x.Status, seen), nil
	})
	s.p.It("auth.observed."+rule, label, spec.After(o), func(ctx context.Context) {
		s.p.Note("%s", o.Await(ctx))
	})
}

// observePlainHTTP asks the same host without TLS. No credential goes along: it would cross the network in clear.
func (s *suite) observePlainHTTP() {
	o := spec.Observe(s.p, "plain HTTP", func(ctx context.Context) (string, error) {
		base, err := url.Parse(s.t.Deployment.BaseURL)
		if err != nil || base.Scheme != "https" {
			return "the deployment itself is plain HTTP", nil
		}
		plain := *s.t.Deployment
		base.Scheme = "http"
		plain.BaseURL = base.String()
		timeout := 10 * time.Second
		if own := s.t.Deployment.Limits.Timeout; own > 0 {
			timeout = min(timeout, own)
		}
		// A client of its own, since the run's knows one address only; its exchange is not one of the run's.
		c, err := client.New(&plain, client.Options{InFlight: 1, Timeout: timeout})
		if err != nil {
			return "", spec.Unclear("no client for plain HTTP: %v", err)
		}
		defer c.Close()
		x := c.Once(client.WithTrace(ctx, nil), &client.Request{
			Label: "export over plain HTTP, without a credential", Operation: client.Export, Method: http.MethodPost,
			Path: plain.Export.Path, Body: []byte("{}"),
			Header: http.Header{"Content-Type": {"application/json"}, target.HeaderNonce: {target.UUID()}},
		})
		if ctx.Err() != nil {
			return "", spec.Interrupted
		}
		return plainAnswer(x), nil
	})
	s.p.It("auth.observed.plain_http", "an export without a credential", spec.After(o), func(ctx context.Context) {
		s.p.Note("%s", o.Await(ctx))
	})
}

// plainAnswer says what plain HTTP met, without an address.
func plainAnswer(x *client.Exchange) string {
	if x.Err != nil {
		return "no answer: " + string(x.Err.Kind)
	}
	text := target.Describe(x)
	if to, err := url.Parse(x.Header.Get("Location")); err == nil && to.Scheme != "" {
		text += ", redirects to " + to.Scheme
	}
	return text
}

// observeChallenge notes what a 401 says about how to authenticate, and the shape of its body.
func (s *suite) observeChallenge() {
	deps := spec.After(s.missing.creation, s.missing.export)
	s.p.It("auth.observed.challenge", "requests without a credential", deps, func(ctx context.Context) {
		var seen []string
		if a, ok := s.missing.creation.Settled(ctx); ok {
			seen = append(seen, "creation: "+challenge(a.Exchange))
		}
		if a, ok := s.missing.export.Settled(ctx); ok {
			seen = append(seen, "export: "+challenge(a.Exchange))
		}
		if len(seen) == 0 {
			s.missing.export.Await(ctx) // says why
		}
		s.p.Note("%s", strings.Join(seen, "; "))
	})
}

func challenge(x *client.Exchange) string {
	if x.Success() {
		return fmt.Sprintf("%d, no challenge", x.Status)
	}
	var schemes []string
	for _, value := range x.Header.Values("WWW-Authenticate") {
		scheme, _, _ := strings.Cut(strings.TrimSpace(value), " ")
		schemes = append(schemes, strings.TrimSuffix(scheme, ","))
	}
	slices.Sort(schemes)
	header := "no WWW-Authenticate"
	if len(schemes) > 0 {
		header = "WWW-Authenticate " + strings.Join(schemes, ", ")
	}
	return fmt.Sprintf("%d, %s, %s", x.Status, header, Shape(x))
}
