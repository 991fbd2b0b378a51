// Package sarif writes a recorded run for code scanning: SARIF 2.1.0, which GitHub, GitLab and
// editors read.
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
	schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/" +
		"sarif-schema-2.1.0.json"
	timestampLayout  = "2006-01-02T15:04:05.000Z"
	securitySeverity = "8.0" // of a security rule, which GitHub calls high
	maxTextChars     = 4000  // characters of a text
)

// object is a JSON object. Libraries of SARIF leave an empty list of results out, which means that
// nothing was scanned, or write every list that there could be.
type object map[string]any

func messageObject(s string) object { return object{"text": clean(s)} }

func clean(s string) string { return printable.Truncate(printable.Clean(s), maxTextChars) }

// Render renders a run: a rule for each of the run, and one result for each rule that failed, an
// error where that is a violation and a warning where it is none. A waived rule is a result that is
// suppressed, with the waiver's reason. What could not be judged is no result, but the invocation
// says why the run gives no verdict.
func Render(r record.Run) ([]byte, error) {
	described, results, where := []object{}, []object{}, artifactLocation(r.Run)
	for i, rule := range r.Rules {
		described = append(described, ruleDescriptor(rule))
		switch rule.DisplayVerdict() {
		case record.VerdictFail, record.VerdictWarning, record.VerdictWaived:
			results = append(results, newResult(r.Run, rule, i, where))
		}
	}
	return printable.JSON(object{"$schema": schema, "version": "2.1.0", "runs": []object{{
		"tool": object{"driver": object{
			"name": "gateassay", "version": clean(r.Run.Version), "rules": described,
		}},
		// Alerts of a deployment are closed by a later run with the same words before the last slash.
		"automationDetails": object{"id": "gateassay/" + clean(r.Run.Deployment) + "/" + clean(r.Run.ID)},
		"invocations":       []object{newInvocation(r)},
		"results":           results,
	}}})
}

func newInvocation(r record.Run) object {
	judged := slices.Contains(
		[]record.RunVerdict{record.RunConformant, record.RunViolations, record.RunPartlyVerified},
		r.Verdict)
	call := object{
		"executionSuccessful": judged && !r.Run.Partial, "commandLine": clean(r.Run.Command),
		"startTimeUtc": r.Run.StartedAt.UTC().Format(timestampLayout),
		"endTimeUtc":   r.Run.FinishedAt.UTC().Format(timestampLayout),
	}
	if !judged || r.Run.Partial {
		call["toolExecutionNotifications"] = []object{{
			"level": "error", "message": messageObject(cmp.Or(r.Reason, "the run gives no verdict")),
		}}
	}
	return call
}

func ruleDescriptor(r record.RuleResult) object {
	properties := object{"tags": []string{clean(digest.OperationOf(r.ID)), clean(r.Level)}}
	if r.Security {
		properties["tags"] = []string{clean(digest.OperationOf(r.ID)), clean(r.Level), "security"}
		properties["security-severity"] = securitySeverity
	}
	return object{
		"id": clean(r.ID), "shortDescription": messageObject(r.Statement),
		"fullDescription":      messageObject(r.Statement + " Section: " + r.Section),
		"help":                 messageObject("gateassay rules " + r.ID + " explains the rule."),
		"defaultConfiguration": object{"level": resultLevel(r)}, "properties": properties,
	}
}

// resultLevel is that of the result of a rule that failed.
func resultLevel(r record.RuleResult) string {
	if r.FailureIsViolation() {
		return "error"
	}
	return "warning"
}

func newResult(info record.RunInfo, r record.RuleResult, index int, where object) object {
	one := object{
		"ruleId": clean(r.ID), "ruleIndex": index, "level": resultLevel(r), "locations": []object{where},
		"message": object{"text": resultMessage(info, r)},
		// The same however the rule fails.
		"partialFingerprints": object{"gateassay/v1": clean(info.Deployment + " " + r.ID)},
	}
	if w := r.Waiver; w != nil {
		one["suppressions"] = []object{{
			"kind": "external", "justification": clean("waived until " + w.Until + ": " + w.Reason),
		}}
	}
	return one
}

// resultMessage is the headline, what the decisive check sent, expected and got, and the command.
func resultMessage(info record.RunInfo, r record.RuleResult) string {
	lines := []string{record.Headline(r)}
	if checks := digest.DecidingChecks(r); len(checks) > 0 {
		for _, fact := range digest.FactsOf(checks[0]) {
			if digest.IsOfRequest(fact) {
				lines = append(lines, fact.Name+": "+fact.Value)
			}
		}
	}
	lines = append(lines, "repeat: "+digest.RerunCommand(info.File, r.ID))
	all := strings.TrimSpace(printable.CleanLines(strings.Join(lines, "\n")))
	// which would be a link
	return printable.Truncate(strings.ReplaceAll(all, "](", "] ("), maxTextChars)
}

// artifactLocation is the deployment file, as scanners want a file, or the gateway's address.
func artifactLocation(info record.RunInfo) object {
	at := &url.URL{Path: filepath.ToSlash(info.File)}
	if parsed, err := url.Parse(info.BaseURL); info.File == "" && err == nil {
		at = parsed
	}
	return object{"physicalLocation": object{
		"artifactLocation": object{"uri": at.String()}, "region": object{"startLine": 1},
	}}
}
