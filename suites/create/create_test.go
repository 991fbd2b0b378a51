package create_test

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/create"
	"github.com/gateassay/gateassay/suites/plan"
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

// A value that the document allows without any doubt breaks the rule about it when it is refused, and no other rule.
func TestASoundValueThatIsRefusedFailsItsRule(t *testing.T) {
	for fault, rule := range map[string]string{
		"create.echo.name_accents_rejected": "create.echo.name", "create.echo.name_apostrophe_rejected": "create.echo.name",
		"create.echo.pep_true_rejected": "create.echo.pep", "create.echo.is_public_server_true_rejected": "create.echo.is_public_server",
		"create.cpf.zero_rejected":           "create.cpf.digits",
		"create.money.income.large_rejected": "create.money.income.integer",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			o := judge(t, suitetest.Bench{Options: reference.Options{Seed: 3, Faults: []string{fault}}})
			if failed := o.Failed(); !slices.Equal(failed, []string{rule}) {
				t.Errorf("failed: %v%s", failed, o.Explain(record.Fail, record.Inconclusive, record.NotVerified))
			}
		})
	}
}

// Names that are refused whatever their letters are not refused for these.
func TestAValueThatIsNotToBlame(t *testing.T) {
	var creations atomic.Int64
	o := wrapped(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && creations.Add(1) > 1 {
				w.WriteHeader(http.StatusUnprocessableEntity) // there may be no more representatives
				return
			}
			next.ServeHTTP(w, r)
		})
	}, nil, only("create.echo.name", "create.echo.pep", "create.echo.income"))
	o.None(t, record.Fail)
	if text := o.Explain(record.NotVerified); !strings.Contains(text, "neither was the same name in plain letters") {
		t.Error(text)
	}
}

// A deployment that knows no calendar makes one representative for each date, not one for each day that does not exist.
func TestDatesOfNoCalendarMakeFewRepresentatives(t *testing.T) {
	var faults []string
	for _, how := range []string{"day", "leap", "thirty_first", "zero", "day_32"} {
		faults = append(faults, "create.dates.birth_date_"+how+"_accepted")
	}
	o := judge(t, suitetest.Bench{
		Options: reference.Options{Seed: 3, Faults: faults},
		Keep:    func(c *plan.Check) bool { return c.Rule.ID == "create.dates.birth_date" },
	})
	if failed := o.Failed(); !slices.Equal(failed, []string{"create.dates.birth_date"}) {
		t.Errorf("failed: %v", failed)
	}
	if created := o.Client.Stats().Created; created != 2 { // the control, and one of them
		t.Errorf("created %d representatives", created)
	}
}
