package gate

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
)

var tones = map[State]view.Tone{Held: view.Good, Blocked: view.Bad, Undecided: view.Unsure}

// Report is what a decision says: what speaks against the release first.
func Report(d Decision) view.Report {
	findings := map[bool][]view.Item{}
	for _, f := range d.Findings {
		item := view.Item{Badge: string(f.State), Tone: tones[f.State], Title: f.Subject + "  " + f.Check + ": " + f.Message}
		for _, detail := range f.Details {
			item.Lines = append(item.Lines, view.Cells(detail))
		}
		findings[f.State == Held] = append(findings[f.State == Held], item)
	}
	runs := view.Table{Label: "Runs", Columns: view.Columns("run", "kind", "deployment", "address", "verdict", "finished", "age")}
	for _, r := range d.Runs {
		runs.Add(r.Path, r.Kind, r.Deployment, r.BaseURL, r.Said(), view.UTC(r.Finished), view.Lasted(max(0, d.At.Sub(r.Finished))))
	}
	return view.Report{
		Headline: headline(d), Tone: tones[d.Verdict], Why: []string{conclusion(d)},
		Parts: []view.Part{
			{Title: "Why", Blocks: []view.Block{{Items: findings[false]}}},
			{Title: runs.Label, In: view.Markdown, Blocks: []view.Block{{Table: &runs}}},
			{Title: "Held", Blocks: []view.Block{{Items: findings[true]}}},
			{In: view.Markdown, Blocks: []view.Block{{Note: fmt.Sprintf("Policy %s, decided %s.", d.Policy.File, moment(d.At))}}},
		},
	}
}

// headline is a decision in a few words.
func headline(d Decision) string {
	word := map[State]string{Held: "passes", Blocked: "blocked", Undecided: "not decided"}[d.Verdict]
	if d.Policy.Name != "" {
		return printable.Clean(printable.Clip(d.Policy.Name, 200)) + ": " + word
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// conclusion says in one sentence why a decision is what it is.
func conclusion(d Decision) string {
	n := map[State]int{}
	for _, f := range d.Findings {
		n[f.State]++
	}
	of := func(s State) string {
		return fmt.Sprintf("%d of %s ", n[s], digest.Quantity(len(d.Findings), "requirement"))
	}
	switch {
	case d.Verdict == Held:
		return of(Held) + "met"
	case d.Verdict == Undecided:
		return of(Undecided) + "not decided, so it does not pass"
	case n[Undecided] > 0:
		return of(Blocked) + fmt.Sprintf("not met, %d not decided", n[Undecided])
	}
	return of(Blocked) + "not met"
}
