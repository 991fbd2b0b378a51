// Package sarif writes a recorded run for code scanning: SARIF 2.1.0, which GitHub, GitLab and editors read.
package sarif

import (
	"cmp"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

const (
	schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	moment = "2006-01-02T15:04:05.000Z"
	// severity is how GitHub ranks a security rule: high.
	severity = "8.0"

	textLimit = 4000 // characters of a text
)

// Write renders a run: a rule for each of the run, and one result for each rule that failed, an error where that is a
// violation and a warning where it is none. A waived rule is a result that is suppressed, with the waiver's reason. What
// could not be judged is no result, but the invocation says why the run gives no verdict.
func Write(r record.Run) ([]byte, error) {
	known := []record.Outcome{record.Conformant, record.Violations, record.Partial}
	call := invocation{
		Successful: !r.Run.Partial && slices.Contains(known, r.Verdict),
		Start:      r.Run.StartedAt.UTC().Format(moment), End: r.Run.FinishedAt.UTC().Format(moment),
		Command: clean(r.Run.Command),
	}
	if !call.Successful {
		call.Notifications = []notification{{text{clean(cmp.Or(r.Reason, "the run gives no verdict"))}, "error"}}
	}
	// Alerts of a deployment are closed by a later run of the same, which what stands before the last slash says.
	out := run{
		Automation:  automation{"gateassay/" + clean(r.Run.Deployment) + "/" + clean(r.Run.ID)},
		Invocations: []invocation{call}, Results: []result{},
	}
	out.Tool.Driver = driver{Name: "gateassay", Version: clean(r.Run.Version), Rules: []descriptor{}}
	where := place(r.Run)
	for i, rule := range r.Rules {
		out.Tool.Driver.Rules = append(out.Tool.Driver.Rules, describe(rule))
		if slices.Contains([]record.Verdict{record.Fail, record.Warned, record.Waived}, rule.Shown()) {
			out.Results = append(out.Results, found(r.Run, rule, i, where))
		}
	}
	return printable.JSON(log{schema, "2.1.0", []run{out}})
}

func describe(r record.Rule) descriptor {
	d := descriptor{
		ID: clean(r.ID), Short: text{clean(r.Statement)}, Full: text{clean(r.Statement + " Section: " + r.Section)},
		Configuration: configuration{level(r)}, Help: text{clean("gateassay rules " + r.ID + " explains the rule.")},
		Properties: properties{Tags: []string{clean(digest.OperationOf(r.ID)), clean(r.Level)}},
	}
	if r.Security {
		d.Properties.Severity, d.Properties.Tags = severity, append(d.Properties.Tags, "security")
	}
	return d
}

// level is that of the result of a rule that failed.
func level(r record.Rule) string {
	if r.Binding() {
		return "error"
	}
	return "warning"
}

func found(info record.Info, r record.Rule, index int, at location) result {
	one := result{
		Rule: clean(r.ID), Index: index, Level: level(r), Message: text{message(info, r)}, Locations: []location{at},
		Fingerprints: map[string]string{"gateassay/v1": clean(info.Deployment + " " + r.ID)}, // however it fails
	}
	if w := r.Waiver; w != nil {
		one.Suppressions = []suppression{{"external", clean("waived until " + w.Until + ": " + w.Reason)}}
	}
	return one
}

// message says what is wrong, then what the decisive check sent, expected and got, and the command that repeats it.
func message(info record.Info, r record.Rule) string {
	lines := []string{record.Headline(r)}
	if checks := digest.Deciding(r); len(checks) > 0 {
		c := checks[0]
		for _, fact := range []digest.Fact{
			{Name: "sent", Value: c.Sent},
			{Name: digest.Expected, Value: cmp.Or(c.Expected, c.Want)},
			{Name: digest.Actual, Value: cmp.Or(c.Actual, c.Got)},
		} {
			if fact.Value != "" {
				lines = append(lines, fact.Name+": "+fact.Value)
			}
		}
	}
	lines = append(lines, "repeat: "+digest.Rerun(info.File, r.ID))
	all := strings.TrimSpace(printable.CleanLines(strings.Join(lines, "\n")))
	return printable.Clip(strings.ReplaceAll(all, "](", "] ("), textLimit) // which would be a link
}

// place is the deployment file, since scanners want a file of the repository; without one the address of the gateway.
func place(info record.Info) (l location) {
	at := &url.URL{Path: filepath.ToSlash(info.File)}
	if parsed, err := url.Parse(info.BaseURL); info.File == "" && err == nil {
		at = parsed
	}
	l.Physical.Artifact.URI, l.Physical.Region.StartLine = at.String(), 1
	return l
}

func clean(s string) string { return printable.Clip(printable.Clean(s), textLimit) }
