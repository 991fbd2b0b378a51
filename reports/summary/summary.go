// Package summary writes a recorded run as Markdown for the step summary of a CI job.
package summary

import (
	_ "embed"
	"strings"
	"text/template"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/markdown"
	"github.com/gateassay/gateassay/suites/record"
)

//go:embed summary.gotmpl
var layout string

// Bounds that keep the summary readable. Those in the layout keep it below the 1 MiB that a step summary may have.
const (
	textLimit  = 600  // characters of one text; run.json has it whole
	curlLimit  = 4000 // characters
	rerunRules = 20   // rules in one command
	idLimit    = 6    // rules named in one line
)

// Markdown renders a run: verdict, a table of counts, violations with what was expected and what came, warnings,
// inconclusive rules, what was not verified by the key to add, waivers, observations, how to repeat it. Every text of
// the run is shown literally. It never exceeds 1 MiB: what does not fit is counted, and run.json has it. The first
// violations are unfolded; of each the other checks and the curl commands are folded, so that a run with a few
// violations fits a screen or two.
func Markdown(run record.Run) []byte {
	v := struct {
		Run                    record.Run
		Headline, Why, Created string
		Counts                 record.Counts
		Operations             []digest.Operation
		Violated, Warned       []digest.Defect
		Rerun                  string // of all that is violated; empty: there is one rule, or too many for one command
		Inconclusive           []digest.Group
		Needs, Others          []digest.Group
	}{
		Run: run, Headline: digest.Headline(run), Why: digest.Why(run), Created: digest.Created(run),
		Counts: run.Counts, Operations: digest.Operations(run),
		Inconclusive: digest.ByReason(digest.With(run, record.Inconclusive)),
	}
	v.Violated, v.Warned = digest.Defects(run)
	v.Needs, v.Others = digest.ByNeed(digest.With(run, record.NotVerified))
	var ids []string
	for _, d := range v.Violated {
		ids = append(ids, d.IDs()...)
	}
	if len(ids) > 1 && len(ids) <= rerunRules {
		v.Rerun = digest.RerunAll(ids, run.Run.File)
	}
	return markdown.Fill(layout, textLimit, template.FuncMap{
		"codes": func(list []string) string { return markdown.Codes(list, idLimit) },
		"fence": func(command string) string { return markdown.Fence("sh", command, curlLimit) },
		"rerun": func(id string) string { return digest.Rerun(id, run.Run.File) },
		"ended": digest.Ended, "exchanges": digest.Exchanges, "state": digest.WaiverState, "quantity": digest.Quantity,
		"level": digest.Level, "deciding": digest.Deciding, "facts": facts,
	}, v)
}

// facts are what a check says beside its name, each with a label.
func facts(c record.Check) (list [][2]string) {
	for _, fact := range [][2]string{
		{"expected", c.Expected},
		{"actual", c.Actual},
		{"repeats", digest.Repeats(c)},
		{"exchanges", digest.Exchanges(c.Exchanges)},
	} {
		for line := range strings.SplitSeq(fact[1], "\n") {
			if line != "" {
				list = append(list, [2]string{fact[0], line})
			}
			fact[0] = "and"
		}
	}
	return list
}
