package acceptance

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// A fixture that does not belong to the user accuses no deployment: refusing it is correct, and
// the reason names its key.
func TestAFixtureOfNobodysAccusesNobody(t *testing.T) {
	const nobodys = "6f1c3f0e-8f0a-4a55-9b0e-3c1f1f2b7d11"
	for rule, c := range map[string]struct {
		key   string
		spoil func(*deployment.Fixtures)
	}{
		"export.header.product.accepted": {
			"fixtures.product_id", func(f *deployment.Fixtures) { f.ProductID = nobodys },
		},
		"export.header.target_user.accepted": {
			"fixtures.target_user_id", func(f *deployment.Fixtures) { f.TargetUserID = nobodys },
		},
		"export.header.wallet.accepted": {
			"fixtures.default_wallet_id", func(f *deployment.Fixtures) { f.DefaultWalletID = nobodys },
		},
	} {
		if testing.Short() && c.key != "fixtures.target_user_id" {
			continue
		}
		dep := *start(t, reference.Options{Seed: 21}).Deployment
		c.spoil(&dep.Fixtures)
		o := suites.Options{Deployment: &dep}
		if c.key != "fixtures.product_id" { // creations do not send the other fixtures
			o.Select.Suites = []string{"export"}
		}
		r := run(t, o).Run
		found := false
		for _, seen := range r.Rules {
			if seen.Verdict == record.VerdictFail {
				t.Errorf("%s: %s failed: %s", c.key, seen.ID, seen.Reason)
			}
			found = found || seen.ID == rule && seen.Verdict == record.VerdictInconclusive &&
				strings.Contains(seen.Reason, c.key)
		}
		if !found || r.Verdict != record.RunNoVerdict {
			t.Errorf("%s: verdict %s, and %s does not name it", c.key, r.Verdict, rule)
		}
	}
}
