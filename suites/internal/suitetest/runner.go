// Package suitetest runs a suite against a reference gateway, for the tests of suites.
package suitetest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares rules.
type Suite interface{ Declare() }

// SuiteRunner describes a run: a suite, the gateway that it tests, and changes to either.
type SuiteRunner struct {
	Suite            func(*spec.Plan, *target.Target, *lab.Lab) Suite
	Options          reference.Options
	WrapGateway      func(http.Handler) http.Handler // between suite and gateway; nil: nothing
	TLS              bool                            // with a self-signed certificate
	EditYAML         func(yaml string) string        // changes the text of the deployment file
	ChangeDeployment func(*deployment.File)
	KeepRule         func(rules.Rule) bool // nil: all rules
	Seed             int64                 // of the suite's choices; 0: 1

	// Evidence confirms a name, see spec.RestsOnNames; nil: names are taken to be right.
	Evidence func(name string) spec.AnyObservation
}

// WithOpaqueToken returns the run against a gateway that takes a token which is no JWT.
func (b SuiteRunner) WithOpaqueToken() SuiteRunner {
	const opaque = "an-opaque-token-0123456789"
	var genuine string
	b.ChangeDeployment = func(d *deployment.File) {
		genuine = d.Credentials.PlatformToken.Value
		d.Credentials.PlatformToken.Value = opaque
	}
	b.WrapGateway = func(gateway http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if values := r.Header["Authorization"]; len(values) == 1 {
				values[0] = strings.Replace(values[0], opaque, genuine, 1)
			}
			gateway.ServeHTTP(w, r)
		})
	}
	return b
}

// maxRunTime limits the observations of a suite.
const maxRunTime = 2 * time.Minute

// retryPause is the pause before a request that the local gateway did not answer is retried.
const retryPause = 10 * time.Millisecond

// Run runs the suite. It fails the test for defects of the harness and for checks that were not
// judged.
func (b SuiteRunner) Run(t *testing.T) SuiteResult {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), maxRunTime)
	defer cancel()
	dep := b.startGateway(t)
	c, err := client.New(dep, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if b.Seed == 0 {
		b.Seed = 1
	}
	subject := target.New(dep, c, b.Seed)
	p := spec.New(spec.Options{
		Unmet:      subject.MissingSettings,
		Redact:     c.Redactor().Text,
		Evidence:   b.Evidence,
		RetryPause: retryPause,
	})
	subject.Pause = retryPause
	suite := b.Suite(p, subject, lab.New(p, subject))
	suite.Declare()
	p.SampleCases(subject.Depth, subject.Seed)
	if b.KeepRule != nil {
		p.SelectRules(b.KeepRule)
	}
	p.Run(ctx)
	for _, fault := range p.HarnessErrors() {
		t.Errorf("the harness failed: %s", fault)
	}
	o := SuiteResult{Plan: p, Client: c}
	for _, k := range p.Cases() {
		if r := p.CaseResult(k); r != nil {
			o.Checks = append(o.Checks, r.CheckResult)
		} else {
			t.Errorf("%s was not judged", k)
		}
	}
	return o
}

// startGateway starts the gateway and returns its deployment file.
func (b SuiteRunner) startGateway(t *testing.T) *deployment.File {
	t.Helper()
	gateway, err := reference.New(b.Options)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(gateway)
	if b.WrapGateway != nil {
		server.Config.Handler = b.WrapGateway(gateway)
	}
	if b.TLS {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	yaml := string(gateway.DeploymentYAML(server.URL))
	if b.EditYAML != nil {
		yaml = b.EditYAML(yaml)
	}
	dep, err := deployment.Parse("reference.yaml", t.TempDir(), []byte(yaml), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	if b.ChangeDeployment != nil {
		b.ChangeDeployment(dep)
	}
	return dep
}

// Before returns a wrapper that lets meet see each request before the gateway does, which does not
// see those that meet answers.
func Before(
	meet func(w http.ResponseWriter, r *http.Request) (answered bool),
) func(http.Handler) http.Handler {
	return func(gateway http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !meet(w, r) {
				gateway.ServeHTTP(w, r)
			}
		})
	}
}

// EditBodies returns a wrapper that lets edit change the bodies of requests.
func EditBodies(edit func(r *http.Request, body []byte) []byte) func(http.Handler) http.Handler {
	return Before(func(_ http.ResponseWriter, r *http.Request) bool {
		body, _ := io.ReadAll(r.Body)
		body = edit(r, body)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		return false
	})
}

// AlterAnswers returns a wrapper that lets alter change the gateway's answers.
func AlterAnswers(
	alter func(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder),
) func(http.Handler) http.Handler {
	return func(gateway http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := httptest.NewRecorder()
			gateway.ServeHTTP(answer, r)
			alter(w, r, answer)
		})
	}
}

// ForwardAnswer writes an answer unchanged, but with body in place of its own if body is not
// nil.
func ForwardAnswer(w http.ResponseWriter, answer *httptest.ResponseRecorder, body []byte) {
	for name, values := range answer.Header() {
		if name != "Content-Length" || body == nil {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(answer.Code)
	if body == nil {
		body = answer.Body.Bytes()
	}
	_, _ = w.Write(body)
}
