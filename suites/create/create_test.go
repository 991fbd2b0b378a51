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

// exportsOnly names variants in which creations look like the default's.
func exportsOnly(name string) bool {
	return slices.Contains([]string{
		"export-201", "export-202", "raw-replay", "modes-apart", "reject-query", "direct", "foreign-download", "nested-state", "coded-state",
		"slow-file", "excel", "gzip", "gzip-direct", "local-offset", "zoneless", "other-titles", "unsettled",
	}, name)
}

func TestVariantsThatConformViolateNothing(t *testing.T) {
	for _, v := range reference.Variants() {
		if exportsOnly(v.Name) {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			unwanted := []record.Verdict{record.Fail}
			if v.Name != "flaky" {
				unwanted = append(unwanted, record.Inconclusive)
			}
			run(t, reference.Options{Seed: 2, Choices: v.Choices}, nil).none(t, unwanted...)
		})
	}
}

// together is how many gateways are tested at once: most of a run is waiting.
const together = 12

// runAll acts against many gateways at once and judges one after the other, since Ginkgo judges one plan at a time.
func runAll(t *testing.T, faults []reference.Fault, want func(reference.Fault, *plan.Check) bool, found func(reference.Fault, outcome)) {
	t.Helper()
	for batch := range slices.Chunk(faults, together) {
		started := make([]outcome, len(batch))
		var closers []func()
		for i, fault := range batch {
			gateway, err := reference.Start(t.Context(), "127.0.0.1:0", reference.Options{Seed: 3, Faults: []string{fault.Name}})
			if err != nil {
				t.Fatal(err)
			}
			started[i] = prepare(t, parse(t, gateway.Gateway.DeploymentYAML(gateway.URL)))
			started[i].plan.Keep(func(c *plan.Check) bool { return want(fault, c) })
			started[i].plan.Launch(context.Background(), false)
			closers = append(closers, started[i].client.Close, gateway.Close)
		}
		for i, fault := range batch {
			started[i].judge(t)
			found(fault, started[i])
		}
		for _, end := range closers {
			end()
		}
	}
}

// createFaults are the faults of the operation.
func createFaults() []reference.Fault {
	return slices.DeleteFunc(reference.Faults(), func(f reference.Fault) bool { return !strings.HasPrefix(f.Rule, "create.") })
}

func TestEachFaultFailsItsRule(t *testing.T) {
	own := func(f reference.Fault, c *plan.Check) bool { return c.Rule.ID == f.Rule }
	runAll(t, createFaults(), own, func(f reference.Fault, o outcome) {
		if !slices.Contains(o.failed(), f.Rule) {
			t.Errorf("%s: %s, but %s did not fail: %v", f.Name, f.Statement, f.Rule, o.verdicts()[f.Rule])
		}
	})
}

// alsoBroken are faults that break more than one rule by what they do.
var alsoBroken = map[string]string{
	"create.success.many_fields_missing":       "create.response.created_at create.person_type create.default.registration_update_date",
	"create.echo.income_and_patrimony_swapped": "create.echo.patrimony",
	"create.repeat.second_record":              "create.repeat.new_nonce create.repeat.race",
	"create.repeat.answered_500":               "create.repeat.new_nonce create.repeat.race",
	"create.repeat.answered_202_empty":         "create.repeat.new_nonce create.repeat.race",
	"create.repeat.answered_302":               "create.repeat.new_nonce create.repeat.race",
}

// oneCause are the families in which a cause must not spread: records, and what creations share.
func oneCause(rule string) bool {
	for _, family := range []string{"success", "response", "person_type", "echo", "default", "header", "repeat"} {
		if strings.HasPrefix(rule, "create."+family) {
			return true
		}
	}
	return false
}

func TestOneCauseFailsOneRule(t *testing.T) {
	faults := slices.DeleteFunc(createFaults(), func(f reference.Fault) bool { return !oneCause(f.Rule) })
	want := func(f reference.Fault, c *plan.Check) bool {
		aboutRequests := strings.HasPrefix(c.Rule.ID, "create.header") || strings.HasPrefix(c.Rule.ID, "create.repeat")
		faultOfRequests := strings.HasPrefix(f.Rule, "create.header") || strings.HasPrefix(f.Rule, "create.repeat")
		return oneCause(c.Rule.ID) && aboutRequests == faultOfRequests
	}
	runAll(t, faults, want, func(f reference.Fault, o outcome) {
		for _, id := range o.failed() {
			if id != f.Rule && !slices.Contains(strings.Fields(alsoBroken[f.Name]), id) {
				t.Errorf("%s fails %s as well", f.Name, id)
			}
		}
	})
}
