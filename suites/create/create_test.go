package create_test

import (
	"context"
	"slices"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/create"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// outcome is what a run of the suite found.
type outcome struct {
	plan   *plan.Plan
	client *client.Client
}

// run judges the suite against a reference gateway. want selects checks; nil: all.
func run(t *testing.T, options reference.Options, want func(*plan.Check) bool) outcome {
	t.Helper()
	gateway, err := reference.Start(t.Context(), "127.0.0.1:0", options)
	if err != nil {
		t.Fatal(err)
	}
	defer gateway.Close()
	return runOn(t, parse(t, gateway.Gateway.DeploymentYAML(gateway.URL)), want)
}

func parse(t *testing.T, yaml []byte) *deployment.File {
	t.Helper()
	file, err := deployment.Parse("reference.yaml", "", yaml, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func runOn(t *testing.T, file *deployment.File, want func(*plan.Check) bool) outcome {
	t.Helper()
	o := prepare(t, file)
	defer o.client.Close()
	if want != nil {
		o.plan.Keep(want)
	}
	o.plan.Launch(context.Background(), false)
	o.judge(t)
	return o
}

func prepare(t *testing.T, file *deployment.File) outcome {
	t.Helper()
	c, err := client.New(file, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tg := target.New(file, c, 1)
	p := plan.New()
	p.Require(tg.Unmet)
	create.Add(p, tg, control.New(p, tg))
	return outcome{p, c}
}

func (o outcome) judge(t *testing.T) {
	t.Helper()
	o.plan.Execute(plan.Order{}, nil)
	o.plan.Wait()
	for _, fault := range o.plan.Faults() {
		t.Errorf("the harness failed: %s", fault)
	}
}

// verdicts collects, by rule, the verdicts of its checks.
func (o outcome) verdicts() map[string][]record.Verdict {
	all := map[string][]record.Verdict{}
	for _, c := range o.plan.Checks() {
		if r := c.Result(); r != nil {
			all[c.Rule.ID] = append(all[c.Rule.ID], r.Verdict)
		}
	}
	return all
}

// failed lists the rules with a failed check.
func (o outcome) failed() []string {
	var ids []string
	for _, rule := range rules.All() {
		if slices.Contains(o.verdicts()[rule.ID], record.Fail) {
			ids = append(ids, rule.ID)
		}
	}
	return ids
}

// none fails the test for each check with one of the verdicts.
func (o outcome) none(t *testing.T, unwanted ...record.Verdict) {
	t.Helper()
	for _, c := range o.plan.Checks() {
		switch r := c.Result(); {
		case r == nil:
			t.Errorf("%s was never judged", c.Text())
		case slices.Contains(unwanted, r.Verdict):
			t.Errorf("%s: %s: %s (expected %s, found %s)", r.Verdict, c.Text(), r.Message, r.Expected, r.Actual)
		}
	}
}

func TestAConformantGatewayIsFoundConformant(t *testing.T) {
	o := run(t, reference.Options{Seed: 1}, nil)
	o.none(t, record.Fail, record.Inconclusive, record.NotVerified)
	if created := o.client.Stats().Created; created > 55 {
		t.Errorf("the suite created %d representatives; a run may create 80 in all", created)
	}
	verdicts := o.verdicts()
	for _, rule := range rules.All() {
		if rule.Operation() == "create" && len(verdicts[rule.ID]) == 0 {
			t.Errorf("%s has no check", rule.ID)
		}
	}
}

// All faults are examined by suites/proof; these two show that a finding of this suite stays with its rule.
func TestOneCauseFailsOneRule(t *testing.T) {
	for fault, rule := range map[string]string{
		"create.success.status_200": "create.success.status", "create.required.email.absent_500": "create.required.email",
	} {
		o := run(t, reference.Options{Seed: 3, Faults: []string{fault}}, nil)
		if failed := o.failed(); !slices.Equal(failed, []string{rule}) {
			t.Errorf("%s fails %v", fault, failed)
		}
	}
}
