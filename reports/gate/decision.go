package gate

import (
	"fmt"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/junit"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
)

// RequirementState is the result of one requirement of a policy.
type RequirementState string

// The states. A release passes only if every finding held.
const (
	StateHeld      RequirementState = "held"
	StateBlocked   RequirementState = "blocked"   // shown not to hold
	StateUndecided RequirementState = "undecided" // not shown to hold
)

// RequirementFinding is the result of one requirement. Its texts may contain anything.
type RequirementFinding struct {
	Subject string // a deployment, or the path of an unusable run
	Check   string // stable name, such as conformance.verified
	State   RequirementState
	Message string // one sentence
	Details []string
}

// name returns the name of the requirement, such as "conformance.verified of staging".
func (f RequirementFinding) name() string {
	if f.Subject == "" {
		return f.Check
	}
	return f.Check + " of " + f.Subject
}

// Decision is the decision of a policy about runs.
type Decision struct {
	Policy   *Policy
	At       time.Time
	Verdict  RequirementState
	Runs     []recorded.Run       // readable runs, in the given order
	Findings []RequirementFinding // blocking findings first
}

// ExitCode returns 0 if all findings held, 1 if one is blocked, otherwise 3.
func (d Decision) ExitCode() int {
	return map[RequirementState]int{StateBlocked: 1, StateUndecided: 3}[d.Verdict]
}

var stateTones = map[RequirementState]view.Tone{
	StateHeld: view.ToneGood, StateBlocked: view.ToneBad, StateUndecided: view.ToneUnsure,
}

// Report returns the decision and its reasons, the blocking ones first.
func Report(d Decision) view.Report {
	runs := view.Table{Label: "Runs", Columns: view.Columns(
		"run", "kind", "deployment", "address", "verdict", "finished", "age")}
	for _, r := range d.Runs {
		runs.Add(r.Path, r.Kind, r.Deployment, r.BaseURL, r.VerdictText(), view.FormatUTC(r.Finished),
			view.FormatDuration(d.At.Sub(r.Finished)))
	}
	return view.Report{
		Headline: decisionHeadline(d), Tone: stateTones[d.Verdict], Why: []string{countsText(d)},
		Parts: []view.Part{
			findingsPart(d, StateBlocked, "Not met"),
			findingsPart(d, StateUndecided, "Not decided"),
			{Title: runs.Label, In: view.FormMarkdown, Blocks: []view.Block{{Table: &runs}}},
			findingsPart(d, StateHeld, "Met"),
			{In: view.FormMarkdown, Blocks: []view.Block{{
				Note: fmt.Sprintf("Policy %s, decided %s.", d.Policy.File, formatTime(d.At)),
			}}},
		},
	}
}

func findingsPart(d Decision, state RequirementState, title string) view.Part {
	var block view.Block
	for _, f := range d.Findings {
		if f.State != state {
			continue
		}
		item := view.Item{Tone: stateTones[state], Title: f.name() + ": " + f.Message}
		for _, detail := range f.Details {
			item.Lines = append(item.Lines, view.Cells(detail))
		}
		block.Items = append(block.Items, item)
	}
	return view.Part{Title: title, Blocks: []view.Block{block}}
}

func decisionHeadline(d Decision) string {
	word := map[RequirementState]string{
		StateHeld: "passes", StateBlocked: "blocked", StateUndecided: "not decided",
	}[d.Verdict]
	if d.Policy.Name != "" {
		return printable.Clip(d.Policy.Name, 200) + ": " + word
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

func countsText(d Decision) string {
	n := map[RequirementState]int{}
	for _, f := range d.Findings {
		n[f.State]++
	}
	text := fmt.Sprintf("%d of %s met", n[StateHeld],
		printable.Quantity(len(d.Findings), "requirement"))
	if n[StateBlocked] > 0 {
		text += fmt.Sprintf(", %d not met", n[StateBlocked])
	}
	if n[StateUndecided] > 0 {
		text += fmt.Sprintf(", %d not decided", n[StateUndecided])
	}
	return text
}

// JUnit returns a decision as JUnit XML: a suite for each deployment and each run, a case for each
// requirement. A blocked one is a failure, an undecided one an error, and nothing is skipped.
func JUnit(d Decision) ([]byte, error) {
	doc := junit.Document{Name: "gateassay report gate", At: d.At, Properties: []junit.Property{
		{Name: "policy", Value: d.Policy.File}, {Name: "decision", Value: string(d.Verdict)},
	}}
	for _, b := range digest.GroupBy(d.Findings,
		func(f RequirementFinding) string { return f.Subject }) {
		suite := junit.TestSuite{Name: b.Key}
		for _, f := range b.Items {
			kind, _, _ := strings.Cut(f.Check, " ")
			c := junit.TestCase{Class: "gate." + kind, Name: f.name()} // CI tracks cases by this
			result := &junit.CaseResult{
				Type: string(f.State), Message: f.Message,
				Text: strings.Join(append([]string{f.Message}, f.Details...), "\n"),
			}
			switch f.State {
			case StateBlocked:
				c.Failure = result
			case StateUndecided:
				c.Error = result
			}
			suite.Cases = append(suite.Cases, c)
		}
		doc.Suites = append(doc.Suites, suite)
	}
	return doc.MarshalXMLFile()
}
