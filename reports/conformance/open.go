package conformance

import (
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

// most rules are named on one command line.
const mostRerun = 40

// inconclusive is what could not be judged by the reason: what follows from another rule comes last.
func (b *builder) inconclusive() view.Part {
	part := view.Part{
		Title: "Inconclusive", Mark: fmt.Sprint(b.run.Counts.Inconclusive), Tone: view.Unsure, Folds: b.form == view.Page,
	}
	groups := digest.ByReason(digest.With(b.run, record.Inconclusive))
	slices.SortStableFunc(groups, func(x, y digest.Group) int { return len(blockers(x)) - len(blockers(y)) })
	for _, g := range groups {
		title := digest.Quantity(len(g.Rules), "rule") + ": " + g.Cause
		if b.form != view.Page {
			part.Blocks = append(part.Blocks, view.Block{Items: []view.Item{{Title: title, Lines: [][]view.Cell{{{Refs: refs(g.IDs())}}}}}})
			continue
		}
		block := view.Block{Fold: title, Unfolded: len(g.Rules) <= 5}
		if see := blockers(g); len(see) > 0 {
			block.Lines = append(block.Lines, []view.Cell{{Quiet: "See", Refs: refs(see)}})
		}
		for _, r := range g.Rules {
			block.Lines = append(block.Lines, b.light(r, g.Cause))
		}
		if len(g.Rules) <= mostRerun {
			block.Copy = &view.Command{Label: "Rerun these alone", Text: digest.Rerun(b.run.Run.File, g.IDs()...)}
		}
		part.Blocks = append(part.Blocks, block)
	}
	return part
}

// blockers are the rules because of which those of a group could not be judged.
func blockers(g digest.Group) (ids []string) {
	for _, r := range g.Rules {
		for _, c := range r.Checks {
			for _, id := range c.BlockedBy {
				if !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

// light is a rule that could not be judged, with its checks.
func (b *builder) light(r record.Rule, cause string) []view.Cell {
	line := []view.Cell{{Text: r.ID, Code: true, ID: "rule-" + digest.Anchor(r.ID)}, {Quiet: digest.Level(r)}, {Text: r.Statement}}
	for _, c := range r.Checks {
		if c.Verdict == record.Inconclusive {
			text := c.Name
			if c.Message != cause && c.Message != "" {
				text += ": " + c.Message
			}
			line = append(line, view.Cell{Quiet: text + " " + digest.Exchanges(c.Exchanges)})
		}
	}
	return line
}

// notVerified is what nothing is known of, by the keys to add to the deployment file, then by the reason.
func (b *builder) notVerified() view.Part {
	unverified := digest.With(b.run, record.NotVerified)
	needs, others := digest.ByNeed(unverified)
	part := view.Part{
		Title: "Not verified", Mark: fmt.Sprint(b.run.Counts.NotVerified), Tone: view.Unsure, Folds: b.form == view.Page,
	}
	if b.form != view.Page {
		var lines [][]view.Cell
		for _, g := range needs {
			lines = append(lines, view.Line(g.Verb(), view.Code(g.Cause), "to verify "+digest.Quantity(len(g.Rules), "rule")+":",
				view.Cell{Refs: refs(g.IDs())}))
		}
		for _, g := range others {
			lines = append(lines, []view.Cell{{Text: g.Cause + ":"}, {Refs: refs(g.IDs())}})
		}
		part.Blocks = []view.Block{{Lines: lines}}
		return part
	}
	missing := &view.Table{
		Label: "What is missing in the deployment file", Columns: view.Columns("In the deployment file", "#Rules", "*to verify"),
	}
	for _, g := range needs {
		missing.Add(view.Cell{Text: g.Verb(), Refs: []view.Ref{{Text: g.Cause}}}, len(g.Rules), view.Cell{Refs: refs(g.IDs())})
	}
	part.Blocks = []view.Block{{Table: missing}}
	if lines := digest.Missing(unverified); lines != "" {
		part.Blocks = append(part.Blocks, view.Block{Copy: &view.Command{
			Label: "Lines to add, with example values: put in those of your deployment", Text: lines,
		}})
	}
	for _, g := range others {
		part.Blocks = append(part.Blocks, view.Block{
			Fold: digest.Quantity(len(g.Rules), "rule") + ": " + g.Cause, Unfolded: len(g.Rules) <= 12,
			Lines: [][]view.Cell{{{Refs: refs(g.IDs())}}},
		})
	}
	return part
}

// waivers are those that somebody has to look at, on a page all of them; and what is waived.
func (b *builder) waivers() view.Part {
	part := view.Part{Title: "Waivers", Folds: b.form == view.Page}
	var notes, waived view.Block
	if b.form == view.Text {
		for _, w := range digest.Attention(b.run) {
			notes.Items = append(notes.Items, view.Item{
				Title: w.Rule + ": " + digest.WaiverState(w), Lines: [][]view.Cell{view.Cells(w.Reason)},
			})
		}
	} else {
		notes.Table = &view.Table{Label: "Waivers", Columns: view.Columns("Waiver", "State", "*Reason")}
		for _, w := range b.run.Waivers {
			notes.Table.Add(view.Code(w.Rule), digest.WaiverState(w), w.Reason)
		}
	}
	for _, r := range digest.With(b.run, record.Waived) {
		switch {
		case b.form == view.Page:
			waived.Items = append(waived.Items, b.card(r, true))
		case r.Waiver != nil:
			waived.Items = append(waived.Items, view.Item{
				Title: r.ID + ": violated, waived until " + r.Waiver.Until, Lines: [][]view.Cell{view.Cells(r.Waiver.Reason)},
			})
		}
	}
	part.Blocks = []view.Block{notes, waived}
	return part
}

// passed is named on a terminal alone, where nothing is left out.
func (b *builder) passed() view.Part {
	t := &view.Table{Label: "Passed", Columns: view.Columns("rule", "*statement")}
	for _, r := range digest.With(b.run, record.Pass) {
		if b.verbose {
			t.Add(r.ID, r.Statement)
		}
	}
	return view.Part{Title: "Passed", Tone: view.Good, Blocks: []view.Block{{Table: t}}}
}

// observed is what the document leaves open; on a terminal only how much where something is left out: nothing in it is to
// be acted on.
func (b *builder) observed() view.Part {
	part := view.Part{Title: "Observations", Folds: b.form == view.Page}
	n := len(b.run.Observations)
	switch {
	case n == 0:
		return part
	case b.form == view.Text && !b.verbose:
		return view.Part{Blocks: []view.Block{{Tone: view.Faint, Note: digest.Quantity(n, "observation") +
			" of what the document does not show: --verbose or report.html lists them"}}}
	case b.form == view.Page:
		part.Blocks = []view.Block{{Note: "What the document does not show, as this deployment does it. Nothing here is judged."}}
	}
	t := &view.Table{Label: "Observations", Columns: view.Columns("What", "*Seen", "Exchanges")}
	statements := map[string]string{}
	for _, r := range b.run.Rules {
		statements[r.ID] = r.Statement
	}
	operations := digest.By(b.run.Observations, func(o record.Observation) string { return digest.OperationOf(o.ID) })
	slices.SortStableFunc(operations, func(x, y digest.Bucket[string, record.Observation]) int { return digest.InOrder(x.Key, y.Key) })
	for _, s := range operations {
		if b.form == view.Page {
			t.Rows = append(t.Rows, view.Row{Group: true, Cells: []view.Cell{
				{Text: s.Key, Quiet: digest.Quantity(len(s.Items), "observation")},
			}})
		}
		for _, o := range s.Items {
			what := view.Cell{Text: o.ID, Code: true}
			if b.form == view.Page {
				what.Quiet = statements[o.ID]
			}
			t.Add(what, o.Observed, digest.Exchanges(o.Exchanges))
		}
	}
	if b.form == view.Text { // without the exchanges
		t.Columns = t.Columns[:2]
	}
	part.Blocks = append(part.Blocks, view.Block{Table: t})
	return part
}

func (b *builder) notes() view.Part {
	return view.Part{Title: "Notes", Blocks: []view.Block{{List: b.run.Notes}}}
}

// about says how the run was made, and how to repeat it.
func (b *builder) about() view.Part {
	info := b.run.Run
	sent := digest.Quantity(info.Requests, "request")
	if info.Retries > 0 {
		sent += fmt.Sprintf(", %d of them retries", info.Retries)
	}
	if info.PeakFlight > 0 {
		sent += fmt.Sprintf(", at most %d at once", info.PeakFlight)
	}
	facts := view.Known([]view.Fact{
		{Name: "Run", Value: info.ID},
		{Name: "Started", Value: view.UTC(info.StartedAt)},
		{Name: "Took", Value: view.Took(info.StartedAt, info.FinishedAt)},
		{Name: "Sent", Value: sent},
		{Name: "Created", Value: digest.Created(b.run)},
		{Name: "Seed", Value: fmt.Sprint(info.Seed)},
		{Name: "gateassay", Value: info.Version},
	})
	part := view.Part{ID: "run", Title: "The run", Folds: b.form == view.Page, Blocks: []view.Block{{List: b.run.Notes}, {Facts: facts}}}
	if info.Command != "" {
		part.Blocks = append(part.Blocks, view.Block{Copy: &view.Command{Label: "Repeat the run", Text: info.Command}})
	}
	return part
}
