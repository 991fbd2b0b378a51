package auth_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/auth"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// judge runs the suite against a reference gateway.
func judge(t *testing.T, b suitetest.SuiteRunner) suitetest.SuiteResult {
	t.Helper()
	b.Suite = func(p *spec.Plan, t *target.Target, l *lab.Lab) suitetest.Suite {
		return auth.New(p, t, l)
	}
	return b.Run(t)
}

func TestHealthy(t *testing.T) {
	o := judge(t, suitetest.SuiteRunner{Options: reference.Options{Seed: 1}})
	o.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved)
	if s := o.Client.Stats(); s.Created > 16 || s.PeakInFlight < 2 {
		t.Errorf("expected few creations and requests in parallel, found %+v", s)
	}
}

// With the API key alone, the rules that need no token are still verified.
func TestOnlyAnAPIKey(t *testing.T) {
	o := judge(t, suitetest.SuiteRunner{
		Options:          reference.Options{Seed: 4},
		ChangeDeployment: func(d *deployment.File) { d.Credentials.PlatformToken = nil },
	})
	o.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified)
	for _, rule := range []string{
		"auth.api_key", "auth.missing", "auth.bearer.empty", "auth.bearer.garbage",
		"auth.api_key.unknown", "auth.export_status",
	} {
		for _, v := range o.CheckVerdictsOf(rule) {
			testmust.Equal(t, v, record.VerdictPass, rule)
		}
	}
	if got := o.CheckVerdictsOf("auth.bearer.payload"); !slices.Equal(got,
		[]record.Verdict{record.VerdictNotVerified, record.VerdictNotVerified}) {
		t.Errorf("expected two checks not verified, found %v", got)
	}
}

// A token that is not a JWT cannot be tampered with. The rest of the suite runs.
func TestOpaqueToken(t *testing.T) {
	o := judge(t, suitetest.SuiteRunner{Options: reference.Options{Seed: 5}}.WithOpaqueToken())
	o.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified)
	for _, c := range o.Checks {
		if c.Verdict == record.VerdictNotVerified && !strings.Contains(c.Message, "opaque") {
			t.Errorf("%s is not verified: %s", c.Rule, c.Message)
		}
	}
	got := o.CheckVerdictsOf("auth.bearer.scheme")
	if slices.Contains(got, record.VerdictNotVerified) {
		t.Errorf("the scheme of an opaque token can be judged, found %v", got)
	}
}

// A deployment that checks the credential before the query is judged. One that rejects queries
// first shows nothing about a key in the query.
func TestQueriesAreRejectedFirst(t *testing.T) {
	o := judge(t, suitetest.SuiteRunner{
		Options: reference.Options{Seed: 6},
		WrapGateway: suitetest.Before(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.RawQuery != "" {
				w.WriteHeader(http.StatusBadRequest)
			}
			return r.URL.RawQuery != ""
		}),
	})
	o.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified)
}

// A deployment whose guard compares the whole address lets in whoever adds a query. What a query
// holds then opens nothing.
func TestAQueryThatPassesTheGuard(t *testing.T) {
	var genuine string
	o := judge(t, suitetest.SuiteRunner{
		ChangeDeployment: func(d *deployment.File) { genuine = d.Credentials.PlatformToken.Value },
		WrapGateway: suitetest.Before(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.URL.RawQuery != "" {
				r.URL.RawQuery = ""
				r.Header.Del("x-api-key")
				r.Header.Set("Authorization", "Bearer "+genuine)
			}
			return false
		}),
	})
	if got := o.FailedRules(); !slices.Equal(got, []string{"auth.missing.path"}) {
		t.Errorf("%v%s", got, o.Explain(record.VerdictFail))
	}
}

// A deployment that refuses a good credential beside a wrong one behind a status of success has
// accepted nothing: its answer is no example of one.
func TestARefusalOfTwoCredentialsIsNoExample(t *testing.T) {
	var tried *lab.Lab
	var refused atomic.Int32
	suitetest.SuiteRunner{
		Suite: func(p *spec.Plan, t *target.Target, l *lab.Lab) suitetest.Suite {
			tried = l
			return auth.New(p, t, l)
		},
		Options: reference.Options{Seed: 8},
		WrapGateway: suitetest.Before(func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") == "" || r.Header.Get("X-Api-Key") == "" {
				return false
			}
			refused.Add(1)
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"code": "unauthorized", "message": "one credential only"}`))
			return true
		}),
	}.Run(t)
	if refused.Load() == 0 {
		t.Fatal("no request had two credentials")
	}
	examples := append(tried.AcceptedValid(client.OperationCreate),
		tried.AcceptedValid(client.OperationExport)...)
	for _, a := range tried.ValidCreations() {
		examples = append(examples, a.Exchange)
	}
	for _, x := range examples {
		if strings.Contains(string(x.Body), "one credential only") {
			t.Errorf("%s is among the accepted requests", x.Label)
		}
	}
}

// With HTTPS, the suite also sends a request in clear, and never with a credential.
func TestPlainHTTPBesideHTTPS(t *testing.T) {
	o := judge(t, suitetest.SuiteRunner{
		Options: reference.Options{Seed: 8}, TLS: true,
		ChangeDeployment: func(d *deployment.File) { d.TLS.InsecureSkipVerify = true },
	})
	o.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved)
	for _, c := range o.Checks {
		if c.Rule == "auth.observed.plain_http" && !strings.HasPrefix(c.Message, "400") {
			t.Errorf("expected what a TLS server answers to plain HTTP, found %q", c.Message)
		}
	}
}

// A deployment that accepts no further representatives does not make a valid credential look
// wrong.
func TestNoMoreRepresentatives(t *testing.T) {
	var made atomic.Int64
	o := judge(t, suitetest.SuiteRunner{
		Options:  reference.Options{Seed: 7},
		KeepRule: func(r rules.Rule) bool { return r.ID == "auth.bearer" || r.ID == "auth.api_key" },
		WrapGateway: suitetest.AlterAnswers(
			func(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder) {
				if strings.HasSuffix(r.URL.Path, "/legal-representatives") &&
					answer.Code == http.StatusCreated && made.Add(1) > 1 {
					w.WriteHeader(http.StatusUnprocessableEntity)
					return
				}
				suitetest.ForwardAnswer(w, answer, nil)
			}),
	})
	o.ExpectVerdicts(t, record.VerdictPass, record.VerdictInconclusive)
	if len(o.RulesWithVerdict(record.VerdictInconclusive)) == 0 {
		t.Errorf("%v", o.Verdicts())
	}
}
