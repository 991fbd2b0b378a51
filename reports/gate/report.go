package gate

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
)

var tones = map[State]view.Tone{Held: view.Good, Blocked: view.Bad, Undecided: view.Unsure}

// Report says what was decided and why: what speaks against the release first.
func Report(d Decision) view.Report {
	runs := view.Table{Label: "Runs", Columns: view.Columns(
		"run", "kind", "deployment", "address", "verdict", "finished", "age")}
	for _, r := range d.Runs {
		runs.Add(r.Path, r.Kind, r.Deployment, r.BaseURL, r.Said(), view.UTC(r.Finished),
			view.Lasted(d.At.Sub(r.Finished)))
	}
	return view.Report{
		Headline: headline(d), Tone: tones[d.Verdict], Why: []string{conclusion(d)},
		Parts: []view.Part{
			findings(d, Blocked, "Not met"),
			findings(d, Undecided, "Not decided"),
			{Title: runs.Label, In: view.Markdown, Blocks: []view.Block{{Table: &runs}}},
			findings(d, Held, "Met"),
			{In: view.Markdown, Blocks: []view.Block{{
				Note: fmt.Sprintf("Policy %s, decided %s.", d.Policy.File, moment(d.At)),
			}}},
		},
	}
}

func findings(d Decision, state State, title string) view.Part {
	var block view.Block
	for _, f := range d.Findings {
		if f.State != state {
			continue
		}
		item := view.Item{Tone: tones[state], Title: f.name() + ": " + f.Message}
		for _, detail := range f.Details {
			item.Lines = append(item.Lines, view.Cells(detail))
		}
		block.Items = append(block.Items, item)
	}
	return view.Part{Title: title, Blocks: []view.Block{block}}
}

// headline is a decision in a few words.
func headline(d Decision) string {
	word := map[State]string{Held: "passes", Blocked: "blocked", Undecided: "not decided"}[d.Verdict]
	if d.Policy.Name != "" {
		return printable.Clean(printable.Truncate(d.Policy.Name, 200)) + ": " + word
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// conclusion counts the requirements by their state.
func conclusion(d Decision) string {
	n := map[State]int{}
	for _, f := range d.Findings {
		n[f.State]++
	}
	text := fmt.Sprintf("%d of %s met", n[Held], digest.Quantity(len(d.Findings), "requirement"))
	if n[Blocked] > 0 {
		text += fmt.Sprintf(", %d not met", n[Blocked])
	}
	if n[Undecided] > 0 {
		text += fmt.Sprintf(", %d not decided", n[Undecided])
	}
	return text
}
