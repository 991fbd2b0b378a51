package acceptance

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

// sourceRule declares an importer's own rule: exports and creations name a source system, and an
// unknown one is rejected.
func sourceRule(g *suites.RuleDeclarer) {
	from := func(system string) func(*target.Request) {
		return func(r *target.Request) { r.SetHeader("X-Source", system) }
	}
	g.Rule("own.source", rules.Must, "House rules", "A request for an unknown system is rejected.",
		func() {
			for _, op := range []suites.Probe{
				{Operation: suites.OperationExport}, {Operation: suites.OperationCreate},
			} {
				known, unknown := op, op
				known.Description, known.Edit = "a known system", from("ledger")
				unknown.Description, unknown.Edit = "an unknown system", from("nobody")
				g.ItAccepts(known)
				g.ItRejects(unknown)
			}
		})
}

func TestOwnRequestsAreAcceptedOrRejected(t *testing.T) {
	for refused, want := range map[string][4]record.Verdict{
		"nobody": {record.VerdictPass, record.VerdictPass, record.VerdictPass, record.VerdictPass},
		"none":   {record.VerdictPass, record.VerdictFail, record.VerdictPass, record.VerdictFail},
		"ledger": {record.VerdictFail, record.VerdictFail, record.VerdictFail, record.VerdictFail},
	} {
		gateway := testmust.Get(reference.New(reference.Options{Seed: 1}))(t)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Source") == refused {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			gateway.ServeHTTP(w, r)
		}))
		defer server.Close()
		dep := testmust.Get(deployment.Parse("own.yaml", ".", gateway.DeploymentYAML(server.URL),
			os.LookupEnv))(t)
		r := run(t, suites.Options{
			Deployment: dep, DeclareRules: sourceRule, Select: suites.Selection{Rules: []string{"own.*"}},
		}).Run
		if len(r.Rules) != 1 || len(r.Rules[0].Checks) != len(want) {
			t.Fatalf("%s refused: %+v", refused, r.Rules)
		}
		for i, c := range r.Rules[0].Checks {
			if c.Verdict != want[i] {
				t.Errorf("%s refused, %s: %s, want %s (%s)", refused, c.Name, c.Verdict, want[i], c.Message)
			}
		}
	}
}
