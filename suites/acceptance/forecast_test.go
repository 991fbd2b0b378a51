package acceptance

import (
	"path/filepath"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// The forecast names the rules that the run verifies. With -short it is tested on one deployment;
// make reliability tests all.
func TestTheDoctorsPromiseIsKept(t *testing.T) {
	t.Parallel() // mostly waits
	const sample = "next to nothing"
	for name, c := range map[string]struct {
		choices reference.Choices
		change  func(*deployment.File)
		about   bool // the data may decide about some rules
	}{
		"whole": {},
		sample:  {choices: reference.Choices{MinimalFile: true}},
		"creations refused": {change: func(d *deployment.File) {
			d.LegalRepresentative.Headers.TransactionID = "x-other"
		}},
		"exports not there": {change: func(d *deployment.File) { d.Export.Path = "/v1/nowhere" }},
		"no such shareholder": {change: func(d *deployment.File) {
			d.Fixtures.ShareholderID = "11111111-2222-4333-8444-555555555555"
		}},
		"a column not there": {about: true, change: func(d *deployment.File) {
			d.Export.CSV.Columns.QuoteCreatedAt = "created"
		}},
		"a client without row": {about: true, change: func(d *deployment.File) {
			d.Fixtures.ClientID = "nobody"
		}},
		"API key refused": {about: true, change: func(d *deployment.File) {
			d.Credentials.APIKey.Value = "nonsense"
		}},
		"creations not there": {change: func(d *deployment.File) {
			d.LegalRepresentative.Path = "/v3/nowhere"
		}},
	} {
		if testing.Short() && name != sample {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dep := start(t, reference.Options{Seed: 1, Choices: c.choices}).Deployment
			if c.change != nil {
				c.change(dep)
			}
			found := testmust.Get(suites.Examine(t.Context(), suites.Options{Deployment: dep}))(t)
			result := testmust.Get(suites.Run(t.Context(), suites.Options{
				Deployment: dep, Out: filepath.Join(t.TempDir(), "run"),
			}))(t)
			open := map[string]string{}
			for _, r := range result.Run.Rules {
				if r.Verdict == record.VerdictNotVerified || r.Verdict == record.VerdictInconclusive {
					open[r.ID] = r.Reason
				}
			}
			off := len(found.Rules) - result.Run.Counts.Total()
			for _, p := range found.Rules {
				if why, left := open[p.Rule.ID]; left == (p.MissingKey == "") {
					off++
					t.Logf("%s, needs %q: %s", p.Rule.ID, p.MissingKey, why)
				}
			}
			if c.about {
				off /= 20 // some rules that need the key can be judged without it
			}
			if off != 0 {
				t.Errorf("the forecast is off by %d of %d rules, which were not verified: %+v", off,
					len(found.Rules), open)
			}
		})
	}
}
