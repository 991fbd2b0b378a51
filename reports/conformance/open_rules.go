package conformance

import (
	"fmt"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

// inconclusivePart returns the inconclusive rules by reason, on a page with their checks.
func (b *reportBuilder) inconclusivePart() view.Part {
	part := view.Part{
		Title: "Inconclusive", Mark: fmt.Sprint(b.run.Counts.Inconclusive), Tone: view.ToneUnsure,
	}
	inconclusive := digest.RulesWithVerdict(b.run, record.VerdictInconclusive)
	for _, g := range digest.GroupByReason(inconclusive) {
		if b.form != view.FormPage {
			part.Blocks = append(part.Blocks, view.Block{Items: []view.Item{ruleGroupItem(g)}})
			continue
		}
		n := len(g.Items)
		block := view.Block{Fold: ruleGroupItem(g).Title, Unfolded: n <= 5}
		for _, r := range g.Items {
			line := []view.Cell{
				{Text: r.ID, Code: true, ID: "rule-" + digest.RuleAnchor(r.ID)},
				{Quiet: digest.FormatLevel(r.Level, r.Security)},
				{Text: r.Statement},
			}
			for _, c := range r.Checks {
				if c.Verdict == record.VerdictInconclusive {
					text := c.Name
					if c.Message != g.Key && c.Message != "" {
						text += ": " + c.Message
					}
					line = append(line, view.Cell{Quiet: text + " " + digest.ExchangeNumbers(c.Exchanges)})
				}
			}
			block.Lines = append(block.Lines, line)
		}
		if n <= maxRerunRules {
			block.Copy = b.rerunCommand("Rerun these alone", digest.RuleIDs(g.Items)...)
		}
		part.Blocks = append(part.Blocks, block)
	}
	return part
}

// ruleGroupItem shows rules that share a reason.
func ruleGroupItem(g digest.RuleGroup) view.Item {
	return view.Item{
		Title: printable.Quantity(len(g.Items), "rule") + ": " + g.Key,
		Lines: [][]view.Cell{{{Refs: ruleRefs(digest.RuleIDs(g.Items))}}},
	}
}

// notVerifiedPart returns the rules that were not verified, by missing keys, then by reason.
func (b *reportBuilder) notVerifiedPart() view.Part {
	unverified := digest.RulesWithVerdict(b.run, record.VerdictNotVerified)
	needs, others := digest.GroupByMissingKeys(unverified)
	missing := &view.Table{
		Label:   "What is missing in the deployment file",
		Columns: view.Columns("Deployment file", "#Rules", "*To verify"),
	}
	for _, g := range needs {
		missing.Add(view.Cell{Text: digest.GroupAdvice(g) + " " + g.Key}, len(g.Items),
			view.Cell{Refs: ruleRefs(digest.RuleIDs(g.Items))})
	}
	var reasons []view.Item
	for _, g := range others {
		reasons = append(reasons, ruleGroupItem(g))
	}
	return view.Part{
		Title: "Not verified", Mark: fmt.Sprint(b.run.Counts.NotVerified), Tone: view.ToneUnsure,
		Blocks: []view.Block{{Table: missing}, {In: view.FormPage, Copy: view.Command{
			Label: "Lines to add; replace the example values with those of your deployment",
			Text:  digest.MissingYAML(unverified),
		}}, {Items: reasons}},
	}
}

// waiversPart returns the waivers of the run and the waived rules.
func (b *reportBuilder) waiversPart() view.Part {
	t := &view.Table{Label: "Waivers", Columns: view.Columns("Waiver", "*State", "*Reason")}
	for _, w := range b.run.Waivers {
		t.Add(view.Code(w.Rule), digest.WaiverState(w), w.Reason)
	}
	var waived view.Block
	for _, r := range digest.RulesWithVerdict(b.run, record.VerdictWaived) {
		switch {
		case b.form == view.FormPage:
			waived.Items = append(waived.Items, b.ruleCard(r))
		case r.Waiver != nil:
			waived.Lines = append(waived.Lines, view.Cells(r.ID+": violated, waived until "+r.Waiver.Until))
		}
	}
	return view.Part{Title: t.Label, Blocks: []view.Block{{Table: t}, waived}}
}

// observationsPart returns the observations of what the document leaves open.
func (b *reportBuilder) observationsPart() view.Part {
	t := &view.Table{Label: "Observations", Columns: view.Columns("What", "*Seen", "Exchanges")}
	var rules map[string]record.RuleResult
	if b.form == view.FormPage {
		rules = digest.RulesByID(b.run.Rules)
	}
	for _, s := range digest.GroupByOperation(b.run.Observations,
		func(o record.Observation) string { return o.ID }) {
		t.AddGroup(view.Cell{Text: s.Key, Quiet: printable.Quantity(len(s.Items), "observation")})
		for _, o := range s.Items {
			t.Add(view.Cell{Text: o.ID, Code: true, Quiet: rules[o.ID].Statement}, o.Observed,
				digest.ExchangeNumbers(o.Exchanges))
		}
	}
	part := view.Part{Title: t.Label, Blocks: []view.Block{{Table: t}}}
	if len(b.run.Observations) > 0 {
		part.Blocks = append(part.Blocks, view.Block{
			In: view.FormPage, Note: "The document leaves this open, so it is not judged.",
		})
	}
	return part
}

// aboutPart returns how the run was made and how to repeat it.
func (b *reportBuilder) aboutPart() view.Part {
	info := b.run.Run
	sent := printable.Quantity(info.Requests, "request")
	if info.Retries > 0 {
		sent += fmt.Sprintf(", %d of them retries", info.Retries)
	}
	if info.PeakFlight > 0 {
		sent += fmt.Sprintf(", at most %d at once", info.PeakFlight)
	}
	facts := view.WithValues([]view.Fact{
		{Name: "Run", Value: info.ID},
		{Name: "Started", Value: view.FormatUTC(info.StartedAt)},
		{Name: "Took", Value: view.FormatSpan(info.StartedAt, info.FinishedAt)},
		{Name: "Sent", Value: sent},
		{Name: "Created", Value: digest.CreatedText(b.run)},
		{Name: "Seed", Value: fmt.Sprint(info.Seed)},
		{Name: "gateassay", Value: info.Version},
	})
	return view.Part{ID: "run", Title: "The run", Blocks: []view.Block{
		{List: b.run.Notes},
		{Facts: facts},
		{Copy: view.Command{Label: "Repeat the run", Text: info.Command}},
	}}
}
