package digest

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/suites/record"
)

// Level is the level of a rule as reports show it, with the mark of what protects data or money.
func Level(r record.RuleResult) string {
	if r.Security {
		return r.Level + ", security"
	}
	return r.Level
}

// WaiverState says in words what is the matter with a waiver.
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

// Ended is the word that reports use for the verdict of a check.
func Ended(v record.Verdict) string {
	if v == record.Fail {
		return "failed"
	}
	return Word(v)
}

// Word is the word that reports use for the verdict of a rule, as it is shown.
func Word(v record.Verdict) string {
	word := map[record.Verdict]string{
		record.NotVerified: "not verified", record.Fail: "violated",
		record.Pass: "passed",
	}[v]
	return cmp.Or(word, printable.Clean(string(v)))
}

// Tally is how many rules have a verdict.
type Tally struct {
	Verdict record.Verdict
	N       int
}

// Word is that of the verdict, for so many rules.
func (t Tally) Word() string {
	if t.Verdict == record.Warned && t.N != 1 {
		return "warnings"
	}
	return Word(t.Verdict)
}

func (t Tally) String() string { return fmt.Sprintf("%d %s", t.N, t.Word()) }

// Tallies are the counts by verdict, the worst first.
func Tallies(c record.VerdictCounts) []Tally {
	return []Tally{
		{record.Fail, c.Fail},
		{record.Warned, c.Warn},
		{record.Inconclusive, c.Inconclusive},
		{record.NotVerified, c.NotVerified},
		{record.Waived, c.Waived},
		{record.Pass, c.Pass},
		{record.Observed, c.Observed},
	}
}

// InWords are those that are not 0.
func InWords(list []Tally) string {
	var parts []string
	for _, t := range list {
		if t.N > 0 {
			parts = append(parts, t.String())
		}
	}
	return strings.Join(parts, ", ")
}

// Headline is the verdict of a run in capitals, with what was selected where that is not all.
func Headline(run record.Run) string {
	word := strings.ToUpper(printable.Clean(string(run.Verdict)))
	if word == "" {
		word = "NO VERDICT"
	}
	if run.Run.Partial && run.Verdict != record.Partial {
		word += " (interrupted)"
	}
	if s := run.Run.Selected; s.IsPartial() {
		word += ", " + s.String()
	}
	return word
}

// Tone is how the verdict of any kind of run is shown: ok, bad or unsure.
func Tone(verdict string) string {
	switch verdict {
	case "conformant", "passed", "pass", "held":
		return "ok"
	case "violations", "fail":
		return "bad"
	}
	return "unsure"
}

// Created says what the run left on the deployment; empty: nothing.
func Created(run record.Run) string {
	var parts []string
	if n := run.Run.Created.LegalRepresentatives; n > 0 {
		parts = append(parts, Quantity(n, "legal representative"))
	}
	if n := run.Run.Created.Exports; n > 0 {
		parts = append(parts, Quantity(n, "export"))
	}
	return strings.Join(parts, ", ")
}

// Quantity writes a number with its noun in singular or plural.
func Quantity(n int, noun string) string { return printable.Quantity(n, noun) }

// Anchor is the end of the address of a rule on the page of a run, behind "#rule-".
func Anchor(id string) string { return url.PathEscape(printable.Truncate(id, 120)) }

// Rerun is the command that runs some rules alone.
func Rerun(deployment string, rules ...string) string {
	command := "gateassay conform"
	for _, p := range rules {
		command += " --rule " + Quote(p)
	}
	if deployment != "" {
		command += " -d " + Quote(deployment)
	}
	return command
}

var harmless = regexp.MustCompile(`^[a-zA-Z0-9._/:@%+=,-]+$`)

// Quote makes an argument safe for a POSIX shell; control characters, which no argument of ours
// holds, are shown, not kept.
func Quote(s string) string {
	if s = printable.Clean(s); harmless.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
