package create_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/suitetest"
)

// A credential that nobody knows gets 401 from a conformant deployment: that says nothing about permissions.
func TestAWorthlessCredentialSaysNothingAboutPermissions(t *testing.T) {
	only := func(c *plan.Check) bool { return c.Rule.ID == "create.permission" }
	o := judge(t, suitetest.Bench{Options: reference.Options{Seed: 1}, Keep: only, Change: func(d *deployment.File) {
		d.Credentials.Unprivileged = &deployment.Credential{Method: deployment.Bearer, Value: "nobody-knows-this"}
	}})
	o.None(t, record.Pass, record.Fail, record.NotVerified)
	if why := o.Results()[0].Message; !strings.Contains(why, "credentials.unprivileged") {
		t.Errorf("it says %q", why)
	}
	for _, fault := range []string{"create.permission.answered_401", "create.permission.ignored"} {
		o := judge(t, suitetest.Bench{Options: reference.Options{Seed: 1, Faults: []string{fault}}, Keep: only})
		if failed := o.Failed(); !slices.Equal(failed, []string{"create.permission"}) {
			t.Errorf("%s fails %v", fault, failed)
		}
	}
}
