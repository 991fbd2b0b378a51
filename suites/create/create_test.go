package create_test

import (
	"slices"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/create"
	"github.com/gateassay/gateassay/suites/suitetest"
)

// judge runs the suite on a bench.
func judge(t *testing.T, b suitetest.Bench) suitetest.Outcome {
	t.Helper()
	b.Add = create.Add
	return b.Judge(t)
}

func TestAConformantGatewayIsFoundConformant(t *testing.T) {
	o := judge(t, suitetest.Bench{Options: reference.Options{Seed: 1}})
	o.None(t, record.Fail, record.Inconclusive, record.NotVerified)
	if created := o.Client.Stats().Created; created > 55 {
		t.Errorf("the suite created %d representatives; a run may create 80 in all", created)
	}
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
