package create_test

import (
	"slices"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/create"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/suitetest"
	"github.com/gateassay/gateassay/suites/target"
)

// judge runs the suite on a bench, with its own evidence of names.
func judge(t *testing.T, b suitetest.Bench) suitetest.Outcome {
	t.Helper()
	var suite *create.Suite
	b.Suite = func(p *spec.Plan, t *target.Target, c *control.Controls) suitetest.Suite {
		suite = create.New(p, t, c)
		return suite
	}
	b.Evidence = func(name string) spec.Awaited { return suite.Evidence(name) }
	return b.Judge(t)
}

// most is how many representatives the suite may make, so that a run of all suites stays below its limit of 80.
const most = 58

func TestAConformantGatewayIsFoundConformant(t *testing.T) {
	o := judge(t, suitetest.Bench{Options: reference.Options{Seed: 1}})
	o.None(t, record.Fail, record.Inconclusive, record.NotVerified)
	if created := o.Client.Stats().Created; created > most {
		t.Errorf("the suite created %d representatives, and may create %d", created, most)
	}
	t.Logf("%d rules, %d requests, %d representatives", len(o.Plan.Catalogue()), o.Client.Stats().Sent, o.Client.Stats().Created)
	o.Covers(t, "create")
}

// All faults are examined by suites/proof; these two show that a finding of this suite stays with its rule.
func TestOneCauseFailsOneRule(t *testing.T) {
	for fault, rule := range map[string]string{
		"create.success.status_200": "create.success.status", "create.required.email.absent_500": "create.required.email",
	} {
		o := judge(t, suitetest.Bench{Options: reference.Options{Seed: 3, Faults: []string{fault}}})
		if failed := o.Failed(); !slices.Equal(failed, []string{rule}) {
			t.Errorf("%s fails %v", fault, failed)
		}
	}
}
