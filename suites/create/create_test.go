package create_test

import (
	"context"
	"slices"
	"strings"
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
	c, err := client.New(file, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	tg := target.New(file, c, 1)
	p := plan.New()
	p.Require(tg.Unmet)
	create.Add(p, tg, control.New(p, tg))
	if want != nil {
		p.Keep(want)
	}
	p.JudgeAll(context.Background())
	for _, fault := range p.Faults() {
		t.Errorf("the harness failed: %s", fault)
	}
	return outcome{p, c}
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
	for _, n := range o.plan.Observations() {
		t.Log(n.ID, n.Observed)
	}
}

func TestEveryRuleOfTheOperationHasACheck(t *testing.T) {
	o := run(t, reference.Options{Seed: 1}, func(*plan.Check) bool { return true })
	verdicts := o.verdicts()
	for _, rule := range rules.All() {
		if rule.Operation() == "create" && len(verdicts[rule.ID]) == 0 {
			t.Errorf("%s has no check", rule.ID)
		}
	}
}

func TestVariantsThatConformViolateNothing(t *testing.T) {
	for _, v := range reference.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			unwanted := []record.Verdict{record.Fail}
			if v.Name != "flaky" {
				unwanted = append(unwanted, record.Inconclusive)
			}
			run(t, reference.Options{Seed: 2, Choices: v.Choices}, nil).none(t, unwanted...)
		})
	}
}

func TestEachFaultFailsItsRule(t *testing.T) {
	for _, fault := range reference.Faults() {
		if !strings.HasPrefix(fault.Rule, "create.") {
			continue
		}
		t.Run(fault.Name, func(t *testing.T) {
			o := run(t, reference.Options{Seed: 3, Faults: []string{fault.Name}}, nil)
			failed := o.failed()
			if !slices.Contains(failed, fault.Rule) {
				t.Errorf("%s: %s, but %s did not fail: %v", fault.Name, fault.Statement, fault.Rule, o.verdicts()[fault.Rule])
			}
			if others := slices.DeleteFunc(failed, func(id string) bool { return id == fault.Rule }); len(others) > 0 {
				t.Logf("%s also fails %s", fault.Name, strings.Join(others, ", "))
			}
		})
	}
}
