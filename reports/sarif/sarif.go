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
	schema           = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	timestampLayout  = "2006-01-02T15:04:05.000Z"
	securitySeverity = "8.0" // of a security rule, which GitHub calls high
	textLimit        = 4000  // characters of a text
)

// object is a JSON object. Libraries of SARIF leave an empty list of results out, which means that
// nothing was scanned, or write every list that there could be.
type object map[string]any

func messageObject(s string) object { return object{"text": clean(s)} }

func clean(s string) string { return printable.Truncate(printable.Clean(s), textLimit) }

// Write renders a run: a rule for each of the run, and one result for each rule that failed, an
// error where that is a violation and a warning where it is none. A waived rule is a result that is
// suppressed, with the waiver's reason. What could not be judged is no result, but the invocation
// says why the run gives no verdict.
func Write(r record.Run) ([]byte, error) {
	described, results, where := []object{}, []object{}, artifactLocation(r.Run)
	for i, rule := range r.Rules {
		described = append(described, describe(rule))
		switch rule.DisplayVerdict() {
		case record.Fail, record.Warned, record.Waived:
			results = append(results, result(r.Run, rule, i, where))
		}
	}
	return printable.JSON(object{"$schema": schema, "version": "2.1.0", "runs": []object{{
		"tool": object{"driver": object{
			"name": "gateassay", "version": clean(r.Run.Version), "rules": described,
		}},
		// Alerts of a deployment are closed by a later run with the same words before the last slash.
		"automationDetails": object{"id": "gateassay/" + clean(r.Run.Deployment) + "/" + clean(r.Run.ID)},
		"invocations":       []object{invocation(r)},
		"results":           results,
	}}})
}

func invocation(r record.Run) object {
	judged := slices.Contains(
		[]record.RunVerdict{record.Conformant, record.Violations, record.Partial},
		r.Verdict,
	)
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

func describe(r record.RuleResult) object {
	properties := object{"tags": []string{clean(digest.OperationOf(r.ID)), clean(r.Level)}}
	if r.Security {
		properties["tags"] = []string{clean(digest.OperationOf(r.ID)), clean(r.Level), "security"}
		properties["security-severity"] = securitySeverity
	}
	return object{
		"id": clean(r.ID), "shortDescription": messageObject(r.Statement),
		"fullDescription":      messageObject(r.Statement + " Section: " + r.Section),
		"help":                 messageObject("gateassay rules " + r.ID + " explains the rule."),
		"defaultConfiguration": object{"level": level(r)}, "properties": properties,
	}
}

// level is that of the result of a rule that failed.
func level(r record.RuleResult) string {
	if r.FailureIsViolation() {
		return "error"
	}
	return "warning"
}

func result(info record.RunInfo, r record.RuleResult, index int, where object) object {
	one := object{
		"ruleId": clean(r.ID), "ruleIndex": index, "level": level(r), "locations": []object{where},
		"message": object{"text": message(info, r)},
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

// message says what is wrong, then what the decisive check sent, expected and got, and the command
// that repeats it.
func message(info record.RunInfo, r record.RuleResult) string {
	lines := []string{record.Headline(r)}
	if checks := digest.DecidingChecks(r); len(checks) > 0 {
		for _, fact := range digest.Facts(checks[0]) {
			if fact.Name == digest.FactSent || fact.Name == digest.FactExpected ||
				fact.Name == digest.FactActual {
				lines = append(lines, fact.Name+": "+fact.Value)
			}
		}
	}
	lines = append(lines, "repeat: "+digest.RerunCommand(info.File, r.ID))
	all := strings.TrimSpace(printable.CleanLines(strings.Join(lines, "\n")))
	return printable.Truncate(strings.ReplaceAll(all, "](", "] ("), textLimit) // which would be a link
}

// artifactLocation is the deployment file, since scanners want a file of the repository; without
// one the address of the gateway.
func artifactLocation(info record.RunInfo) object {
	at := &url.URL{Path: filepath.ToSlash(info.File)}
	if parsed, err := url.Parse(info.BaseURL); info.File == "" && err == nil {
		at = parsed
	}
	return object{"physicalLocation": object{
		"artifactLocation": object{"uri": at.String()}, "region": object{"startLine": 1},
	}}
}
