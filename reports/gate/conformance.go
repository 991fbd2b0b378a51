package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

// conformance holds the conformance runs of a deployment, taken together, against the policy.
func (d *decider) conformance(name string, runs []Run) {
	d.violations(name, runs, false)
	for _, r := range runs {
		if r.Verdict == string(record.NoVerdict) {
			d.add(name, "conformance.verdict", Undecided, fmt.Sprintf("%s gives no verdict: %s", short(r.Path), orNone(r.Reason)))
		}
	}
	policy := d.policy.Conformance
	if policy == nil { // no run of this kind was asked for: nothing but its verdict counts, and no waiver was allowed
		policy = &Conformance{}
	} else {
		d.verified(name, runs, policy.Verified)
	}
	d.waivers(name, runs, policy)
	if policy.Baseline == "" {
		return
	}
	earlier, err := d.baseline(policy.Baseline, OfConformance)
	if err != nil {
		d.add(name, "conformance.baseline", Undecided, err.Error())
		return
	}
	d.regressions(name, runs, earlier)
	d.drift(name, runs, earlier, policy.Drift)
}

// violations finds rules that failed in any of the runs. silent says nothing where there are none.
func (d *decider) violations(subject string, runs []Run, silent bool) {
	var against []string
	total := 0
	for _, r := range runs {
		for _, rule := range r.conformance.Rules {
			if rule.Level != string(rules.Observe) {
				total++
			}
			if rule.Verdict == record.Fail {
				against = append(against, fmt.Sprintf("%s (%s): %s", rule.ID, rule.Level, orNone(rule.Reason)))
			}
		}
	}
	if silent && len(against) == 0 {
		return
	}
	d.judge(subject, "conformance.violations", Blocked, fmt.Sprintf("none of %s is violated", digest.Quantity(total, "rule")),
		digest.Quantity(len(against), "rule")+" violated", against)
}

// standing of a verdict: the higher the better. Not verified and not there are the same.
func standing(v record.Verdict) int {
	switch v {
	case record.Pass:
		return 3
	case record.Waived:
		return 2
	case record.Fail:
		return 0
	}
	return 1
}

// best gives the rules of several runs by ID: one that failed anywhere failed, else the best verdict counts.
func best(runs []Run) map[string]record.Rule {
	found := map[string]record.Rule{}
	for _, r := range runs {
		for _, rule := range r.conformance.Rules {
			have, known := found[rule.ID]
			if !known || have.Verdict != record.Fail && (rule.Verdict == record.Fail || standing(rule.Verdict) > standing(have.Verdict)) {
				found[rule.ID] = rule
			}
		}
	}
	return found
}

// verified finds rules that the policy wants verified and that no run verified.
func (d *decider) verified(name string, runs []Run, patterns []string) {
	found := best(runs)
	var against []string
	wanted := 0
	want := func(id string) {
		wanted++
		rule, there := found[id]
		switch {
		case !there:
			against = append(against, id+": not among the rules of the runs")
		case rule.Verdict != record.Pass && rule.Verdict != record.Waived && rule.Verdict != record.Fail: // a failed one is told already
			against = append(against, fmt.Sprintf("%s: %s: %s", id, digest.Word(rule.Verdict), orNone(rule.Reason)))
		}
	}
	catalogue := map[string]bool{}
	for _, rule := range rules.All() {
		catalogue[rule.ID] = true
		if rule.Level != rules.Observe && asks(patterns, rule.ID, string(rule.Level)) {
			want(rule.ID)
		}
	}
	for _, id := range sorted(found) { // rules that only the version that made the run knows
		if rule := found[id]; !catalogue[id] && rule.Level != string(rules.Observe) && asks(patterns, id, rule.Level) {
			want(id)
		}
	}
	if wanted == 0 {
		d.add(name, "conformance.verified", Undecided, "the policy asks for no rule that is judged")
		return
	}
	d.judge(name, "conformance.verified", Undecided, digest.Quantity(wanted, "required rule")+" verified",
		fmt.Sprintf("%d of %s not verified", len(against), digest.Quantity(wanted, "required rule")), against)
}

