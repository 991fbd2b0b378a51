package console

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
)

// DryRun returns what a run would do about each rule, the missing keys of the other rules, and the
// estimates for each depth.
func DryRun(found suites.Forecast) view.Report {
	checks, open, plans := 0, 0, found.Rules
	verified := &view.Table{Columns: view.Columns("Rule", "Level", "#Checks")}
	for _, p := range plans {
		if p.MissingKey == "" {
			checks += p.Cases
			verified.Add(p.Rule.ID, p.Rule.Level, p.Cases)
		}
	}
	r := view.Report{
		Parts: []view.Part{{Title: "Would be verified", Blocks: []view.Block{{Table: verified}}}},
	}
	for _, g := range missingKeyGaps(plans) {
		open += len(g.Rules)
		var list view.Block
		for _, id := range g.Rules {
			list.Lines = append(list.Lines, view.Cells(id))
		}
		r.Parts = append(r.Parts, view.Part{
			Title: fmt.Sprintf("To verify %s, %s %s", printable.Quantity(len(g.Rules), "rule"), g.Do,
				g.Key),
			Blocks: []view.Block{list},
		})
	}
	r.Parts = append(r.Parts, view.Part{
		Title: "Estimates for each --depth", Blocks: []view.Block{{Table: depthTable(found)}},
	})
	r.Headline = verifiedText(len(plans)-open, len(plans))
	r.Below = []string{printable.Quantity(checks, "check") + ". Nothing was sent."}
	return r
}

func verifiedText(n, of int) string {
	return fmt.Sprintf("%d of %s would be verified", n, printable.Quantity(of, "rule"))
}

// depthTable returns the estimates of a run at each depth.
func depthTable(found suites.Forecast) *view.Table {
	t := &view.Table{Columns: view.Columns("Depth", "#Rules", "#Values", "#Requests", "#Creations",
		"#Time")}
	for _, p := range found.Depths {
		if p.Requests == 0 { // unknown for a part of a suite
			t.Add(p.Depth, p.Rules, p.Values, "", "", "")
			continue
		}
		t.Add(p.Depth, p.Rules, p.Values, "about "+printable.Number(roundRequests(p.Requests)),
			"about "+fmt.Sprint(p.Creations), estimateText(p.EstimatedDuration))
	}
	return t
}

func estimateText(d time.Duration) string {
	if d < minShownDuration {
		return "a few seconds"
	}
	return "about " + view.FormatDuration(d.Round(time.Second))
}

// missingKeyGaps returns the keys that leave rules unverified, the key of most rules first.
func missingKeyGaps(plans []suites.RuleForecast) []MissingKeyGap {
	gaps := []MissingKeyGap{}
	for _, same := range digest.GroupBy(plans, func(p suites.RuleForecast) [2]string {
		if p.KeyIsGiven {
			return [2]string{"correct", p.MissingKey}
		}
		return [2]string{"add", p.MissingKey}
	}) {
		gap := MissingKeyGap{Do: same.Key[0], Key: same.Key[1]}
		for _, p := range same.Items {
			gap.Rules = append(gap.Rules, p.Rule.ID)
		}
		if gap.Key != "" {
			gaps = append(gaps, gap)
		}
	}
	slices.SortStableFunc(gaps, func(a, b MissingKeyGap) int {
		return cmp.Or(cmp.Compare(len(b.Rules), len(a.Rules)), cmp.Compare(a.Key, b.Key))
	})
	return gaps
}
