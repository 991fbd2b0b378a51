package gate

import (
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// violations finds must rules and security rules that failed in any of the runs. silent says nothing where there are
// none.
func (d *decider) violations(subject string, runs []Run, silent bool) {
	known := map[string]bool{}
	for _, r := range runs {
		for _, rule := range r.Conformance.Rules {
			known[rule.ID] = true
		}
	}
	against, violated := failed(runs, record.Fail)
	if silent && len(against) == 0 {
		return
	}
	all := digest.Quantity(len(known), "rule")
	d.judge(subject, "conformance.violations", Blocked, fmt.Sprintf("none of %s is violated", all),
		fmt.Sprintf("expected none of %s violated, found %d: %s", all, len(violated), pages(runs, record.Fail)),
		against)
}

// warnings finds should rules that failed: refused where the policy is strict or asks for the rule, else only listed.
// silent says nothing where none is refused.
func (d *decider) warnings(subject string, runs []Run, silent bool) {
	details, warned := failed(runs, record.Warned)
	policy := d.policy.Conformance
	refused := policy != nil && slices.ContainsFunc(warned, func(id string) bool {
		return policy.Strict || asks(policy.Verified, id, string(rules.Should))
	})
	switch found := digest.Quantity(len(warned), "warning"); {
	case refused:
		d.add(subject, "conformance.warnings", Blocked, fmt.Sprintf("expected no failure of a should rule that the policy "+
			"asks for, found %s: %s", found, pages(runs, record.Warned)), details...)
	case len(warned) > 0 && !silent:
		d.add(subject, "conformance.warnings", Held,
			found+", which the policy allows: conformance.strict: true refuses them", details...)
	}
}

// failed says of the rules that are shown with a verdict what was found, security rules first, and returns their IDs.
// What several runs found alike is named once.
func failed(runs []Run, verdict record.Verdict) (details, ids []string) {
	for _, r := range runs {
		defects, warned := digest.Defects(r.Conformance)
		if verdict == record.Warned {
			defects = warned
		}
		for _, d := range defects {
			text := fmt.Sprintf("%s: %s (%s)", orNone(d.Headline), some(d.IDs()), d.Binding())
			if !slices.Contains(details, text) {
				details = append(details, text)
			}
		}
		for _, rule := range digest.With(r.Conformance, verdict) { // a defect may break rules of both kinds
			if !slices.Contains(ids, rule.ID) {
				ids = append(ids, rule.ID)
			}
		}
	}
	return details, ids
}

// pages names the reports that show rules with a verdict, by their paths.
func pages(runs []Run, verdict record.Verdict) string {
	var names []string
	for _, r := range runs {
		if len(digest.With(r.Conformance, verdict)) > 0 {
			names = append(names, r.page())
		}
	}
	return "see " + some(names)
}
