package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

// drift finds observations that differ from the baseline's and may not.
func (d *decider) drift(name string, runs []Run, earlier Run, may Drift) {
	var against []string
	drifted := drifts(runs, earlier)
	for _, drift := range drifted {
		if !may.Any && !slices.ContainsFunc(may.Allowed, func(p string) bool { return rules.Match(p, drift.ID) }) {
			against = append(against, drift.ID+": "+told(drift))
		}
	}
	baseline := short(earlier.Path)
	held := "nothing that is observed differs from " + baseline
	if len(drifted) > 0 {
		held = digest.Quantity(len(drifted), "observation") + " differ from " + baseline + ", as the policy allows"
	}
	d.judge(name, "conformance.drift", Blocked, held, fmt.Sprintf("expected no observation that differs from %s, found %d: allow them with conformance.drift, or take a new baseline", baseline, len(against)), against)
}

// drifts are the observations of any of the runs that differ from the baseline's, each once, and those that no run made
// again.
func drifts(runs []Run, earlier Run) (list []compare.Drift) {
	before := earlier.conformance.Observations
	made, told := map[string]bool{}, map[string]bool{}
	for _, r := range runs {
		here := map[string]bool{}
		for _, o := range r.conformance.Observations {
			here[o.ID], made[o.ID] = true, true
		}
		for _, drift := range compare.Drifts(only(before, here, true), r.conformance.Observations) {
			if !told[drift.ID] {
				list = append(list, drift)
			}
			told[drift.ID] = true
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

// told is a drift in one line.
func told(drift compare.Drift) string {
	if drift.Before == "" || drift.After == "" {
		return fmt.Sprintf("was %s, is %s", seen(drift.Before), seen(drift.After))
	}
	var parts []string
	for _, p := range drift.Changes {
		parts = append(parts, p.String())
	}
	return strings.Join(parts, "; ")
}

func seen(text string) string { return cmp.Or(digest.Clip(text, 120), "not observed") }
