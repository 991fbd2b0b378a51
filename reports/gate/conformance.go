package gate

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// conformance checks the conformance runs of a deployment, taken together, by the policy.
func (d *decider) conformance(name string, runs []Run) {
	d.violations(name, runs, false)
	d.warnings(name, runs, false)
	for _, r := range runs {
		if r.Verdict == string(record.NoVerdict) {
			d.add(name, "conformance.verdict", Undecided,
				fmt.Sprintf("expected a verdict on %s, found none: %s", short(r.Path), orNone(r.Reason)))
		}
	}
	policy := d.policy.Conformance
	if policy == nil { // no run of this kind was asked for: nothing but its verdict counts, and no waiver was allowed
		policy = &Conformance{}
	} else {
		d.verified(name, runs, policy.Verified)
	}
	d.waivers(name, runs, policy.Waivers)
	if policy.Baseline == "" {
		return
	}
	earlier, err := d.baseline(policy.Baseline, recorded.OfConformance)
	if err != nil {
		d.add(name, "conformance.baseline", Undecided, err.Error())
		return
	}
	d.regressions(name, runs, earlier)
	d.drift(name, runs, earlier, policy.Drift)
}

// standing of a verdict: the higher the better. Not verified and not there are the same.
func standing(v record.Verdict) int {
	if at := slices.Index([]record.Verdict{record.Fail, record.Warned, "", record.Waived, record.Pass}, v); at >= 0 {
		return at
	}
	return 2
}

// best returns the rules of several runs by ID: one that failed anywhere failed, else the best verdict counts.
func best(runs []Run) map[string]record.Rule {
	found := map[string]record.Rule{}
	for _, r := range runs {
		for _, rule := range r.Conformance.Rules {
			have, known := found[rule.ID]
			if !known || have.Verdict != record.Fail &&
				(rule.Verdict == record.Fail || standing(rule.Shown()) > standing(have.Shown())) {
				found[rule.ID] = rule
			}
		}
	}
	return found
}

// verified finds rules that the policy wants verified and that no run verified.
func (d *decider) verified(name string, runs []Run, patterns []string) {
	found := best(runs)
	open := map[string][]string{} // IDs by what is to be done
	wanted, lacking, failed := 0, 0, 0
	want := func(id, level string, security bool) {
		wanted++
		rule, there := found[id]
		if there && rule.Level == level && rule.Security == security {
			switch rule.Verdict {
			case record.Pass, record.Waived:
				return
			case record.Fail: // that is a finding of its own, also where it is a warning
				failed++
				return
			}
		}
		lacking++
		todo := todo(rule, there, record.Rule{Level: level, Security: security})
		open[todo] = append(open[todo], id)
	}
	known := map[string]bool{}
	for _, rule := range d.policy.Catalogue {
		known[rule.ID] = true
		if rule.Level != rules.Observe && asks(patterns, rule.ID, string(rule.Level)) {
			want(rule.ID, string(rule.Level), rule.Security)
		}
	}
	for _, id := range sorted(found) { // rules that only the version that made the run knows
		if rule := found[id]; !known[id] && rule.Level != string(rules.Observe) && asks(patterns, id, rule.Level) {
			want(id, rule.Level, rule.Security)
		}
	}
	if wanted == 0 {
		d.add(name, "conformance.verified", Undecided,
			"expected rules that are judged, found none that the policy asks for")
		return
	}
	var against []string
	for _, todo := range sorted(open) {
		against = append(against, todo+": "+some(open[todo]))
	}
	held := digest.Quantity(wanted, "required rule") + " verified"
	if failed > 0 {
		held += fmt.Sprintf(", %d of them failed", failed)
	}
	d.judge(name, "conformance.verified", Undecided, held,
		fmt.Sprintf("expected %s verified, found %d that are not", digest.Quantity(wanted, "required rule"), lacking),
		against)
}

// todo says what is in the way of a rule, and what to do about it.
func todo(rule record.Rule, there bool, here record.Rule) string {
	need := digest.Need(rule)
	switch {
	case !there:
		return "selected by none of the runs, make one that selects them"
	case rule.Level != here.Level || rule.Security != here.Security:
		return fmt.Sprintf("judged as %s by the version that made the run, and %s here: run it again",
			cited(digest.Level(rule)), digest.Level(here))
	case rule.Verdict == record.NotVerified && need != "":
		verb, at := digest.Group{Cause: need, Rules: []record.Rule{rule}}.Verb(), "in"
		if verb == "add" {
			at = "to"
		}
		return fmt.Sprintf("%s %s %s the deployment file", verb, need, at)
	}
	return digest.Word(rule.Verdict) + ", " + orNone(rule.Reason)
}

