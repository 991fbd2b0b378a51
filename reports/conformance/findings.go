package conformance

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

const (
	maxIndexedFindings = 40 // defects listed in one line each, besides those shown in full
	// with more violations, a terminal shows no commands to repeat them by hand
	maxRepeatCommands = 3
	maxFurtherChecks  = 2  // checks of a rule listed in one line each, besides the first
	maxRerunRules     = 40 // rules named on one command line
)

func (b *reportBuilder) violationsPart(list []digest.Defect) view.Part {
	part := view.Part{
		Title: "Violations", Count: printable.Quantity(len(list), "defect"),
		Mark: fmt.Sprint(b.run.Counts.Fail),
		Tone: view.ToneBad, Blocks: b.defectBlocks(list, true),
	}
	var ids []string
	for _, d := range list {
		ids = append(ids, d.Rules...)
	}
	if len(ids) > 1 && len(ids) <= maxRerunRules {
		part.Blocks = append(part.Blocks, view.Block{
			In: view.FormMarkdown | view.FormPage, Copy: b.rerunCommand("Rerun all of them", ids...),
		})
	}
	if len(list) > 0 {
		part.Blocks = append(part.Blocks, view.Block{
			In: view.FormPage,
			Note: "Names, numbers and addresses of people in exchanges are invented, in the form of the " +
				"real ones. In masked values, # stands for a digit, X and x for letters.",
		})
	}
	return part
}

// warningsPart returns the failed should rules: on a terminal in a line or two each.
func (b *reportBuilder) warningsPart(list []digest.Defect) view.Part {
	if len(list) == 0 {
		return view.Part{}
	}
	return view.Part{
		Title: "Warnings", Mark: fmt.Sprint(b.run.Counts.Warn), Tone: view.ToneUnsure,
		Blocks: append([]view.Block{{
			In: view.FormPage,
			Note: "The document implies these rules, but does not say what happens otherwise. " +
				"They do not change the verdict.",
		}}, b.defectBlocks(list, !b.omitsDetails())...),
	}
}

// indexPart returns a short list of the defects.
func (b *reportBuilder) indexPart(violated, warned []digest.Defect) view.Part {
	t := &view.Table{Label: "What is wrong at a glance", Columns: view.Columns("*What is wrong",
		"Level", "Failing checks")}
	add := func(list []digest.Defect) {
		for _, d := range list {
			failed, judged := 0, 0
			for _, r := range d.Failed {
				n, of := digest.CountFailing(r)
				failed, judged = failed+n, judged+of
			}
			t.Add(view.Cell{Text: d.Headline, Link: anchorOf(d.Failed[0].ID), Refs: ruleRefs(d.Rules)},
				d.LevelText(), fmt.Sprintf("%d of %d", failed, judged))
		}
	}
	add(violated)
	if len(violated) > 0 && len(warned) > 0 {
		t.AddGroup(view.Cell{Text: "Warnings"})
	}
	add(warned)
	return view.Part{In: view.FormPage, Blocks: []view.Block{{Table: t}}}
}

func anchorOf(rule string) string { return "#rule-" + digest.RuleAnchor(rule) }

func ruleRefs(ids []string) []view.Ref {
	list := make([]view.Ref, len(ids))
	for i, id := range ids {
		list[i] = view.Ref{Text: id, Link: anchorOf(id)}
	}
	return list
}

// defectBlocks returns the defects: on a page with each rule that shows them, elsewhere with the
// first. Defects beyond the limit get only their headline, and so do all if whole is not set.
func (b *reportBuilder) defectBlocks(list []digest.Defect, whole bool) []view.Block {
	var full, brief view.Block
	for _, d := range list {
		shown := d.Failed[:1]
		if b.form == view.FormPage {
			shown = d.Failed
		}
		if !whole || b.wholeLeft <= 0 {
			brief.Items = append(brief.Items, view.Item{
				Tone: verdictTones[d.Failed[0].DisplayVerdict()], Title: d.Headline,
				Lines: [][]view.Cell{{{Refs: ruleRefs(d.Rules)}, {Text: "(" + d.LevelText() + ")"}}},
			})
			continue
		}
		for i, r := range shown {
			b.wholeLeft--
			full.Items = append(full.Items, b.defectItem(d, i, r))
		}
	}
	if left := len(brief.Items) - maxIndexedFindings; left > 0 {
		brief.Items = brief.Items[:maxIndexedFindings]
		return []view.Block{full, brief, {Note: fmt.Sprintf("%d more are in run.json and junit.xml.",
			left)}}
	}
	return []view.Block{full, brief}
}

// defectItem shows a defect by one of its failed rules.
func (b *reportBuilder) defectItem(d digest.Defect, i int, r record.RuleResult) view.Item {
	item, same := b.ruleCard(r), d.Rules[:1]
	if i == 0 {
		item.Title, same = d.Headline, d.Rules[1:]
	}
	item.Unprinted = i > 0
	if len(same) == 0 {
		return item
	}
	breaks := view.Cell{Quiet: "The same defect breaks"}
	if b.form == view.FormPage { // where each has its own card
		breaks.Refs = ruleRefs(same)
		item.Lines = append(item.Lines, []view.Cell{breaks})
		return item
	}
	item.Lines = append(item.Lines, []view.Cell{breaks})
	for _, other := range d.Failed[1:] {
		item.Lines = append(item.Lines, view.Cells("-", view.Code(other.ID), record.Headline(other)))
	}
	return item
}

