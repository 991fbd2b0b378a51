package export_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/export"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/suitetest"
)

// judge runs the suite against a reference gateway. edit may rewrite the deployment file first.
func judge(t *testing.T, o reference.Options, edit func(yaml string) string) suitetest.Outcome {
	t.Helper()
	return judgeBehind(t, o, nil, edit)
}

// judgeBehind does so behind a handler that interferes, for all rules or for some.
func judgeBehind(t *testing.T, o reference.Options, wrap func(http.Handler) http.Handler, edit func(yaml string) string, ids ...string) suitetest.Outcome {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = 7
	}
	b := suitetest.Bench{Add: export.Add, Options: o, Wrap: wrap, Seed: 11}
	b.Edit = func(yaml string) string {
		yaml = strings.Replace(yaml, "timeout: 30s", "timeout: 6s", 1) // a file that never comes need not be waited for long
		if edit != nil {
			yaml = edit(yaml)
		}
		return yaml
	}
	if len(ids) > 0 {
		b.Keep = func(c *plan.Check) bool { return slices.Contains(ids, c.Rule.ID) }
	}
	return b.Judge(t)
}

func TestEveryRuleHasACheck(t *testing.T) {
	judge(t, reference.Options{Choices: reference.Choices{MinimalFile: true}}, nil).Covers(t, "export")
}

func TestAConformantGatewayPasses(t *testing.T) {
	j := judge(t, reference.Options{}, nil)
	if text := j.Explain(record.Fail, record.Inconclusive, record.NotVerified); text != "" {
		t.Error(text)
	}
	stats := j.Client.Stats()
	if stats.PeakInFlight < 2 {
		t.Errorf("%d requests were in flight at most: nothing ran at once", stats.PeakInFlight)
	}
	t.Logf("%d requests, %d exports", stats.Sent, stats.Exports)
	for _, o := range j.Plan.Observations() {
		t.Logf("%s: %s", o.ID, o.Observed)
	}
}

// The one fault that a shared deployment is most likely to have, and that only rows with both dates can show, must not
// be blamed on any other rule.
func TestBoundsThatIgnoreTheSortFailOneRule(t *testing.T) {
	j := judge(t, reference.Options{Faults: []string{"export.range.always_created"}}, nil)
	if failed := j.Failed(); !slices.Equal(failed, []string{"export.range.follows_sort"}) {
		t.Errorf("failed: %v%s", failed, j.Explain(record.Fail))
	}
}