// some names the first of a list.
func some(ids []string) string { return digest.First(ids, 8, ", ") }

func asks(patterns []string, id, level string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if p == everyMust || p == everyShould {
			return p == level
		}
		return rules.Match(p, id)
	})
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// waivers finds waivers in use that the policy does not allow, that run too long, or that are over by now.
func (d *decider) waivers(name string, runs []Run, policy *Waivers) {
	if policy == nil {
		policy = &Waivers{}
	}
	var against []string
	used := 0
	for _, r := range runs {
		for _, rule := range r.Conformance.Rules {
			if rule.Verdict != record.Waived {
				continue
			}
			used++
			until, err := time.Parse(time.DateOnly, rule.Waiver.Until)
			switch {
			case !slices.ContainsFunc(policy.Allowed, func(p string) bool { return rules.Match(p, rule.ID) }):
				against = append(against, fmt.Sprintf("%s: expected no waiver, as waivers.allowed does not name it, "+
					"found one until %s (%s)", rule.ID, rule.Waiver.Until, rule.Waiver.Reason))
			case err != nil:
				against = append(against, fmt.Sprintf("%s: expected a waiver that names a day, found %s",
					rule.ID, cited(rule.Waiver.Until)))
			case !policy.Latest.IsZero() && until.After(policy.Latest):
				against = append(against, fmt.Sprintf("%s: expected a waiver until %s at the latest "+
					"(waivers.latest), found one until %s", rule.ID, policy.Latest.Format(time.DateOnly),
					rule.Waiver.Until))
			case !d.now.Before(until.AddDate(0, 0, 1)):
				against = append(against, fmt.Sprintf("%s: expected a waiver that is still in force, found one that "+
					"ended with %s", rule.ID, rule.Waiver.Until))
			}
		}
	}
	held := "no rule is waived"
	if used > 0 {
		held = digest.Quantity(used, "waived rule") + ", all as the policy allows"
	}
	d.judge(name, "conformance.waivers", Blocked, held, fmt.Sprintf("expected waivers that the policy allows, found "+
		"%d of %d that it does not", len(against), used), against)
}

// regressions finds rules whose verdict is worse than in the baseline. One that held and is not verified any more may
// still hold: that is undecided.
func (d *decider) regressions(name string, runs []Run, earlier Run) {
	found := best(runs)
	var worse, open []string
	compared, violated := 0, 0
	for _, before := range earlier.Conformance.Rules {
		if before.Level == string(rules.Observe) {
			continue
		}
		now, there := found[before.ID]
		if compared++; !there {
			now.Verdict = record.NotVerified
			compared--
		}
		if standing(now.Shown()) >= standing(before.Shown()) {
			continue
		}
		word := digest.Word(now.Shown())
		if !there {
			word = "not in the runs"
		}
		change := fmt.Sprintf("%s: was %s, is %s", before.ID, digest.Word(before.Shown()), word)
		switch {
		case now.Shown() == record.Fail: // that is a finding of its own, with what was found
			violated++
		case now.Verdict == record.Fail || now.Verdict == record.Waived:
			worse = append(worse, change)
		default:
			open = append(open, change)
		}
	}
	baseline := short(earlier.Path)
	switch {
	case len(worse)+violated > 0:
		message := fmt.Sprintf("expected no rule worse than in %s, found %s",
			baseline, digest.Quantity(len(worse)+len(open)+violated, "rule"))
		if violated > 0 {
			message += fmt.Sprintf(", %d of them violated: conformance.violations names them", violated)
		}
		d.add(name, "conformance.regression", Blocked, message, append(worse, open...)...)
	case len(open) > 0:
		d.add(name, "conformance.regression", Undecided, fmt.Sprintf("expected no rule worse than in %s, found %s "+
			"that held there and could not be judged now", baseline, digest.Quantity(len(open), "rule")), open...)
	case compared == 0:
		d.add(name, "conformance.regression", Undecided,
			fmt.Sprintf("expected rules that the runs and %s both judge, found none: nothing was compared", baseline))
	default:
		d.add(name, "conformance.regression", Held,
			fmt.Sprintf("none of %s is worse than in %s", digest.Quantity(compared, "rule"), baseline))
	}
}
