package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// regressions finds rules that are worse than in the baseline, as report compare judges. One that held and is not verified any
// more may still hold: that is undecided.
func (d *decider) regressions(name string, all record.Run, earlier Run) {
	const check = "conformance.regression"
	baseline := short(earlier.Path)
	result, err := compare.Runs(earlier.Run, recorded.Run{Kind: recorded.OfConformance, Conformance: all}, 0)
	if err != nil {
		d.add(name, check, Undecided, fmt.Sprintf("expected a comparison with %s, found none: %s", baseline, err))
		return
	}
	var worse, open []string
	for _, c := range result.Conformance.Changes {
		text := c.ID + ": " + digest.Step(c.Before, c.After)
		switch {
		case c.Before == "":
		case c.Judged == compare.Regression:
			worse = append(worse, text)
		case c.Judged == compare.Inconclusive:
			open = append(open, text)
		}
	}
	switch {
	case len(worse) > 0:
		d.add(name, check, Blocked, fmt.Sprintf("expected no rule worse than in %s, found %s", baseline,
			digest.Quantity(len(worse), "rule")), append(worse, open...)...)
	case len(open) > 0:
		d.add(name, check, Undecided, fmt.Sprintf("expected no rule worse than in %s, found %s that held there and could not be "+
			"judged now", baseline, digest.Quantity(len(open), "rule")), open...)
	case earlier.Conformance.Counts.Judged() == 0 || result.Conformance.Compared == 0:
		d.add(name, check, Undecided,
			fmt.Sprintf("expected rules that the runs and %s both judge, found none: nothing was compared", baseline))
	default:
		d.add(name, check, Held, fmt.Sprintf("none of %s is worse than in %s", digest.Quantity(result.Conformance.Compared, "rule"), baseline))
	}
}

// drift finds observations that differ from the baseline's and may not. One that only one side made may differ or not: that is
// undecided. One that the baseline does not know, as it did not select it or an older version made it, is new and no drift.
func (d *decider) drift(name string, all record.Run, earlier Run, may []string) {
	known := func(id string) bool {
		return slices.ContainsFunc(earlier.Conformance.Rules, func(r record.Rule) bool { return r.ID == id })
	}
	var against, open []string
	for _, drift := range compare.Drifts(earlier.Conformance.Observations, all.Observations) {
		switch {
		case slices.ContainsFunc(may, func(p string) bool { return p == driftAllowed || rules.Match(p, drift.ID) }):
		case drift.Before == "" && !known(drift.ID):
		case drift.Before == "" || drift.After == "":
			seen := func(text string) string { return cmp.Or(printable.Clip(text, 120), "not observed") }
			open = append(open, fmt.Sprintf("%s: was %s, is %s", drift.ID, seen(drift.Before), seen(drift.After)))
		default:
			var parts []string
			for _, p := range drift.Changes {
				parts = append(parts, p.String())
			}
			against = append(against, drift.ID+": "+strings.Join(parts, "; "))
		}
	}
	const check = "conformance.drift"
	switch baseline := short(earlier.Path); {
	case len(against) > 0:
		d.add(name, check, Blocked, fmt.Sprintf("expected no observation that differs from %s, found %d: allow them "+
			"with conformance.drift, or take a new baseline", baseline, len(against)), append(against, open...)...)
	case len(open) > 0:
		d.add(name, check, Undecided, fmt.Sprintf("expected no observation that differs from %s, found %d that only "+
			"one of them made: make a run that observes the same, or take a new baseline", baseline, len(open)), open...)
	default:
		d.add(name, check, Held, "nothing that is observed differs from "+baseline+" more than the policy allows")
	}
}
