package auth_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/record"
)

// TestHealthy shows what was observed in the log of a failure.
func TestHealthy(t *testing.T) {
	checks, c := bench{opts: reference.Options{Seed: 1}}.run(t)
	expect(t, checks, record.Pass, record.Observed)
	covered := map[string]bool{}
	for _, check := range checks {
		covered[check.Rule] = true
		if check.Verdict == record.Observed {
			t.Logf("%s: %s", check.Rule, check.Message)
		}
	}
	for _, r := range rules.All() {
		if r.Operation() == "auth" && !covered[r.ID] {
			t.Errorf("%s has no check", r.ID)
		}
	}
	if s := c.Stats(); s.Created > 6 || s.PeakInFlight < 2 {
		t.Errorf("expected few creations and requests in parallel, found %+v", s)
	}
}

// All faults are examined by suites/proof; this one shows that a finding of this suite stays with its rule.
func TestOneCauseFailsOneRule(t *testing.T) {
	checks, _ := bench{opts: reference.Options{Seed: 3, Faults: []string{"auth.expired_accepted"}}}.run(t)
	if found := failed(checks); len(found) != 1 || found["auth.bearer.expired"] == "" {
		t.Errorf("failed: %v", found)
	}
}

// verdictsOf lists the verdicts of the checks of a rule.
func verdictsOf(checks []*record.Check, rule string) []record.Verdict {
	var all []record.Verdict
	for _, c := range checks {
		if c.Rule == rule {
			all = append(all, c.Verdict)
		}
	}
	return all
}

// With the API key alone the rules that need no token are verified all the same.
func TestOnlyAnAPIKey(t *testing.T) {
	checks, _ := bench{
		opts:   reference.Options{Seed: 4},
		change: func(d *deployment.File) { d.Credentials.PlatformToken = nil },
	}.run(t)
	expect(t, checks, record.Pass, record.Observed, record.NotVerified)
	for _, rule := range []string{"auth.api_key", "auth.missing", "auth.bearer.empty", "auth.bearer.garbage", "auth.api_key.unknown", "auth.export_status"} {
		for _, v := range verdictsOf(checks, rule) {
			if v != record.Pass {
				t.Errorf("%s: expected a pass, found %s", rule, v)
			}
		}
	}
	if got := verdictsOf(checks, "auth.bearer.payload"); !slices.Equal(got, []record.Verdict{record.NotVerified, record.NotVerified}) {
		t.Errorf("expected two checks not verified, found %v", got)
	}
}

// A token that is no JWT cannot be tampered with; the rest of the suite goes on.
func TestOpaqueToken(t *testing.T) {
	const opaque = "an-opaque-token-0123456789"
	var genuine string
	checks, _ := bench{
		opts: reference.Options{Seed: 5},
		change: func(d *deployment.File) {
			genuine = d.Credentials.PlatformToken.Value
			d.Credentials.PlatformToken.Value = opaque
		},
		wrap: func(gateway http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if values := r.Header["Authorization"]; len(values) == 1 {
					values[0] = strings.Replace(values[0], opaque, genuine, 1)
				}
				gateway.ServeHTTP(w, r)
			})
		},
	}.run(t)
	expect(t, checks, record.Pass, record.Observed, record.NotVerified)
	for _, c := range checks {
		if c.Verdict == record.NotVerified && !strings.Contains(c.Message, "opaque") {
			t.Errorf("%s is not verified: %s", c.Rule, c.Message)
		}
	}
	if got := verdictsOf(checks, "auth.bearer.scheme"); slices.Contains(got, record.NotVerified) {
		t.Errorf("the scheme of an opaque token can be judged, found %v", got)
	}
}

// A deployment that does not look at queries before it looks for a credential is judged; one that rejects them first
// says nothing about the key in the query.
func TestQueriesAreRejectedFirst(t *testing.T) {
	checks, _ := bench{
		opts: reference.Options{Seed: 6},
		wrap: func(gateway http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.RawQuery != "" {
					w.WriteHeader(http.StatusBadRequest)
					return
				}
				gateway.ServeHTTP(w, r)
			})
		},
	}.run(t)
	expect(t, checks, record.Pass, record.Observed, record.NotVerified)
}

// A deployment that accepts everything cannot make the run exceed its budget.
func TestEverythingIsAccepted(t *testing.T) {
	var genuine string
	checks, c := bench{
		opts: reference.Options{Seed: 7},
		change: func(d *deployment.File) {
			genuine = d.Credentials.PlatformToken.Value
			d.Limits.MaxCreates = 10
		},
		wrap: func(gateway http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.Header.Del("x-api-key")
				r.Header.Set("Authorization", "Bearer "+genuine)
				gateway.ServeHTTP(w, r)
			})
		},
	}.run(t)
	if created := c.Stats().Created; created > 10 {
		t.Errorf("%d representatives were created, limits.max_creates is 10", created)
	}
	for _, rule := range []string{"auth.missing", "auth.bearer.garbage", "auth.bearer.alg_none", "auth.api_key.unknown"} {
		if !slices.Contains(verdictsOf(checks, rule), record.Fail) {
			t.Errorf("%s does not fail: %v", rule, verdictsOf(checks, rule))
		}
	}
}

// Over HTTPS the suite also asks in clear, and never with a credential.
func TestPlainHTTPBesideHTTPS(t *testing.T) {
	checks, _ := bench{
		opts: reference.Options{Seed: 8}, secure: true,
		change: func(d *deployment.File) { d.TLS.InsecureSkipVerify = true },
		wrap:   func(gateway http.Handler) http.Handler { return gateway },
	}.run(t)
	expect(t, checks, record.Pass, record.Observed)
	for _, c := range checks {
		if c.Rule == "auth.observed.plain_http" && !strings.HasPrefix(c.Message, "400") {
			t.Errorf("expected what a TLS server answers to plain HTTP, found %q", c.Message)
		}
	}
}
