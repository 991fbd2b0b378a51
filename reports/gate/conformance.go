package gate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// checkConformance checks all conformance runs of a deployment together by the policy.
func (d *decider) checkConformance(name string, runs []recorded.Run) {
	d.checkFailures(name, runs, false)
	for _, r := range runs {
		if r.Verdict == string(record.RunNoVerdict) {
			d.addFinding(name, "conformance.verdict", StateUndecided,
				"expected a verdict on %s, found none: %s", shownPath(r.Path), reasonOrNone(r.Reason))
		}
	}
	policy, all := d.policy.Conformance, mergeRuns(runs)
	// the policy asks for no run of this kind: only its verdict counts, and no waiver is allowed
	if policy == nil {
		d.checkWaivers(name, runs, &WaiverPolicy{})
		return
	}
	depths, least := deployment.Depths(), cmp.Or(policy.Depth, deployment.DepthStandard)
	for _, r := range runs {
		if slices.Index(depths, r.Depth) < slices.Index(depths, least) {
			d.addFinding(name, "conformance.depth", StateUndecided,
				"expected a run of depth %s at least, found %s of depth %s: run it again", least,
				shownPath(r.Path), cmp.Or(r.Depth, "unknown"))
		}
	}
	d.checkVerified(name, all, policy.Verified)
	d.checkWaivers(name, runs, cmp.Or(policy.Waivers, &WaiverPolicy{}))
	if policy.Baseline != "" {
		d.checkRegression(name,
			recorded.Run{Path: "conformance", Kind: recorded.KindConformance, Conformance: all},
			policy.Baseline, 0)
	}
}

// mergeRuns merges several runs: a rule failed if it failed in any of them, otherwise its best
// verdict counts.
func mergeRuns(runs []recorded.Run) record.Run {
	var all record.Run
	var judged []record.RuleResult
	standing := []record.Verdict{
		record.VerdictInconclusive, record.VerdictNotVerified, record.VerdictWaived,
		record.VerdictObserved, record.VerdictPass, record.VerdictFail,
	}
	for _, r := range runs {
		judged = append(judged, r.Conformance.Rules...)
	}
	for _, same := range digest.GroupBy(judged, func(r record.RuleResult) string { return r.ID }) {
		all.Rules = append(all.Rules, slices.MaxFunc(same.Items, func(a, b record.RuleResult) int {
			return slices.Index(standing, a.Verdict) - slices.Index(standing, b.Verdict)
		}))
	}
	all.Counts = record.CountVerdicts(all.Rules)
	return all
}

// checkFailures finds violated rules and failed should rules. The latter block if the policy is
// strict or names the rule, otherwise they are only listed. silent: it reports failures only.
func (d *decider) checkFailures(subject string, runs []recorded.Run, silent bool) {
	all := printable.Quantity(len(mergeRuns(runs).Rules), "rule")
	details, violated, pages := failedDetails(runs, record.VerdictFail)
	if len(violated) > 0 || !silent {
		d.addRequirement(subject, "conformance.violations", StateBlocked,
			fmt.Sprintf("none of %s is violated", all),
			fmt.Sprintf("expected none of %s violated, found %d: %s", all, len(violated), pages), details)
	}
	details, warned, pages := failedDetails(runs, record.VerdictWarning)
	policy := d.policy.Conformance
	refused := policy != nil && slices.ContainsFunc(warned, func(id string) bool {
		return policy.Strict || policyAsksFor(policy.Verified, id, string(rules.Should))
	})
	switch found := printable.Quantity(len(warned), "warning"); {
	case refused:
		d.addDetailed(subject, "conformance.warnings", StateBlocked,
			fmt.Sprintf("expected no failure of a should rule that the policy "+
				"asks for, found %s: %s", found, pages), details)
	case len(warned) > 0 && !silent:
		d.addDetailed(subject, "conformance.warnings", StateHeld,
			found+", which the policy allows: conformance.strict: true refuses them", details)
	}
}

// failedDetails returns the findings of the rules with a displayed verdict, security rules first,
// with their IDs and the runs that show them. Equal findings of several runs are listed once.
func failedDetails(
	runs []recorded.Run, verdict record.Verdict,
) (details, ids []string, see string) {
	var pages []string
	for _, r := range runs {
		defects, warned := digest.Defects(r.Conformance)
		if verdict == record.VerdictWarning {
			defects = warned
		}
		for _, d := range defects {
			text := fmt.Sprintf("%s (%s): %s", joinFirstFew(d.Rules), d.LevelText(),
				reasonOrNone(d.Headline))
			if !slices.Contains(details, text) {
				details = append(details, text)
			}
		}
		// a defect may break rules of both levels
		found := digest.RuleIDs(digest.RulesWithVerdict(r.Conformance, verdict))
		if ids = append(ids, found...); len(found) > 0 {
			pages = append(pages, r.Path)
		}
	}
	slices.Sort(ids)
	return details, slices.Compact(ids), "see " + joinFirstFew(pages)
}

