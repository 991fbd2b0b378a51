// Package sarif writes a recorded run as SARIF 2.1.0 for code scanning by GitHub, GitLab and
// editors.
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
	securitySeverity = "8.0" // severity of security rules; GitHub calls it high
	maxTextChars     = 4000  // characters of a text
)

// object is a JSON object. SARIF libraries omit an empty list of results, which means that nothing
// was scanned, or write every possible list.
type object map[string]any

func messageObject(s string) object { return object{"text": clean(s)} }

func clean(s string) string { return printable.Truncate(printable.Clean(s), maxTextChars) }

// Render renders a run: each rule, and a result for each failed rule, an error for a violation and
// otherwise a warning. A waived rule is a suppressed result with the waiver's reason. Rules
// without a judgement have no result, but the invocation says why the run has no verdict.
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
		// A later run closes alerts of a run with the same text before the last slash.
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

// resultLevel returns the level of the result of a failed rule.
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
		// Independent of how the rule fails.
		"partialFingerprints": object{"gateassay/v1": clean(info.Deployment + " " + r.ID)},
	}
	if w := r.Waiver; w != nil {
		one["suppressions"] = []object{{
			"kind": "external", "justification": clean("waived until " + w.Until + ": " + w.Reason),
		}}
	}
	return one
}

// resultMessage returns the headline, what the decisive check sent, expected and got, and the
// command.
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
	// "](" would make a link
	return printable.Truncate(strings.ReplaceAll(all, "](", "] ("), maxTextChars)
}

// artifactLocation returns the deployment file, because scanners require a file, or the gateway's
// address.
func artifactLocation(info record.RunInfo) object {
	at := &url.URL{Path: filepath.ToSlash(info.File)}
	if parsed, err := url.Parse(info.BaseURL); info.File == "" && err == nil {
		at = parsed
	}
	return object{"physicalLocation": object{
		"artifactLocation": object{"uri": at.String()}, "region": object{"startLine": 1},
	}}
}
