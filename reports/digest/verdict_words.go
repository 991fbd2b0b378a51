package digest

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// FormatLevel returns the level of a rule as reports show it, with the mark of a security rule.
func FormatLevel(level string, security bool) string {
	if security {
		return level + ", security"
	}
	return level
}

// WaiverState describes the state of a waiver.
func WaiverState(w record.WaiverStatus) string {
	text := map[string]string{
		record.WaiverInUse:     "in use until " + w.Until,
		record.WaiverExpired:   "expired after " + w.Until + ": fix the deployment or renew the waiver",
		record.WaiverNotNeeded: "no longer needed: its rules pass, remove it",
		record.WaiverUndecided: "may not be needed: none of its rules failed, some stayed unverified",
		record.WaiverUnknown:   "names no rule: see gateassay rules",
	}[w.State]
	return cmp.Or(text, w.State)
}

// CheckVerdictWord returns the word of reports for the verdict of a check.
func CheckVerdictWord(v record.Verdict) string {
	if v == record.VerdictFail {
		return "failed"
	}
	return RuleVerdictWord(v)
}

// RuleVerdictWord returns the word of reports for the displayed verdict of a rule.
func RuleVerdictWord(v record.Verdict) string {
	word := map[record.Verdict]string{
		record.VerdictNotVerified: "not verified", record.VerdictFail: "violated",
		record.VerdictPass: "passed",
	}[v]
	return cmp.Or(word, printable.Clean(string(v)))
}

// VerdictTally is the number of rules with a verdict.
type VerdictTally struct {
	Verdict record.Verdict
	N       int
}

// Word returns the word for the verdict, in the singular or plural.
func (t VerdictTally) Word() string {
	if t.Verdict == record.VerdictWarning && t.N != 1 {
		return "warnings"
	}
	return RuleVerdictWord(t.Verdict)
}

func (t VerdictTally) String() string { return fmt.Sprintf("%d %s", t.N, t.Word()) }

// VerdictTallies returns the counts by verdict, the worst first.
func VerdictTallies(c record.VerdictCounts) []VerdictTally {
	return []VerdictTally{
		{record.VerdictFail, c.Fail},
		{record.VerdictWarning, c.Warn},
		{record.VerdictInconclusive, c.Inconclusive},
		{record.VerdictNotVerified, c.NotVerified},
		{record.VerdictWaived, c.Waived},
		{record.VerdictPass, c.Pass},
		{record.VerdictObserved, c.Observed},
	}
}

// FormatTallies returns the counts other than 0 as text.
func FormatTallies(c record.VerdictCounts) string {
	var parts []string
	for _, t := range VerdictTallies(c) {
		if t.N > 0 {
			parts = append(parts, t.String())
		}
	}
	return strings.Join(parts, ", ")
}

// RuleStatement returns the statement of a rule of the catalogue; empty: there is no such rule.
func RuleStatement(id string) string {
	if r, err := suites.FindRule(id); err == nil {
		return r.Statement
	}
	return ""
}

// RunHeadline returns the verdict of a run in capitals, with the selection if it is not complete.
func RunHeadline(run record.Run) string {
	word := strings.ToUpper(printable.Clean(string(run.Verdict)))
	if word == "" {
		word = "NO VERDICT"
	}
	if run.Run.Partial && run.Verdict != record.RunPartlyVerified {
		word += " (interrupted)"
	}
	if s := run.Run.Selected; s.IsPartial() {
		word += ", " + s.String()
	}
	return word
}

// VerdictTone returns the tone of the verdict of any kind of run.
func VerdictTone(verdict string) view.Tone {
	switch verdict {
	case "conformant", "passed", "pass", "held":
		return view.ToneGood
	case "violations", "fail":
		return view.ToneBad
	}
	return view.ToneUnsure
}

// CreatedText returns what the run created on the deployment; empty: nothing.
func CreatedText(run record.Run) string {
	var parts []string
	if n := run.Run.Created.LegalRepresentatives; n > 0 {
		parts = append(parts, printable.Quantity(n, "legal representative"))
	}
	if n := run.Run.Created.Exports; n > 0 {
		parts = append(parts, printable.Quantity(n, "export"))
	}
	return strings.Join(parts, ", ")
}

// RuleAnchor returns the part of a rule's anchor after "#rule-" on the page of a run.
func RuleAnchor(id string) string { return url.PathEscape(printable.Truncate(id, 120)) }

// RerunCommand returns the command that runs only these rules.
func RerunCommand(deployment string, rules ...string) string {
	command := "gateassay conform"
	for _, p := range rules {
		command += " --rule " + ShellQuote(p)
	}
	if deployment != "" {
		command += " -d " + ShellQuote(deployment)
	}
	return command
}

var safeArgument = regexp.MustCompile(`^[a-zA-Z0-9._/:@%+=,-]+$`)

// ShellQuote quotes an argument for a POSIX shell. It replaces control characters, which our
// arguments do not have.
func ShellQuote(s string) string {
	if s = printable.Clean(s); safeArgument.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
