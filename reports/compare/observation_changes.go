package compare

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// ObservationChange is an observation that differs.
type ObservationChange struct {
	ID        string `json:"id"`
	Statement string `json:"statement,omitempty"` // what is observed
	Before    string `json:"before,omitempty"`    // empty: the first run did not observe it
	After     string `json:"after,omitempty"`
	Reason    string `json:"reason,omitempty"` // why one of the runs did not observe it
	// differing values; all values if one run did not observe it
	Changes []ValueChange `json:"changes"`
}

// ValueChange is one value of an observation that differs.
type ValueChange struct {
	// such as "missing field"; empty: the observation has no other value
	What   string `json:"what,omitempty"`
	Before string `json:"before,omitempty"` // empty: absent
	After  string `json:"after,omitempty"`
}

// observationChanges returns the observations that differ, by ID. Values that vary between any two
// runs, such as durations, do not count, and neither do rules that a run did not select.
func observationChanges(a, b []record.Observation,
	old, now map[string]record.RuleResult,
) []ObservationChange {
	before, after := observationsByID(a), observationsByID(b)
	all := maps.Clone(before)
	maps.Copy(all, after)
	found := []ObservationChange{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		was, is, selected := before[id], after[id], true
		d := ObservationChange{
			ID: id, Statement: cmp.Or(now[id].Statement, old[id].Statement), Before: was.Observed,
			After: is.Observed,
		}
		for i, rule := range []record.RuleResult{old[id], now[id]} {
			if saw := []string{d.Before, d.After}[i]; saw == "" {
				d.Reason = "not observed in the " + runOrdinals[i] + " run: " + cmp.Or(rule.Reason,
					string(rule.Verdict))
				selected = rule.ID != ""
			}
		}
		// one run did not observe it or is of an earlier version: compare the texts
		if len(was.Values) == 0 || len(is.Values) == 0 {
			was.Values = []record.ObservedValue{{Values: []string{was.Observed}}}
			is.Values = []record.ObservedValue{{Values: []string{is.Observed}}}
		}
		if d.Changes = valueChanges(was.Values, is.Values); selected && len(d.Changes) > 0 {
			found = append(found, d)
		}
	}
	return found
}

// observationsByID joins the observations of each ID.
func observationsByID(list []record.Observation) map[string]record.Observation {
	all := map[string]record.Observation{}
	for _, o := range list {
		if one, known := all[o.ID]; known {
			o.Observed, o.Values = one.Observed+"; "+o.Observed, slices.Concat(one.Values, o.Values)
		}
		all[o.ID] = o
	}
	return all
}

// randomDigits matches random digits, such as those of the telephone numbers that the harness
// sends.
var randomDigits = regexp.MustCompile(`[0-9]{6,}`)

// nameWithoutDigits returns the name of a value without random digits, so that it is equal in all
// runs.
func nameWithoutDigits(v record.ObservedValue) string {
	return randomDigits.ReplaceAllStringFunc(v.Name,
		func(digits string) string { return strings.Repeat("0", len(digits)) })
}

// valueChanges returns the values by which two observations differ.
func valueChanges(was, is []record.ObservedValue) (found []ValueChange) {
	var shared []record.ObservedValue
	values := [2]map[string][]string{{}, {}}
	for i, list := range [][]record.ObservedValue{was, is} {
		for _, v := range list {
			if v.Varies {
				continue
			}
			shared = append(shared, v)
			for _, value := range v.Values {
				if value != "" {
					values[i][nameWithoutDigits(v)] = append(values[i][nameWithoutDigits(v)], value)
				}
			}
		}
	}
	for _, b := range digest.GroupBy(shared, nameWithoutDigits) {
		before, after := values[0][b.Key], values[1][b.Key]
		if slices.Equal(before, after) {
			continue
		}
		lacking := func(list, other []string) []string {
			return slices.DeleteFunc(slices.Clone(list),
				func(s string) bool { return slices.Contains(other, s) })
		}
		gone, fresh := lacking(before, after), lacking(after, before)
		if len(gone)+len(fresh) == 0 { // the same values in another order
			gone, fresh = before, after
		}
		found = append(found, ValueChange{
			What: b.Items[0].Name, Before: strings.Join(gone, ", "), After: strings.Join(fresh, ", "),
		})
	}
	return found
}
