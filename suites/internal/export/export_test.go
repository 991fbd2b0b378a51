package export_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/internal/export"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// judge runs the suite against a reference gateway. edit may rewrite the deployment file first.
func judge(t *testing.T, o reference.Options, edit func(yaml string) string) suitetest.SuiteResult {
	t.Helper()
	return judgeBehind(t, o, nil, edit)
}

// judgeBehind is judge behind a handler that interferes, for all rules or for some.
func judgeBehind(
	t *testing.T, o reference.Options, wrap func(http.Handler) http.Handler,
	edit func(yaml string) string, ids ...string,
) suitetest.SuiteResult {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = 7
	}
	b := suitetest.SuiteRunner{Options: o, WrapGateway: wrap, Seed: 11}
	b.Suite = func(p *spec.Plan, t *target.Target, l *lab.Lab) suitetest.Suite {
		return export.New(p, t, l)
	}
	b.EditYAML = func(yaml string) string {
		// do not wait long for a file that never comes
		yaml = strings.Replace(yaml, "timeout: 30s", "timeout: 6s", 1)
		if edit == nil {
			return yaml
		}
		return edit(yaml)
	}
	if len(ids) > 0 {
		b.KeepRule = func(r rules.Rule) bool { return slices.Contains(ids, r.ID) }
	}
	return b.Run(t)
}

// rewriting replaces the bodies of answers. rewrite returns nil to leave one as it is.
func rewriting(
	rewrite func(answer *httptest.ResponseRecorder) []byte,
) func(http.Handler) http.Handler {
	return suitetest.AlterAnswers(
		func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
			suitetest.ForwardAnswer(w, answer, rewrite(answer))
		})
}

func isFile(answer *httptest.ResponseRecorder) bool {
	return strings.HasPrefix(answer.Header().Get("Content-Type"), "text/csv")
}

// isFileWithoutRows reports whether an answer is a file of titles alone.
func isFileWithoutRows(answer *httptest.ResponseRecorder) bool {
	return isFile(answer) && strings.Count(answer.Body.String(), "\n") < 2
}

// failOnly fails the test unless exactly these rules failed.
func failOnly(t *testing.T, j suitetest.SuiteResult, failing ...string) {
	t.Helper()
	if failed := j.FailedRules(); !slices.Equal(failed, failing) {
		t.Errorf("failed: %v%s", failed, j.Explain(record.VerdictFail, record.VerdictInconclusive))
	}
}

func TestAConformantGatewayPasses(t *testing.T) {
	j := judge(t, reference.Options{}, nil)
	j.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved)
	stats := j.Client.Stats()
	if stats.PeakInFlight < 2 {
		t.Errorf("%d requests were in flight at most: nothing ran at once", stats.PeakInFlight)
	}
}

// Only a part of a very large window is compared. It shows the same defects, and no others.
func TestALargeWindowIsComparedInAPart(t *testing.T) {
	j := judge(t, reference.Options{Quotes: 20_100, Faults: []string{"export.range.end_inclusive"}},
		nil)
	failOnly(t, j, "export.range.end_exclusive")
}
