// Package digest sorts, groups and describes the contents of a recorded run for all reports. It
// judges nothing.
package digest

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/settings"
	"github.com/gateassay/gateassay/suites/record"
)

// Group is a list of items with the same key.
type Group[K comparable, T any] struct {
	Key   K
	Items []T
}

// GroupBy groups items by key. The groups are in the order of their first items.
func GroupBy[K comparable, T any](list []T, key func(T) K) []Group[K, T] {
	at := map[K]int{}
	var found []Group[K, T]
	for _, item := range list {
		k := key(item)
		i, known := at[k]
		if !known {
			i = len(found)
			at[k] = i
			found = append(found, Group[K, T]{Key: k})
		}
		found[i].Items = append(found[i].Items, item)
	}
	return found
}

// GroupByOperation groups by the operations of rules: create, export, replay, auth, others by name.
func GroupByOperation[T any](list []T, id func(T) string) []Group[string, T] {
	groups := GroupBy(list, func(item T) string { return OperationOf(id(item)) })
	names := rules.SuiteNames()
	place := func(operation string) int {
		if i := slices.Index(names, operation); i >= 0 {
			return i
		}
		return len(names)
	}
	slices.SortStableFunc(groups, func(a, b Group[string, T]) int {
		return cmp.Or(cmp.Compare(place(a.Key), place(b.Key)), cmp.Compare(a.Key, b.Key))
	})
	return groups
}

// RulesByOperation groups the rules of a run by operation.
func RulesByOperation(run record.Run) []RuleGroup {
	return GroupByOperation(run.Rules, func(r record.RuleResult) string { return r.ID })
}

// RulesByTopic groups rules of one operation by topic.
func RulesByTopic(list []record.RuleResult) []RuleGroup {
	return GroupBy(list, func(r record.RuleResult) string { return TopicOf(r.ID) })
}

// TopicOf returns the second part of a rule's ID, or the first if there is no second.
func TopicOf(id string) string { return rules.Rule{ID: id}.Topic() }

// RulesWithVerdict returns the rules with a displayed verdict: security rules, then must, then
// should rules.
func RulesWithVerdict(run record.Run, v record.Verdict) []record.RuleResult {
	found := slices.DeleteFunc(slices.Clone(run.Rules),
		func(r record.RuleResult) bool { return r.DisplayVerdict() != v })
	slices.SortStableFunc(found,
		func(a, b record.RuleResult) int { return cmp.Compare(a.SortWeight(), b.SortWeight()) })
	return found
}

// RuleGroup is a group of rules with one cause, which is the key.
type RuleGroup = Group[string, record.RuleResult]

// RuleIDs returns the IDs of the rules.
func RuleIDs(list []record.RuleResult) []string {
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	return ids
}

// GroupByReason groups rules with the same reason, the largest group first.
func GroupByReason(list []record.RuleResult) []RuleGroup {
	return groupRules(list, func(r record.RuleResult) string { return r.Reason })
}

// GroupByMissingKeys groups rules by the deployment keys that would let them be verified, the most
// useful keys first, and the other rules by reason.
func GroupByMissingKeys(list []record.RuleResult) (needs, others []RuleGroup) {
	for _, g := range groupRules(list, MissingKeys) {
		if g.Key != "" {
			needs = append(needs, g)
		} else {
			others = GroupByReason(g.Items)
		}
	}
	return needs, others
}

func groupRules(list []record.RuleResult, cause func(record.RuleResult) string) []RuleGroup {
	groups := GroupBy(list, cause)
	slices.SortStableFunc(groups,
		func(a, b RuleGroup) int { return cmp.Compare(len(b.Items), len(a.Items)) })
	return groups
}

// MissingKeys returns the deployment keys that would let a rule be verified, joined by "and".
func MissingKeys(r record.RuleResult) string {
	return strings.Join(keysOf(r, needsKey), " and ")
}

// DecidingChecks returns the checks of a rule that did not pass, the most informative first.
func DecidingChecks(r record.RuleResult) []record.CheckResult {
	found := slices.DeleteFunc(slices.Clone(r.Checks), func(c record.CheckResult) bool {
		return c.Verdict == record.VerdictPass || c.Verdict == record.VerdictObserved
	})
	order := []record.Verdict{
		record.VerdictFail, record.VerdictInconclusive, record.VerdictNotVerified,
	}
	first, _ := record.DecisiveCheck(r)
	rank := func(c record.CheckResult) int {
		if c.Verdict == record.VerdictFail && c.Name == first.Name {
			return -1
		}
		return slices.Index(order, c.Verdict)
	}
	slices.SortStableFunc(found,
		func(a, b record.CheckResult) int { return cmp.Compare(rank(a), rank(b)) })
	return found
}

// MissingYAML returns the part of a deployment file that would let the rules be verified, with
// example values; of alternatives the first. Comments say how many rules need each key.
func MissingYAML(list []record.RuleResult) string {
	counts := map[string]int{}
	for _, r := range list {
		for _, key := range keysOf(r, lacksKey) {
			if !strings.HasPrefix(key, limitsPrefix) { // limits are given, but too low
				counts[key]++
			}
		}
	}
	return settings.Example(slices.Collect(maps.Keys(counts)), func(key string) string {
		if counts[key] == 0 {
			return ""
		}
		return "for " + printable.Quantity(counts[key], "rule")
	})
}

const limitsPrefix = "limits."

// GroupAdvice returns what to do about the keys of a group: add them, raise a limit, or check a
// value.
func GroupAdvice(g RuleGroup) string {
	if strings.HasPrefix(g.Key, limitsPrefix) {
		return "raise"
	}
	for _, r := range g.Items {
		if slices.ContainsFunc(r.Checks, lacksKey) {
			return "add"
		}
	}
	return "check"
}

// needsKey reports whether a check needs a key that is missing or wrong.
func needsKey(c record.CheckResult) bool {
	return c.Verdict == record.VerdictNotVerified && c.MissingKey != ""
}

// lacksKey reports whether a check needs a key that is missing.
func lacksKey(c record.CheckResult) bool { return needsKey(c) && !c.KeyIsGiven }

// keysOf returns the sorted keys of the selected checks of a rule.
func keysOf(r record.RuleResult, some func(record.CheckResult) bool) (keys []string) {
	for _, c := range r.Checks {
		if some(c) {
			keys = append(keys, c.MissingKey)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
