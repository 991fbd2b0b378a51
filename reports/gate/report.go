package gate

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
)

var stateTones = map[RequirementState]view.Tone{
	StateHeld: view.ToneGood, StateBlocked: view.ToneBad, StateUndecided: view.ToneUnsure,
}

// Report says what was decided and why: what speaks against the release first.
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

// decisionHeadline is a decision in a few words.
func decisionHeadline(d Decision) string {
	word := map[RequirementState]string{StateHeld: "passes", StateBlocked: "blocked", StateUndecided: "not decided"}[d.Verdict]
	if d.Policy.Name != "" {
		return printable.Clean(printable.Truncate(d.Policy.Name, 200)) + ": " + word
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// countsText counts the requirements by their state.
func countsText(d Decision) string {
	n := map[RequirementState]int{}
	for _, f := range d.Findings {
		n[f.State]++
	}
	text := fmt.Sprintf("%d of %s met", n[StateHeld], digest.Quantity(len(d.Findings), "requirement"))
	if n[StateBlocked] > 0 {
		text += fmt.Sprintf(", %d not met", n[StateBlocked])
	}
	if n[StateUndecided] > 0 {
		text += fmt.Sprintf(", %d not decided", n[StateUndecided])
	}
	return text
}
