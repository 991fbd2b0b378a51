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
	"github.com/gateassay/gateassay/suites/record"
)

// drift finds observations that differ from the baseline's and may not. One that only one side made may differ or not:
// that is undecided.
func (d *decider) drift(name string, runs []Run, earlier Run, may []string) {
	var against, open []string
	drifted := drifts(runs, earlier)
	for _, drift := range drifted {
		switch {
		case slices.ContainsFunc(may, func(p string) bool { return p == driftAllowed || rules.Match(p, drift.ID) }):
		case drift.Before == "" || drift.After == "":
			open = append(open, drift.ID+": "+inWords(drift))
		default:
			against = append(against, drift.ID+": "+inWords(drift))
		}
	}
	const check = "conformance.drift"
	baseline := short(earlier.Path)
	switch {
	case len(against) > 0:
		d.add(name, check, Blocked, fmt.Sprintf("expected no observation that differs from %s, found %d: allow them "+
			"with conformance.drift, or take a new baseline%s", baseline, len(against), otherVersion(runs, earlier)),
			append(against, open...)...)
	case len(open) > 0:
		d.add(name, check, Undecided, fmt.Sprintf("expected no observation that differs from %s, found %d that only "+
			"one of them made: make a run that observes the same, or take a new baseline%s",
			baseline, len(open), otherVersion(runs, earlier)), open...)
	case len(drifted) > 0:
		d.add(name, check, Held,
			digest.Quantity(len(drifted), "difference")+" from what "+baseline+" observed, as the policy allows")
	default:
		d.add(name, check, Held, "nothing that is observed differs from "+baseline)
	}
}

// otherVersion says that a run was made by another version than the baseline: what it observes may differ for that
// alone.
func otherVersion(runs []Run, earlier Run) string {
	before := earlier.Conformance.Run.Version
	for _, r := range runs {
		if now := r.Conformance.Run.Version; now != before && now != "" && before != "" {
			return fmt.Sprintf(" (gateassay %s made it, and %s the runs)", cited(before), cited(now))
		}
	}
	return ""
}

// drifts are the observations of any of the runs that differ from the baseline's, each once, and those that no run made
// again. One that the baseline does not know, as it did not select it or an older version made it, is new and no drift.
func drifts(runs []Run, earlier Run) (list []compare.Drift) {
	before := earlier.Conformance.Observations
	made, listed, known := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range earlier.Conformance.Rules {
		known[r.ID] = true
	}
	for _, r := range runs {
		here := map[string]bool{}
		for _, o := range r.Conformance.Observations {
			here[o.ID], made[o.ID] = true, true
		}
		for _, drift := range compare.Drifts(only(before, here, true), r.Conformance.Observations) {
			if !listed[drift.ID] && (drift.Before != "" || known[drift.ID]) {
				list = append(list, drift)
			}
			listed[drift.ID] = true
		}
	}
	return append(list, compare.Drifts(only(before, made, false), nil)...)
}

// only are the observations that a set holds, or does not hold.
func only(list []record.Observation, set map[string]bool, held bool) (some []record.Observation) {
	for _, o := range list {
		if set[o.ID] == held {
			some = append(some, o)
		}
	}
	return some
}

// inWords is a drift in one line.
func inWords(drift compare.Drift) string {
	if drift.Before == "" || drift.After == "" {
		return fmt.Sprintf("was %s, is %s", seen(drift.Before), seen(drift.After))
	}
	var parts []string
	for _, p := range drift.Changes {
		parts = append(parts, p.String())
	}
	return strings.Join(parts, "; ")
}

func seen(text string) string { return cmp.Or(printable.Clip(text, 120), "not observed") }