// RuleText returns a rule that did not pass, as text.
func RuleText(run record.Run, r record.RuleResult) string {
	b := reportBuilder{run: run, form: view.FormText, verbose: true}
	return view.BlockText(view.Block{Items: []view.Item{b.ruleCard(r)}})
}

// ruleCard shows a failed rule: its decisive check, then the others that did not pass.
func (b *reportBuilder) ruleCard(r record.RuleResult) view.Item {
	item := view.Item{Tone: verdictTones[r.DisplayVerdict()], Title: record.Headline(r)}
	about := view.Cells(view.Code(r.ID), "("+digest.FormatLevel(r.Level, r.Security)+")")
	statement := view.Cell{Text: r.Statement}
	if r.Section != "" && !b.omitsDetails() { // gateassay rules shows it too
		statement.Quiet = "Section: " + r.Section
	}
	if b.form == view.FormPage {
		item.ID, b.hasCard[r.ID] = "rule-"+digest.RuleAnchor(r.ID), true
		about = append(about,
			view.Badge(verdictTones[r.DisplayVerdict()], digest.RuleVerdictWord(r.DisplayVerdict())))
	}
	item.Lines = [][]view.Cell{about, {statement}}
	if b.form == view.FormPage {
		item.Lines = append(item.Lines, ruleBackground(r.ID)...)
	}
	if w := r.Waiver; w != nil {
		item.Lines = append(item.Lines,
			[]view.Cell{{Quiet: fmt.Sprintf("Waived by %s until %s: %s", w.Rule, w.Until, w.Reason)}})
	}
	checks, short := digest.DecidingChecks(r), b.omitsDetails()
	for i, c := range checks {
		if i == 0 {
			item.Sub = c.Name
			b.addCheck(&item, r, c)
			continue
		}
		if short && i > maxFurtherChecks {
			item.Further = append(item.Further,
				view.Item{Title: "and " + printable.Quantity(len(checks)-i, "more check")})
			break
		}
		one := view.Item{Title: c.Name + " " + digest.CheckVerdictWord(c.Verdict)}
		if !short {
			b.addCheck(&one, r, c)
		}
		if seen, _, _ := strings.Cut(cmp.Or(c.Got, c.Actual), "\n"); seen != "" {
			one.Title += ": " + printable.Truncate(seen, 200)
		}
		item.Further = append(item.Further, one)
	}
	if r.Script != "" {
		script := r.Script
		if !strings.Contains(b.folder, "://") { // bash cannot read from a bucket
			script = filepath.Join(b.folder, script)
		}
		item.Copy = append(item.Copy, view.Command{
			Label: "Repeat it", Text: "bash " + digest.ShellQuote(script) + "  # 1: still there, 0: gone",
		})
	}
	item.Copy = append(item.Copy, b.rerunCommand("Rerun this rule alone", r.ID))
	return item
}

func (b *reportBuilder) rerunCommand(label string, ids ...string) view.Command {
	return view.Command{Label: label, Text: digest.RerunCommand(b.run.Run.File, ids...)}
}

// addCheck adds the finding of a check to an item.
func (b *reportBuilder) addCheck(item *view.Item, r record.RuleResult, c record.CheckResult) {
	if c.Verdict != record.VerdictFail && c.Message != "" {
		item.Facts = append(item.Facts, view.Fact{Name: "why", Value: c.Message})
	}
	for _, f := range digest.FactsOf(c) {
		switch {
		case f.Name == digest.FactExpected && f.Value == r.Statement: // shown above already
		case b.form == view.FormPage && !digest.IsOfRequest(f):
			item.Notes = append(item.Notes, f.Name+" "+f.Value)
		// the headline says it
		case b.omitsDetails() && (f.Name == digest.FactCondition || f.Name == digest.FactLocation):
		default:
			item.Facts = append(item.Facts, f)
		}
	}
	if b.form == view.FormPage {
		item.Table, item.Exchanges = boundTable(c.Rows), b.showExchanges(r.ID, c)
	}
	if c.Curl != "" && !(b.omitsDetails() && b.manyViolations) {
		item.Copy = []view.Command{{Label: "Repeat by hand", Text: c.Curl}}
	}
}

// boundTable returns the rows around a bound; nil: there are none.
func boundTable(rows []record.ExportRow) *view.Table {
	if len(rows) == 0 {
		return nil
	}
	t := &view.Table{Label: "Rows", Columns: view.Columns("Row", "Dated", "Expected", "Found")}
	in := map[bool]string{true: "in", false: "out"}
	for _, r := range rows {
		t.Add(r.ID, r.Date, in[r.Expected], in[r.Found])
		if r.Expected != r.Found {
			t.Rows[len(t.Rows)-1].Tone = view.ToneBad
		}
	}
	return t
}
