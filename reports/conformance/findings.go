package conformance

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

const (
	indexed  = 40 // defects with a line of their own, beside those that are shown whole
	commands = 3  // with more violations than these a terminal gets no commands to repeat them by hand
	further  = 2  // checks of a rule with a line of their own, beside the first
)

func (b *builder) violations(list []digest.Defect) view.Part {
	part := view.Part{
		Title: "Violations", Count: digest.Quantity(len(list), "defect"), Mark: fmt.Sprint(b.run.Counts.Fail),
		Tone: view.Bad, Folds: b.form == view.Page, Blocks: b.defects(list, len(list) <= commands),
	}
	var ids []string
	for _, d := range list {
		ids = append(ids, d.IDs()...)
	}
	if len(ids) > 1 && len(ids) <= mostRerun && b.form != view.Text {
		part.Blocks = append(part.Blocks, view.Block{Copy: &view.Command{
			Label: "Rerun all of them", Text: digest.Rerun(b.run.Run.File, ids...),
		}})
	}
	if b.form == view.Page && len(list) > 0 {
		part.Blocks = append(part.Blocks, view.Block{Note: "People's names, numbers and addresses in exchanges are made up, each " +
			"of the form of the real one. Where a text masks a value, # stands for a digit, X and x for a letter."})
	}
	return part
}

// warnings are the should rules that failed: on a terminal in a line or two each.
func (b *builder) warnings(list []digest.Defect, alone bool) view.Part {
	part := view.Part{Title: "Warnings", Mark: fmt.Sprint(b.run.Counts.Warn), Tone: view.Unsure, Folds: b.form == view.Page}
	if len(list) == 0 {
		return part
	}
	if b.form == view.Text && !b.verbose {
		b.full = 0
	}
	part.Blocks = b.defects(list, true)
	if b.form == view.Page {
		part.Blocks = append([]view.Block{{Note: "Rules that follow from the document, which does not say what a violation " +
			"gets. They leave the verdict as it is."}}, part.Blocks...)
		if !alone { // the index of the violations names them
			part.Blocks[1].Fold, part.Blocks[1].Unfolded = digest.Quantity(len(list), "warning")+" in full", len(list) <= 3
		}
	}
	return part
}

// index lists what is wrong at a glance.
func (b *builder) index(list []digest.Defect) *view.Table {
	t := &view.Table{Label: "What is wrong at a glance", Columns: view.Columns("*What is wrong", "Level", "Failing checks")}
	add := func(list []digest.Defect) {
		for _, d := range list {
			failed, judged := 0, 0
			for _, r := range d.Failed {
				n, of := digest.Failing(r)
				failed, judged = failed+n, judged+of
			}
			t.Add(view.Cell{Text: d.Headline, Link: anchor(d.Failed[0].ID), Quiet: d.Counted(), Refs: refs(d.IDs())}, d.Binding(),
				fmt.Sprintf("%d of %d", failed, judged))
		}
	}
	add(list)
	if violated, warned := digest.Defects(b.run); len(violated) > 0 && len(warned) > 0 {
		t.Rows = append(t.Rows, view.Row{Group: true, Cells: view.Cells("Warnings")})
		add(warned)
	}
	return t
}

func anchor(rule string) string { return "#rule-" + digest.Anchor(rule) }

func refs(ids []string) []view.Ref {
	list := make([]view.Ref, len(ids))
	for i, id := range ids {
		list[i] = view.Ref{Text: id, Link: anchor(id)}
	}
	return list
}

// defects are what is wrong: on a page each rule that shows it, elsewhere the first; those that there is no room for by
// their headlines.
func (b *builder) defects(list []digest.Defect, curl bool) []view.Block {
	var whole view.Block
	var brief []view.Item
	left := 0
	for _, d := range list {
		switch {
		case b.full > 0 && b.form == view.Page:
			for i, r := range d.Failed {
				b.full--
				whole.Items = append(whole.Items, b.item(d, i, r, curl))
			}
		case b.full > 0:
			b.full--
			whole.Items = append(whole.Items, b.item(d, 0, d.Failed[0], curl))
		case len(brief) < indexed:
			brief = append(brief, view.Item{
				Tone: tones[d.Failed[0].Shown()], Title: d.Headline, Lines: [][]view.Cell{{{Refs: refs(d.IDs())}, {Text: "(" + d.Binding() + ")"}}},
			})
		default:
			left++
		}
	}
	blocks := []view.Block{whole, {Items: brief}}
	if left > 0 {
		blocks = append(blocks, view.Block{Note: fmt.Sprintf("%d more are in run.json and junit.xml.", left)})
	}
	return blocks
}

