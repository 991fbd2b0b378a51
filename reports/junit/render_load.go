package junit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
)

// RenderLoad renders a load run: a test case for each threshold, for each rule that answers broke,
// and for the run itself. Failures of the deployment are failures. Send lag, an abort rule and
// other causes of a missing verdict are errors.
func RenderLoad(run results.Run) ([]byte, error) {
	info, failed := run.Run, run.Verdict == results.VerdictFail
	d := Document{
		Name: "gateassay load", Time: Seconds(info.FinishedAt.Sub(info.StartedAt).Seconds()),
		Host: info.Deployment, At: info.StartedAt,
		Properties: []Property{
			{"base_url", info.BaseURL},
			{"run", info.ID},
			{"version", info.Version},
			{"command", info.Command},
			{"plan_hash", info.PlanHash},
			{"verdict", string(run.Verdict)},
		},
	}
	var thresholds, rules []TestCase
	for _, t := range run.Thresholds {
		c, seen := TestCase{Class: "load.thresholds", Name: t.Expr}, "observed "+t.Observed
		switch {
		case t.OK:
			c.Output = &CaseResult{Text: seen}
		case t.Late:
			c.Error = &CaseResult{Type: "late", Message: seen + "; " + t.Reason}
		case t.Observed == threshold.NoData && !failed:
			c.Error = &CaseResult{Type: "no_data", Message: t.Reason}
		case t.Observed == threshold.NoData:
			c.Failure = &CaseResult{Type: "no_data", Message: t.Reason}
		default:
			c.Failure = &CaseResult{Type: "missed", Message: seen + ", " + t.Margin()}
		}
		thresholds = append(thresholds, c)
	}
	for _, v := range run.Violations {
		c := TestCase{Class: "load.rules", Name: v.Rule}
		text := fmt.Sprintf("%d answers: %s", v.Count, digest.RuleStatement(v.Rule))
		if failed {
			c.Failure = &CaseResult{Type: "violated", Message: text}
		} else {
			c.Output = &CaseResult{Text: text} // the plan tolerates it
		}
		rules = append(rules, c)
	}
	whole := TestCase{Class: "load.run", Name: "load.run"}
	said := strings.Join(append([]string{run.Reason}, warnings(run)...), "\n")
	switch {
	case info.Aborted != "":
		whole.Error = &CaseResult{"aborted", info.Aborted, said}
	case info.Partial:
		whole.Error = &CaseResult{"interrupted", run.Reason, said}
	case !failed && run.Verdict != results.VerdictPass:
		whole.Error = &CaseResult{"no_verdict", run.Reason, said}
	case failed && !slices.ContainsFunc(slices.Concat(thresholds, rules),
		func(c TestCase) bool { return c.Failure != nil }):
		whole.Failure = &CaseResult{"failed", run.Reason, said}
	default:
		whole.Output = &CaseResult{Text: said}
	}
	d.Suites = slices.DeleteFunc([]TestSuite{
		{Name: "thresholds", Cases: thresholds},
		{Name: "rules", Cases: rules},
		{Name: "run", Cases: []TestCase{whole}},
	}, func(s TestSuite) bool { return s.Cases == nil })
	return d.MarshalXMLFile()
}

// warnings returns what limits the verdict of a run.
func warnings(run results.Run) (list []string) {
	if g := run.Generator; run.Requests.Sent > 0 && g.Reason != "" {
		list = append(list, "generator: "+g.Reason)
	}
	if n := run.Requests.Canceled; n > 0 {
		list = append(list, printable.Quantity(n, "request")+" not answered when the run was stopped")
	}
	for _, note := range run.Notes {
		list = append(list, "note: "+note)
	}
	return list
}
