// Package junit writes JUnit XML, and a recorded run as such.
package junit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// Write renders a run: a test suite for each operation, a test case for each rule. A violated rule
// is a failure, an inconclusive must rule an error; another inconclusive rule, and one that was not
// verified, is waived or is only observed is skipped, with the reason: nothing that was not judged
// counts as passed. A warning is a passed case with what was found as its output, so that the file
// is as green as the exit code; in a strict run it is a failure. A run that was interrupted, or
// that gives no verdict, has one test case more, which is an error, so that what it skipped does
// not look like a pass.
func Write(run record.Run) ([]byte, error) {
	info := run.Run
	d := Document{
		Name: "gateassay conform",
		Time: Seconds(info.FinishedAt.Sub(info.StartedAt).Seconds()),
	}
	properties := []Property{
		{"base_url", info.BaseURL},
		{"deployment", info.Deployment},
		{"run", info.ID},
		{"seed", strconv.FormatInt(info.Seed, 10)},
		{"version", info.Version},
		{"command", info.Command},
		{"verdict", string(run.Verdict)},
		{"partial", strconv.FormatBool(info.Partial)},
	}
	add := func(name string, cases []Case, more ...Property) {
		host := info.Deployment
		if strings.TrimSpace(host) == "" {
			host = "localhost"
		}
		d.Suites = append(d.Suites, Suite{
			Name: name, Host: host, At: At(info.StartedAt), Properties: append(more, properties...),
			Cases: cases,
		})
	}
	for _, op := range digest.Operations(run) {
		var cases []Case
		for _, r := range op.Rules {
			c := verdict(run, r)
			c.Class, c.Name = op.Name+"."+digest.Topic(r.ID), r.ID
			for _, check := range r.Checks {
				c.Time += Seconds(max(0, check.DurationMS)) / 1000
			}
			cases = append(cases, c)
		}
		add(op.Name, cases, Property{"observed", strconv.Itoa(op.Counts.Observed)},
			Property{"waived", strconv.Itoa(op.Counts.Waived)},
			Property{"warnings", strconv.Itoa(op.Counts.Warn)})
	}
	if c, open := ended(run); open {
		add("run", []Case{c})
	}
	return d.XML()
}

// ended is the test case of a run that cannot stand for all of its rules.
func ended(run record.Run) (c Case, open bool) {
	why := &Result{Message: run.Reason}
	switch {
	case run.Run.Partial:
		why.Type = "interrupted"
		why.Text = why.Message + "\n\nThe run was interrupted: rules that it did not reach are skipped " +
			"here and were not " +
			"verified. Run it again."
	case run.Verdict == record.NoVerdict || run.Verdict == "":
		why.Type = "no_verdict"
		why.Text = why.Message + "\n\nThe run gives no verdict. Check with gateassay doctor whether the " +
			"deployment can be " +
			"tested, then run it again."
	default:
		return Case{}, false
	}
	return Case{Class: "run.verdict", Name: "run.verdict", Error: why}, true
}

// verdict is a rule's test case with its result.
func verdict(run record.Run, r record.RuleResult) Case {
	switch r.DisplayVerdict() {
	case record.Pass:
		return Case{}
	case record.Warned:
		if run.Run.Strict {
			return Case{Failure: &Result{"warning", reason(r), "warning: " + conformance.Card(run, r)}}
		}
		return Case{Output: &Output{"warning: " + conformance.Card(run, r)}}
	case record.Fail:
		return Case{Failure: &Result{"violated." + r.Level, reason(r), conformance.Card(run, r)}}
	case record.NotVerified:
		why := "not verified: " + reason(r)
		if need := digest.Need(r); need != "" {
			why = "not verified: add " + need + " to the deployment file"
		}
		return Case{Skipped: &Result{Type: "not_verified", Message: why}}
	case record.Observed:
		return Case{
			Skipped: &Result{Type: "observed", Message: "observed, not judged: the document leaves it open"},
		}
	case record.Waived:
		why := "waived"
		if w := r.Waiver; w != nil {
			why = fmt.Sprintf("waived by %s until %s: %s", w.Rule, w.Until, w.Reason)
		}
		return Case{Skipped: &Result{"waived", why, why + "\n" + conformance.Card(run, r)}}
	}
	result := &Result{"inconclusive", reason(r), conformance.Card(run, r)}
	// they leave the run its verdict
	if r.Level == string(rules.Should) || r.Level == string(rules.Observe) {
		return Case{Skipped: result}
	}
	return Case{Error: result}
}

func reason(r record.RuleResult) string {
	if r.Reason == "" {
		return r.Statement
	}
	return r.Reason
}
