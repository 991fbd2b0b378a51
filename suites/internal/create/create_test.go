package create_test

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

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
	testmust.Contain(t, text, "as another valid creation is")
}

// Where each creation after the first is taken for a repeat, a refusal shows no validation.
func TestRefusalsOfEverythingShowNoValidation(t *testing.T) {
	o := faulty(t, only("create.dates.birth_date"), "create.repeat.everything_is_one",
		"create.dates.birth_date_text_accepted")
	text := o.Explain(record.VerdictInconclusive)
	testmust.Contain(t, text, "that is text: refused (409 Conflict), as another valid creation is")
	failsOnly(t, o)
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
}

// A case about a changed token sends no other request where the token cannot be changed.
func TestATokenThatCannotBeChanged(t *testing.T) {
	b := suitetest.SuiteRunner{
		Options: reference.Options{Seed: 1}, KeepRule: only("create.documents.authenticated"),
	}
	for _, c := range judge(t, b.WithOpaqueToken()).Checks {
		opaque := strings.Contains(c.Message, "opaque")
		testmust.Equal(t, opaque, strings.Contains(c.Name, "changed"), c.Name, c.Verdict, c.Message)
	}
}

// Uploads may be refused because of our files, which is inconclusive.
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
}

// A deployment that ignores unknown names is not blamed for a wrong name in the deployment file.
// The reason names the key.
func TestAWrongNameInTheFileAccusesNobody(t *testing.T) {
	const fields = "legal_representative:\n  fields:\n    "
	for name, c := range map[string]struct {
		old, wrong string
		ignored    string // a header that the deployment does not need
		topics     []string
		key        string
		unclear    []string
		fails      []string
	}{
		"document_number": {
			old: "legal_representative:\n", wrong: fields + "document_number: cpf_x\n",
			topics: []string{"cpf", "echo", "success", "response"},
			key:    "fields.document_number", unclear: []string{"create.cpf.letters"},
		},
		"on_behalf_of": {
			old: "    on_behalf_of: ", wrong: "    on_behalf_of: x-for # ",
			topics: []string{"header"}, key: "headers.on_behalf_of",
			unclear: []string{"create.header.on_behalf_of.runs_as", "create.header.on_behalf_of.unknown"},
		},
		// A header that nobody requires is a finding, whatever its name.
		"nonce": {
			old: "    nonce: ", wrong: "    nonce: x-once # ", ignored: "nonce",
			topics: []string{"header"}, key: "headers.nonce",
			unclear: []string{"create.header.nonce.malformed"},
			fails:   []string{"create.header.nonce.absent"},
		},
		"transaction_id": {
			old: "    transaction_id: ", wrong: "    transaction_id: x-object # ",
			ignored: "x-transaction-uuid", topics: []string{"header", "repeat"},
			key:     "headers.transaction_id",
			unclear: []string{"create.repeat.identical", "create.header.transaction_id.malformed"},
			fails:   []string{"create.header.transaction_id.absent"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := judge(t, suitetest.SuiteRunner{
				Options:     reference.Options{Seed: 5},
				WrapGateway: filling(uuid.NewString, strings.Fields(c.ignored)...),
				KeepRule:    func(r rules.Rule) bool { return slices.Contains(c.topics, r.Topic()) },
				EditYAML:    func(yaml string) string { return strings.Replace(yaml, c.old, c.wrong, 1) },
			})
			failsOnly(t, o, c.fails...)
			for _, rule := range c.unclear {
				named := func(r record.CheckResult) bool {
					return r.Rule == rule && r.Verdict == record.VerdictInconclusive &&
						strings.Contains(r.Message, "check legal_representative."+c.key+":")
				}
				if !slices.ContainsFunc(o.Checks, named) {
					t.Errorf("%s does not name %s:%s", rule, c.key,
						o.Explain(record.VerdictInconclusive, record.VerdictNotVerified))
				}
			}
		})
	}
}

// A deployment that is described by its right names is blamed for each violation.
func TestNamesOfTheFileThatAreReadAreJudged(t *testing.T) {
	named := testmust.Get(reference.FindVariant("other-names"))(t)
	for rule, fault := range map[string]string{
		"create.cpf.letters":     "create.cpf.letters_accepted",
		"create.echo.birth_date": "create.echo.birth_date_moved",
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			failsOnly(t, judge(t, suitetest.SuiteRunner{
				Options:  reference.Options{Seed: 3, Faults: []string{fault}, Choices: named.Choices},
				KeepRule: only(rule),
			}), rule)
		})
	}
}