func asks(patterns []string, id, level string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if p == everyMust || p == everyShould {
			return p == level
		}
		return rules.Match(p, id)
	})
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// waivers finds waivers in use that the policy does not allow, that run too long, or that are over by now.
func (d *decider) waivers(name string, runs []Run, policy *Conformance) {
	var against []string
	used := 0
	for _, r := range runs {
		for _, rule := range r.conformance.Rules {
			if rule.Verdict != record.Waived {
				continue
			}
			used++
			until, err := time.Parse(time.DateOnly, rule.Waiver.Until)
			switch {
			case !slices.ContainsFunc(policy.Allowed, func(p string) bool { return rules.Match(p, rule.ID) }):
				against = append(against, fmt.Sprintf("%s: waived, and the policy allows no waiver of it", rule.ID))
			case err != nil:
				against = append(against, fmt.Sprintf("%s: its waiver names no day", rule.ID))
			case !policy.Latest.IsZero() && until.After(policy.Latest):
				against = append(against, fmt.Sprintf("%s: waived until %s, the policy allows no later day than %s", rule.ID, rule.Waiver.Until, policy.Latest.Format(time.DateOnly)))
			case !d.Now.Before(until.AddDate(0, 0, 1)):
				against = append(against, fmt.Sprintf("%s: its waiver ended with %s", rule.ID, rule.Waiver.Until))
			}
		}
	}
	held := "no rule is waived"
	if used > 0 {
		held = digest.Quantity(used, "waived rule") + ", all as the policy allows"
	}
	d.judge(name, "conformance.waivers", Blocked, held, fmt.Sprintf("%d of %s are not allowed", len(against), digest.Quantity(used, "waiver")), against)
}

// regressions finds rules whose verdict is worse than in the baseline.
func (d *decider) regressions(name string, runs []Run, earlier Run) {
	found := best(runs)
	var against []string
	for _, before := range earlier.conformance.Rules {
		if before.Level == string(rules.Observe) {
			continue
		}
		now, there := found[before.ID]
		word := digest.Word(now.Verdict)
		if !there {
			now.Verdict, word = record.NotVerified, "not in the runs"
		}
		if standing(now.Verdict) < standing(before.Verdict) {
			against = append(against, fmt.Sprintf("%s: was %s, is %s", before.ID, digest.Word(before.Verdict), word))
		}
	}
	d.judge(name, "conformance.regression", Blocked, fmt.Sprintf("no rule is worse than in %s", short(earlier.Path)),
		fmt.Sprintf("%s worse than in %s", digest.Quantity(len(against), "rule"), short(earlier.Path)), against)
}

// drift finds observations that differ from the baseline's and may not.
func (d *decider) drift(name string, runs []Run, earlier Run, may Drift) {
	before, now := observations([]Run{earlier}), observations(runs)
	both := map[string]bool{}
	for id := range before {
		both[id] = true
	}
	for id := range now {
		both[id] = true
	}
	var against []string
	drifted := 0
	for _, id := range sorted(both) {
		if slices.Equal(before[id], now[id]) {
			continue
		}
		drifted++
		if !may.Any && !slices.ContainsFunc(may.Allowed, func(p string) bool { return rules.Match(p, id) }) {
			against = append(against, fmt.Sprintf("%s: was %s, is %s", id, seen(before[id]), seen(now[id])))
		}
	}
	held := "nothing that is observed differs from " + short(earlier.Path)
	if drifted > 0 {
		held = digest.Quantity(drifted, "observation") + " differ from " + short(earlier.Path) + ", as the policy allows"
	}
	d.judge(name, "conformance.drift", Blocked, held, digest.Quantity(len(against), "observation")+" drifted from "+short(earlier.Path), against)
}

// observations gives what was seen by ID, each different text once, in order.
func observations(runs []Run) map[string][]string {
	found := map[string][]string{}
	for _, r := range runs {
		for _, o := range r.conformance.Observations {
			if !slices.Contains(found[o.ID], o.Observed) {
				found[o.ID] = append(found[o.ID], o.Observed)
			}
		}
	}
	for id := range found {
		slices.Sort(found[id])
	}
	return found
}

func seen(texts []string) string {
	return cmp.Or(digest.Clip(strings.Join(texts, " / "), 120), "not observed")
}
