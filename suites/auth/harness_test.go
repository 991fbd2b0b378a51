package auth_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/auth"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// run judges the suite against a reference gateway and returns the checks and the client that was used.
func run(t *testing.T, opts reference.Options, change func(*deployment.File), keep func(*plan.Check) bool) ([]*record.Check, *client.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	gateway, err := reference.Start(ctx, "127.0.0.1:0", opts)
	if err != nil {
		t.Fatal(err)
	}
	defer gateway.Close()
	dep, err := deployment.Parse("reference.yaml", t.TempDir(), gateway.Gateway.DeploymentYAML(gateway.URL), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(dep)
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
	if keep != nil {
		p.Keep(keep)
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
	rules := map[string]string{}
	for _, c := range checks {
		if c.Verdict == record.Fail {
			rules[c.Rule] = c.Message
		}
	}
	return rules
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

func TestEveryRuleHasACheck(t *testing.T) {
	checks, _ := run(t, reference.Options{Seed: 1}, nil, nil)
	covered := map[string]bool{}
	for _, c := range checks {
		covered[c.Rule] = true
	}
	for _, r := range rules.All() {
		if r.Operation() == "auth" && !covered[r.ID] {
			t.Errorf("%s has no check", r.ID)
		}
	}
}

// TestHealthy also shows what was observed, in the log of a failure.
func TestHealthy(t *testing.T) {
	checks, c := run(t, reference.Options{Seed: 1}, nil, nil)
	expect(t, checks, record.Pass, record.Observed)
	for _, check := range checks {
		if check.Verdict == record.Observed {
			t.Logf("%s: %s", check.Rule, check.Message)
		}
	}
	t.Logf("%+v", c.Stats())
}

func TestVariants(t *testing.T) {
	for _, v := range reference.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			checks, _ := run(t, reference.Options{Seed: 2, Choices: v.Choices}, nil, nil)
			expect(t, checks, record.Pass, record.Observed, record.NotVerified, record.Inconclusive)
			for _, c := range checks {
				if c.Verdict == record.Inconclusive {
					t.Logf("inconclusive: %s: %s: %s", c.Rule, c.Name, c.Message)
				}
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for _, f := range reference.Faults() {
		if !strings.HasPrefix(f.Rule, "auth.") {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			checks, _ := run(t, reference.Options{Seed: 3, Faults: []string{f.Name}}, nil, nil)
			found := failed(checks)
			if _, ok := found[f.Rule]; !ok {
				t.Errorf("%s does not fail although the gateway %s", f.Rule, f.Statement)
				expect(t, checks, record.Pass, record.Observed)
			}
			delete(found, f.Rule)
			for rule, message := range found {
				t.Logf("also fails: %s: %s", rule, strings.ReplaceAll(message, "\n", " | "))
			}
		})
	}
}
