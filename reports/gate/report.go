package gate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/annotations"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
)

// words for a state, as people read them.
var words = map[State]string{Held: "held", Blocked: "blocked", Undecided: "undecided"}

var tones = map[State]view.Tone{Held: view.Good, Blocked: view.Bad, Undecided: view.Unsure}

// Print writes a decision and its reasons for a terminal, the decision last. Lines are wrapped at so many columns; 0:
// they are not, as for a file or a pipe.
func Print(w io.Writer, d Decision, colour bool, columns int) error {
	return view.WriteText(w, report(d), view.Style{Colour: colour, Columns: columns})
}

// Markdown writes a decision as a comment for a pull request. Texts of runs are shown literally.
func Markdown(d Decision) []byte { return view.WriteMarkdown(report(d)) }

// report is what a decision says: what speaks against the release first.
func report(d Decision) view.Report {
	findings := map[bool][]view.Item{}
	for _, f := range ordered(d) {
		item := view.Item{Badge: words[f.State], Tone: tones[f.State], Title: f.Subject + "  " + f.Check + ": " + f.Message}
		for _, detail := range f.Details {
			item.Lines = append(item.Lines, view.Cells(detail))
		}
		findings[f.State == Held] = append(findings[f.State == Held], item)
	}
	runs := view.Table{Label: "Runs", Columns: view.Columns("run", "kind", "deployment", "address", "verdict", "finished", "age")}
	for _, r := range d.Runs {
		runs.Rows = append(runs.Rows, view.Row{Cells: view.Cells(r.Path, string(r.Kind), r.Deployment, r.BaseURL, r.Verdict,
			r.Finished.UTC().Format("2006-01-02 15:04 UTC"), span(max(0, d.At.Sub(r.Finished))))})
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

// ordered are the findings, what speaks against the release first.
func ordered(d Decision) []Finding {
	place := []State{Blocked, Undecided, Held}
	list := slices.Clone(d.Findings)
	slices.SortStableFunc(list,
		func(a, b Finding) int { return slices.Index(place, a.State) - slices.Index(place, b.State) })
	return list
}

// conclusion says in one sentence why a decision is what it is.
func conclusion(d Decision) string {
	n := map[State]int{}
	for _, f := range d.Findings {
		n[f.State]++
	}
	all := digest.Quantity(len(d.Findings), "demand")
	switch {
	case d.Verdict == Held:
		return all + " held"
	case d.Verdict == Undecided:
		return fmt.Sprintf("%d of %s could not be decided, so it does not pass", n[Undecided], all)
	case n[Undecided] > 0:
		return fmt.Sprintf("%d of %s not met, %d could not be decided", n[Blocked], all, n[Undecided])
	}
	return fmt.Sprintf("%d of %s not met", n[Blocked], all)
}

// GitHub writes a decision as workflow commands: an error for each demand that does not hold or could not be decided,
// and one line with the decision.
func GitHub(d Decision) string {
	level := annotations.Error
	if d.Verdict == Held {
		level = annotations.Notice
	}
	list := []annotations.Annotation{{Level: level, Title: headline(d), Text: conclusion(d)}}
	for _, f := range ordered(d) {
		if f.State != Held {
			list = append(list, annotations.Annotation{
				Level: annotations.Error, Title: words[f.State] + ": " + f.Check + " of " + f.Subject, Text: f.text(),
			})
		}
	}
	return annotations.Write(list)
}