// item shows a defect by one of the rules that fail for it.
func (b *builder) item(d digest.Defect, i int, r record.Rule, curl bool) view.Item {
	item := b.card(r, curl)
	if i == 0 {
		item.Title = d.Headline
		if n := len(d.Unjudged); n > 0 {
			item.Lines = append(item.Lines, []view.Cell{{
				Quiet: digest.Quantity(n, "rule") + " could not be judged because of it:", Refs: refs(d.Unjudged),
			}})
		}
	}
	item.Unprinted = i > 0
	if others := d.Others(); len(others) > 0 && i == 0 {
		item.Lines = append(item.Lines, []view.Cell{{Quiet: "The same defect breaks", Refs: refs(others)}})
	} else if i > 0 {
		item.Lines = append(item.Lines, []view.Cell{{Quiet: "The same defect breaks", Refs: refs(d.IDs()[:1])}})
	}
	return item
}

// Card is a rule that did not pass, as text.
func Card(run record.Run, r record.Rule) string {
	b := builder{run: run, form: view.Text}
	return view.ItemText(b.card(r, true))
}

// card shows a rule that failed: what was expected and what came in its decisive check, then the others that did not pass.
func (b *builder) card(r record.Rule, curl bool) view.Item {
	item := view.Item{Tone: tones[r.Shown()], Title: record.Headline(r)}
	about := []view.Cell{{Text: r.ID, Code: true}, {Text: "(" + digest.Level(r) + ")"}}
	statement := view.Cell{Text: r.Statement}
	if r.Section != "" {
		statement.Quiet = "Section: " + r.Section
	}
	if b.form == view.Page {
		item.ID, b.shown[r.ID] = "rule-"+digest.Anchor(r.ID), true
		about = append(about, view.Cell{Text: digest.Word(r.Shown()), Tone: tones[r.Shown()], Badge: true})
	}
	item.Lines = [][]view.Cell{about, {statement}}
	if b.form == view.Page {
		item.Lines = append(item.Lines, matters(r.ID)...)
	}
	if w := r.Waiver; w != nil {
		item.Lines = append(item.Lines, []view.Cell{{Quiet: fmt.Sprintf("Waived by %s until %s: %s", w.Rule, w.Until, w.Reason)}})
	}
	checks := digest.Deciding(r)
	for i, c := range checks {
		switch {
		case i == 0:
			one := b.check(r, c, curl)
			item.Sub, item.Facts, item.Table, item.Exchanges, item.Notes = one.Sub, one.Facts, one.Table, one.Exchanges, one.Notes
			item.Copy = one.Copy
		case b.form == view.Text && !b.verbose && i > further:
			item.Further = append(item.Further, view.Item{Title: "and " + digest.Quantity(len(checks)-i, "more check")})
			item.Copy = append(item.Copy, b.rerun(r.ID))
			return item
		default:
			one := view.Item{}
			if b.form != view.Text || b.verbose {
				one = b.check(r, c, curl)
			}
			one.Sub, one.Title = "", c.Name+" "+digest.Ended(c.Verdict)
			if seen, _, _ := strings.Cut(cmp.Or(c.Got, c.Actual), "\n"); seen != "" {
				one.Title += ": " + printable.Clip(seen, 200)
			}
			item.Further = append(item.Further, one)
		}
	}
	item.Copy = append(item.Copy, b.rerun(r.ID))
	return item
}

func (b *builder) rerun(id string) view.Command {
	return view.Command{Label: "Rerun this rule alone", Text: digest.Rerun(b.run.Run.File, id)}
}

// check is what one check found.
func (b *builder) check(r record.Rule, c record.Check, curl bool) view.Item {
	item := view.Item{Sub: c.Name}
	if c.Verdict != record.Fail && c.Message != "" {
		item.Facts = append(item.Facts, view.Fact{Name: "why", Value: c.Message})
	}
	for _, f := range digest.Facts(c) {
		if b.form == view.Page && f.Name != digest.Expected && f.Name != digest.Actual {
			item.Notes = append(item.Notes, f.Name+" "+f.Value)
			continue
		}
		item.Facts = append(item.Facts, view.Fact{Name: f.Name, Value: f.Value, Tone: factTones[f.Name]})
	}
	if b.form == view.Page {
		item.Table, item.Exchanges = bound(c.Rows), b.exchanges(r, c)
	}
	if c.Curl != "" && (b.form != view.Text || b.verbose || curl) {
		item.Copy = []view.Command{{Label: "Repeat by hand", Text: c.Curl}}
	}
	return item
}

var factTones = map[string]view.Tone{digest.Expected: view.Good, digest.Actual: view.Bad, digest.Where: view.Faint, digest.Sent: view.Faint}

// bound is the rows around a bound; nil where there are none.
func bound(rows []record.Row) *view.Table {
	if len(rows) == 0 {
		return nil
	}
	t := &view.Table{Label: "Rows", Columns: view.Columns("Row", "Dated", "Expected", "Found")}
	in := map[bool]string{true: "in", false: "out"}
	for _, r := range rows {
		row := view.Row{Cells: view.Cells(r.ID, r.Date, in[r.Expected], in[r.Found])}
		if r.Expected != r.Found {
			row.Tone = view.Bad
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