// checkVerified finds rules that the policy requires to be verified and that no run verified.
func (d *decider) checkVerified(name string, all record.Run, patterns []string) {
	found := digest.RulesByID(all.Rules)
	wanted := maps.Clone(found) // also rules that only the version of the run knows
	for _, rule := range d.policy.Catalogue {
		wanted[rule.ID] = record.RuleResult{
			ID: rule.ID, Level: string(rule.Level), Security: rule.Security,
		}
	}
	maps.DeleteFunc(wanted, func(id string, r record.RuleResult) bool {
		return r.Level == string(rules.Observe) || !policyAsksFor(patterns, id, r.Level)
	})
	if len(wanted) == 0 {
		d.addFinding(name, "conformance.verified", StateUndecided,
			"expected rules that are judged, found none that the policy asks for")
		return
	}
	// failures are reported separately
	decided := []record.Verdict{record.VerdictPass, record.VerdictWaived, record.VerdictFail}
	open := map[string][]string{} // IDs by advice
	lacking := 0
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		rule, there := found[id]
		judgedAlike := rule.Level == wanted[id].Level && rule.Security == wanted[id].Security
		if there && judgedAlike && slices.Contains(decided, rule.Verdict) {
			continue
		}
		lacking++
		todo := openRuleText(rule, there, wanted[id])
		open[todo] = append(open[todo], id)
	}
	var against []string
	for _, todo := range slices.Sorted(maps.Keys(open)) {
		against = append(against, joinFirstFew(open[todo])+": "+todo)
	}
	required := printable.Quantity(len(wanted), "required rule")
	d.addRequirement(name, "conformance.verified", StateUndecided, required+" verified",
		fmt.Sprintf("expected %s verified, found %d that are not", required, lacking), against)
}

// openRuleText returns why a rule was not verified, and what to do.
func openRuleText(rule record.RuleResult, there bool, here record.RuleResult) string {
	need := digest.MissingKeys(rule)
	switch {
	case !there:
		return "not selected: make a run that selects it, or one at depth thorough"
	case rule.Level != here.Level || rule.Security != here.Security:
		return fmt.Sprintf("judged as %s by the version that made the run, as %s by this one: run it "+
			"again",
			printable.Quote(digest.FormatLevel(rule.Level, rule.Security)),
			digest.FormatLevel(here.Level, here.Security))
	case rule.Verdict == record.VerdictNotVerified && need != "":
		return fmt.Sprintf("%s %s in the deployment file",
			digest.GroupAdvice(digest.RuleGroup{Key: need, Items: []record.RuleResult{rule}}), need)
	}
	return digest.RuleVerdictWord(rule.Verdict) + ", " + reasonOrNone(rule.Reason)
}

func policyAsksFor(patterns []string, id, level string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if p == allMustRules || p == allShouldRules {
			return p == level
		}
		return rules.MatchesPattern(p, id)
	})
}

// checkWaivers finds waivers in use that the policy does not allow, that last too long or that
// have expired.
func (d *decider) checkWaivers(name string, runs []recorded.Run, policy *WaiverPolicy) {
	var against []string
	used := 0
	for _, r := range runs {
		for _, rule := range digest.RulesWithVerdict(r.Conformance, record.VerdictWaived) {
			used++
			w := cmp.Or(rule.Waiver, &record.Waiver{})
			until, err := time.Parse(time.DateOnly, w.Until)
			complain := func(expected, found string) {
				against = append(against, fmt.Sprintf("%s: expected %s, found %s", rule.ID, expected, found))
			}
			switch {
			case !slices.ContainsFunc(policy.Allowed,
				func(p string) bool { return rules.MatchesPattern(p, rule.ID) }):
				complain("no waiver, as waivers.allowed does not name it",
					fmt.Sprintf("one until %s (%s)", w.Until, w.Reason))
			case err != nil:
				complain("a waiver that names a day", printable.Quote(w.Until))
			case !policy.Latest.IsZero() && until.After(policy.Latest):
				complain(fmt.Sprintf("a waiver until %s at the latest (waivers.latest)",
					policy.Latest.Format(time.DateOnly)), "one until "+w.Until)
			case !d.now.Before(until.AddDate(0, 0, 1)):
				complain("a waiver that is still in force", "one that ended with "+w.Until)
			}
		}
	}
	held := "no rule is waived"
	if used > 0 {
		held = printable.Quantity(used, "waived rule") + ", all as the policy allows"
	}
	d.addRequirement(name, "conformance.waivers", StateBlocked, held,
		fmt.Sprintf("expected waivers that the policy allows, found "+
			"%d of %d that it does not", len(against), used), against)
}
