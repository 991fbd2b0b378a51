package create_test

import (
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/create"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// judge runs the suite against a reference gateway, with the suite's evidence of names.
func judge(t *testing.T, b suitetest.SuiteRunner) suitetest.SuiteResult {
	t.Helper()
	var suite *create.Suite
	b.Suite = func(p *spec.Plan, t *target.Target, l *lab.Lab) suitetest.Suite {
		suite = create.New(p, t, l)
		return suite
	}
	b.Evidence = func(name string) spec.AnyObservation { return suite.EvidenceOfName(name) }
	return b.Run(t)
}

// faulty judges the suite against a gateway with faults.
func faulty(t *testing.T, keep func(rules.Rule) bool, faults ...string) suitetest.SuiteResult {
	t.Helper()
	return judge(t,
		suitetest.SuiteRunner{Options: reference.Options{Seed: 3, Faults: faults}, KeepRule: keep})
}

func only(ids ...string) func(rules.Rule) bool {
	return func(r rules.Rule) bool { return slices.Contains(ids, r.ID) }
}

func failsOnly(t *testing.T, o suitetest.SuiteResult, ids ...string) {
	t.Helper()
	if failed := o.FailedRules(); !slices.Equal(failed, ids) {
		t.Errorf("failed: %v, want %v%s", failed, ids,
			o.Explain(record.VerdictFail, record.VerdictInconclusive, record.VerdictNotVerified))
	}
}

// most limits the representatives that the suite may create, so that a run of all suites stays
// below its limit of 80.
const most = 69

func TestAConformantGatewayIsFoundConformant(t *testing.T) {
	o := judge(t, suitetest.SuiteRunner{Options: reference.Options{Seed: 1}})
	o.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved)
	if created := o.Client.Stats().Created; created > most {
		t.Errorf("the suite created %d representatives, and may create %d", created, most)
	}
	ids := map[string]bool{}
	for _, r := range o.Plan.Catalogue() {
		ids[r.ID] = true
	}
	for _, f := range RecordFields() {
		if !ids["create.response."+f.Path] {
			t.Errorf("no rule is about the type of %s", f.Path)
		}
	}
}

// Where every name is refused, the characters in a name are not blamed.
func TestAValueThatIsNotToBlame(t *testing.T) {
	var creations atomic.Int64
	o := judge(t, suitetest.SuiteRunner{
		Options:  reference.Options{Seed: 5},
		KeepRule: only("create.echo.name", "create.echo.pep", "create.echo.income"),
		WrapGateway: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost && creations.Add(1) > 1 {
					w.WriteHeader(http.StatusUnprocessableEntity) // no representatives may be left
					return
				}
				next.ServeHTTP(w, r)
			})
		},
	})
	o.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified,
		record.VerdictInconclusive)
	text := o.Explain(record.VerdictInconclusive)
	testmust.Contain(t, text, "and so was another person without it")
}

// A deployment that ignores the calendar creates one representative per date field, not one for
// each impossible day.
func TestDatesOfNoCalendarMakeFewRepresentatives(t *testing.T) {
	o := faulty(t, only("create.dates.birth_date"), "create.dates.birth_date_day_accepted",
		"create.dates.birth_date_thirty_first_accepted")
	failsOnly(t, o, "create.dates.birth_date")
	if created := o.Client.Stats().Created; created > 2 { // the control, and one date
		t.Errorf("created %d representatives", created)
	}
}

// A conformant deployment answers 401 to an unknown credential, which shows nothing about
// permissions.
func TestAWorthlessCredentialSaysNothingAboutPermissions(t *testing.T) {
	o := judge(t, suitetest.SuiteRunner{
		Options: reference.Options{Seed: 1}, KeepRule: only("create.permission"),
		ChangeDeployment: func(d *deployment.File) {
			d.Credentials.Unprivileged = &deployment.Credential{
				Method: deployment.AuthBearer, Value: "nobody-knows-this",
			}
		},
	})
	o.ExpectVerdicts(t, record.VerdictInconclusive)
	testmust.Contain(t, o.Checks[0].Message, "credentials.unprivileged")
	for _, fault := range []string{"create.permission.answered_401", "create.permission.ignored"} {
		failsOnly(t, faulty(t, only("create.permission"), fault), "create.permission")
	}
}

// Uploads may be refused because of our files, which is inconclusive. A server error is a
// finding.
func TestRefusedUploadsSayNothing(t *testing.T) {
	keep := func(r rules.Rule) bool { return r.Topic() == "documents" }
	o := judge(t, suitetest.SuiteRunner{Options: reference.Options{
		Seed: 3, Choices: reference.Choices{Readings: []string{"photographs"}},
	}, KeepRule: keep})
	failsOnly(t, o)
	if got := o.CheckVerdictsOf("create.documents.accepted"); !slices.Equal(got,
		[]record.Verdict{record.VerdictInconclusive}) {
		t.Errorf("the three documents: %v", got)
	}
	failsOnly(t, faulty(t, keep, "create.documents.answered_500"), "create.documents.accepted")
}
