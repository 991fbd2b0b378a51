package suitetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// SuiteResult is the result of a run of a suite.
type SuiteResult struct {
	Checks []record.CheckResult // in the order of declaration
	Plan   *spec.Plan
	Client *client.Client // closed; its statistics and exchanges remain available
}

// CheckVerdictsOf returns the verdicts of the checks of a rule.
func (o SuiteResult) CheckVerdictsOf(rule string) []record.Verdict {
	var list []record.Verdict
	for _, r := range o.Checks {
		if r.Rule == rule {
			list = append(list, r.Verdict)
		}
	}
	return list
}

// Verdicts returns the verdict of each rule: the worst of its checks.
func (o SuiteResult) Verdicts() map[string]record.Verdict {
	order := []record.Verdict{
		record.VerdictObserved,
		record.VerdictPass,
		record.VerdictNotVerified,
		record.VerdictInconclusive,
		record.VerdictFail,
	}
	worst := map[string]record.Verdict{}
	for _, r := range o.Checks {
		if slices.Index(order, r.Verdict) > slices.Index(order, worst[r.Rule]) {
			worst[r.Rule] = r.Verdict
		}
	}
	return worst
}

// RulesWithVerdict returns the IDs of the rules with a verdict, in the order of the catalogue.
func (o SuiteResult) RulesWithVerdict(v record.Verdict) []string {
	verdicts := o.Verdicts()
	var list []string
	for _, r := range o.Plan.Catalogue() {
		if verdicts[r.ID] == v {
			list = append(list, r.ID)
		}
	}
	return list
}

// FailedRules returns the IDs of the rules that failed, in the order of the catalogue.
func (o SuiteResult) FailedRules() []string { return o.RulesWithVerdict(record.VerdictFail) }

// Explain lists the checks with one of the verdicts. It is empty where there is none.
func (o SuiteResult) Explain(verdicts ...record.Verdict) string {
	var b strings.Builder
	for _, r := range o.Checks {
		if slices.Contains(verdicts, r.Verdict) {
			fmt.Fprintf(&b, "\n%s %s: %s: %s (expected %s; actual %s)", r.Verdict, r.Rule, r.Name, r.Message,
				r.Expected, r.Actual)
		}
	}
	return b.String()
}

// ExpectVerdicts fails the test for each check with any other verdict.
func (o SuiteResult) ExpectVerdicts(t *testing.T, verdicts ...record.Verdict) {
	t.Helper()
	var others []record.Verdict
	for _, c := range o.Checks {
		if !slices.Contains(verdicts, c.Verdict) {
			others = append(others, c.Verdict)
		}
	}
	if text := o.Explain(others...); text != "" {
		t.Error(text)
	}
}
