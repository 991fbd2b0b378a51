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

// DryRun lists what a run would do about each rule, then what the deployment file lacks for others,
// by key, and what runs of each depth come to.
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
	for _, g := range groupByMissingKey(plans) {
		open += len(g.Items)
		var list view.Block
		for _, p := range g.Items {
			list.Lines = append(list.Lines, view.Cells(p.Rule.ID))
		}
		r.Parts = append(r.Parts, view.Part{
			Title: fmt.Sprintf("To verify %s, %s %s", printable.Quantity(len(g.Items), "rule"), g.Key.do,
				g.Key.name),
			Blocks: []view.Block{list},
		})
	}
	r.Parts = append(r.Parts, view.Part{
		Title: "What a run comes to at each --depth", Blocks: []view.Block{{Table: depthTable(found)}},
	})
	r.Headline = verifiedText(len(plans)-open, len(plans))
	r.Below = []string{printable.Quantity(checks, "check") + ". Nothing was sent."}
	return r
}

func verifiedText(n, of int) string {
	return fmt.Sprintf("%d of %s would be verified", n, printable.Quantity(of, "rule"))
}

// depthTable says what a run of each depth comes to.
func depthTable(found suites.Forecast) *view.Table {
	t := &view.Table{Columns: view.Columns("Depth", "#Rules", "#Values", "#Requests", "#Creations",
		"#Time")}
	for _, p := range found.Depths {
		if p.Requests == 0 { // of a part of a suite nobody knows
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

// missingKey is one of the deployment file, with what to do about it.
type missingKey struct{ do, name string }

type missingKeyGroup = digest.Group[missingKey, suites.RuleForecast]

// groupByMissingKey groups the plans of rules that stay unverified by the key that they lack, most
// rules first.
func groupByMissingKey(plans []suites.RuleForecast) []missingKeyGroup {
	open := slices.DeleteFunc(slices.Clone(plans),
		func(p suites.RuleForecast) bool { return p.MissingKey == "" })
	all := digest.GroupBy(open, func(p suites.RuleForecast) missingKey {
		if p.KeyIsGiven {
			return missingKey{"correct", p.MissingKey}
		}
		return missingKey{"add", p.MissingKey}
	})
	slices.SortStableFunc(all, func(a, b missingKeyGroup) int {
		return cmp.Or(cmp.Compare(len(b.Items), len(a.Items)), cmp.Compare(a.Key.name, b.Key.name))
	})
	return all
}
