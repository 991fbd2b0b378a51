package auth_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/auth"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// bench is a gateway under test and what a test changes about it.
type bench struct {
	opts   reference.Options
	wrap   func(http.Handler) http.Handler // between the suite and the gateway
	secure bool                            // over TLS, with a certificate that nobody signed
	change func(*deployment.File)
	keep   func(*plan.Check) bool
}

func (b bench) serve(ctx context.Context, t *testing.T) []byte {
	t.Helper()
	if b.wrap == nil {
		running, err := reference.Start(ctx, "127.0.0.1:0", b.opts)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(running.Close)
		return running.Gateway.DeploymentYAML(running.URL)
	}
	gateway, err := reference.New(b.opts)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(b.wrap(gateway))
	if b.secure {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return gateway.DeploymentYAML(server.URL)
}

// run judges the suite and returns the checks and the client that was used.
func (b bench) run(t *testing.T) ([]*record.Check, *client.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	yaml := b.serve(ctx, t)
	dep, err := deployment.Parse("reference.yaml", t.TempDir(), yaml, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	if b.change != nil {
		b.change(dep)
	}
	c, err := client.New(dep, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	subject := target.New(dep, c, 1)
	p := plan.New()
	p.Require(subject.Unmet)
	auth.Add(p, subject, control.New(p, subject))
	if b.keep != nil {
		p.Keep(b.keep)
	}
	p.JudgeAll(ctx)
	for _, fault := range p.Faults() {
		t.Errorf("the harness failed: %s", fault)
	}
	var results []*record.Check
	for _, check := range p.Checks() {
		if check.Result() == nil {
			t.Errorf("%s was not judged", check.Text())
			continue
		}
		results = append(results, check.Result())
	}
	return results, c
}

// failed lists the rules that have a failed check.
func failed(checks []*record.Check) map[string]string {
	found := map[string]string{}
	for _, c := range checks {
		if c.Verdict == record.Fail {
			found[c.Rule] = c.Message
		}
	}
	return found
}

// expect reports checks whose verdict is none of those given.
func expect(t *testing.T, checks []*record.Check, verdicts ...record.Verdict) {
	t.Helper()
	for _, c := range checks {
		ok := false
		for _, v := range verdicts {
			ok = ok || c.Verdict == v
		}
		if !ok {
			t.Errorf("%s: %s: %s: %s (expected %s; actual %s)", c.Rule, c.Name, c.Verdict, c.Message, c.Expected, c.Actual)
		}
	}
}
