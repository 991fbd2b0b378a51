// Package junit writes JUnit XML, also of recorded runs.
package junit

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// RenderConformance renders a run: a test suite for each operation, a test case for each rule. A
// violated rule is a failure, an inconclusive must rule an error. Other inconclusive rules, and
// rules that were not verified, waived or only observed, are skipped with the reason, so that
// nothing unjudged counts as passed. A warning is a passed case with the finding as its output,
// like the exit code; in a strict run it is a failure. An interrupted run, and one without a
// verdict, has another test case that is an error, so that its skipped rules do not look like a
// pass.
func RenderConformance(run record.Run) ([]byte, error) {
	info := run.Run
	d := Document{
		Name: "gateassay conform", Time: Seconds(info.FinishedAt.Sub(info.StartedAt).Seconds()),
		Host: info.Deployment, At: info.StartedAt,
		Properties: []Property{
			{"base_url", info.BaseURL},
			{"deployment", info.Deployment},
			{"run", info.ID},
			{"seed", strconv.FormatInt(info.Seed, 10)},
			{"version", info.Version},
			{"command", info.Command},
			{"verdict", string(run.Verdict)},
			{"partial", strconv.FormatBool(info.Partial)},
		},
	}
	for _, op := range digest.RulesByOperation(run) {
		var cases []TestCase
		for _, r := range op.Items {
			c := ruleCase(run, r)
			c.Class, c.Name = op.Key+"."+digest.TopicOf(r.ID), r.ID
			for _, check := range r.Checks {
				c.Time += Seconds(max(0, check.DurationMS)) / 1000
			}
			cases = append(cases, c)
		}
		counts := record.CountVerdicts(op.Items)
		d.Suites = append(d.Suites, TestSuite{Name: op.Key, Cases: cases, Properties: []Property{
			{"observed", strconv.Itoa(counts.Observed)},
			{"waived", strconv.Itoa(counts.Waived)},
			{"warnings", strconv.Itoa(counts.Warn)},
		}})
	}
	if c, open := runCase(run); open {
		d.Suites = append(d.Suites, TestSuite{Name: "run", Cases: []TestCase{c}})
	}
	return d.MarshalXMLFile()
}

// runCase returns the additional test case of a run that does not stand for all of its rules.
func runCase(run record.Run) (c TestCase, open bool) {
	why := &CaseResult{Message: run.Reason}
	switch {
	case run.Run.Partial:
		why.Type = "interrupted"
		why.Text = why.Message + "\n\nThe run was interrupted: rules that it did not reach are skipped " +
			"here and were not verified. Run it again."
	case run.Verdict == record.RunNoVerdict || run.Verdict == "":
		why.Type = "no_verdict"
		why.Text = why.Message + "\n\nThe run gives no verdict. Check with gateassay doctor whether " +
			"the deployment can be tested, then run it again."
	default:
		return TestCase{}, false
	}
	return TestCase{Class: "run.verdict", Name: "run.verdict", Error: why}, true
}

func ruleCase(run record.Run, r record.RuleResult) TestCase {
	why := cmp.Or(r.Reason, r.Statement)
	switch r.DisplayVerdict() {
	case record.VerdictPass:
		return TestCase{}
	case record.VerdictNotVerified:
		why = "not verified: " + why
		if need := digest.MissingKeys(r); need != "" {
			why = "not verified: add " + need + " to the deployment file"
		}
		return TestCase{Skipped: &CaseResult{Type: "not_verified", Message: why}}
	case record.VerdictObserved:
		why = "observed, not judged: the document leaves it open"
		return TestCase{Skipped: &CaseResult{Type: "observed", Message: why}}
	}
	text := conformance.RuleText(run, r)
	switch r.DisplayVerdict() {
	case record.VerdictWarning:
		if text = "warning: " + text; run.Run.Strict {
			return TestCase{Failure: &CaseResult{"warning", why, text}}
		}
		return TestCase{Output: &CaseResult{Text: text}}
	case record.VerdictFail:
		return TestCase{Failure: &CaseResult{"violated." + r.Level, why, text}}
	case record.VerdictWaived:
		why = "waived"
		if w := r.Waiver; w != nil {
			why = fmt.Sprintf("waived by %s until %s: %s", w.Rule, w.Until, w.Reason)
		}
		return TestCase{Skipped: &CaseResult{"waived", why, why + "\n" + text}}
	}
	result := &CaseResult{"inconclusive", why, text}
	// these do not change the verdict of the run
	if r.Level == string(rules.Should) || r.Level == string(rules.Observe) {
		return TestCase{Skipped: result}
	}
	return TestCase{Error: result}
}
