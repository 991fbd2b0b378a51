package record

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
)

// noCheckRan is the reason of a rule without checks.
const noCheckRan = "no check of this rule ran"

// maxReasonChars limits a reason, which may name a key, the advice and the answer of the
// deployment.
const maxReasonChars = 320

// lastCheckPerCase returns the checks in the order of their cases, as in run.json; journals have
// them in the order in which they ended. If a case was judged several times, for example by
// Ginkgo's FlakeAttempts, the last check counts. Checks without a case number, from journals of
// earlier versions, keep their order.
func lastCheckPerCase(checks []CheckResult) []CheckResult {
	checks = slices.Clone(checks)
	slices.Reverse(checks)
	slices.SortStableFunc(checks,
		func(a, b CheckResult) int { return cmp.Compare(b.CaseNumber, a.CaseNumber) })
	checks = slices.CompactFunc(checks,
		func(a, b CheckResult) bool { return a.CaseNumber > 0 && a.CaseNumber == b.CaseNumber })
	slices.Reverse(checks)
	return checks
}

// judge computes the verdicts of rules from their checks. A rule has the verdict of its worst
// check: fail, inconclusive, not_verified, pass. A failed rule with an unexpired waiver becomes
// waived. An observe rule with any judged or observed check is observed and never fails. Checks of
// a rule outside the catalogue get a rule of that name, so that no finding is lost. now decides
// which waivers have expired.
func judge(
	catalogue []rules.Rule, checks []CheckResult, waivers []deployment.Waiver, now time.Time,
) ([]RuleResult, []WaiverStatus, VerdictCounts) {
	judged := make([]RuleResult, 0, len(catalogue))
	at := make(map[string]int, len(catalogue))
	add := func(r rules.Rule) {
		if _, twice := at[r.ID]; !twice {
			at[r.ID] = len(judged)
			judged = append(judged, RuleResult{
				ID: r.ID, Level: string(r.Level), Security: r.Security, Section: string(r.Section),
				Statement: r.Statement, Checks: []CheckResult{},
			})
		}
	}
	for _, r := range catalogue {
		add(r)
	}
	for _, c := range checks {
		add(rules.Rule{
			ID: c.Rule, Level: rules.Must,
			Statement: "A check names this rule, which is not among the rules selected for the run.",
		})
		r := &judged[at[c.Rule]]
		c.Rule, c.CaseNumber, c.Exchanges = "", 0, append([]int{}, c.Exchanges...)
		r.Checks = append(r.Checks, c)
	}
	for i := range judged {
		setVerdict(&judged[i])
	}
	notes := applyWaivers(judged, waivers, now)
	return judged, notes, CountVerdicts(judged)
}

// setVerdict sets the verdict of a rule and the reason for it from its checks.
func setVerdict(r *RuleResult) {
	c, judged := DecisiveCheck(*r)
	saw := slices.ContainsFunc(r.Checks,
		func(c CheckResult) bool {
			return slices.Contains([]Verdict{VerdictObserved, VerdictPass, VerdictFail}, c.Verdict)
		})
	switch {
	case saw && r.Level == string(rules.Observe):
		r.Verdict = VerdictObserved
	case judged:
		// a verdict that this version does not know is not a pass
		r.Verdict = c.Verdict
		if verdictRank(c.Verdict) == verdictRank(VerdictInconclusive) {
			r.Verdict = VerdictInconclusive
		}
		if c.Verdict != VerdictPass {
			r.Reason = oneLine(cmp.Or(strings.TrimSpace(c.Message), c.Name), maxReasonChars)
		}
	case saw:
		r.Verdict = VerdictNotVerified
		r.Reason = oneLine(cmp.Or(r.Checks[0].Message, "its checks only observe; none of them judged it"),
			maxReasonChars)
	default:
		r.Verdict, r.Reason = VerdictNotVerified, noCheckRan
	}
}

// verdictRank returns the rank of a verdict, the worst highest. An unknown verdict ranks as
// inconclusive.
func verdictRank(v Verdict) int {
	if i := slices.Index([]Verdict{VerdictPass, VerdictNotVerified, VerdictInconclusive, VerdictFail},
		v); i >= 0 {
		return i
	}
	return verdictRank(VerdictInconclusive)
}

// DecisiveCheck returns the worst check of a rule. Among failed checks it prefers one without a
// condition, then the shortest name, which belongs to the simplest request. Checks that only
// observed do not count; judged is false if there is no other.
func DecisiveCheck(r RuleResult) (found CheckResult, judged bool) {
	for _, c := range r.Checks {
		order := cmp.Compare(verdictRank(c.Verdict), verdictRank(found.Verdict))
		if order == 0 && c.Verdict == VerdictFail {
			order = cmp.Or(cmp.Compare(min(1, len(found.Condition)), min(1, len(c.Condition))),
				cmp.Compare(len(found.Name), len(c.Name)))
		}
		if c.Verdict != VerdictObserved && (!judged || order > 0) {
			found, judged = c, true
		}
	}
	return found, judged
}

// failedChecks returns the failed checks of a rule.
func failedChecks(r RuleResult) []CheckResult {
	return slices.DeleteFunc(slices.Clone(r.Checks),
		func(c CheckResult) bool { return c.Verdict != VerdictFail })
}

// oneLine collapses white space and cuts s to limit characters.
func oneLine(s string, limit int) string {
	if len(s) > 8*limit { // enough for limit runes, and bounded work on a huge text
		s = s[:8*limit]
	}
	return printable.TruncateAtSpace(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")),
		" "), limit)
}

// CountVerdicts counts rules by verdict.
func CountVerdicts(list []RuleResult) (c VerdictCounts) {
	for _, r := range list {
		c.addRule(r)
	}
	return c
}

// addRule counts one more rule.
func (c *VerdictCounts) addRule(r RuleResult) {
	of := map[Verdict]*int{
		VerdictPass: &c.Pass, VerdictFail: &c.Fail, VerdictWarning: &c.Warn, VerdictWaived: &c.Waived,
		VerdictNotVerified: &c.NotVerified,
		VerdictObserved:    &c.Observed,
	}
	*cmp.Or(of[r.DisplayVerdict()], &c.Inconclusive)++
}

// Judged returns the number of rules that passed, failed or are waived.
func (c VerdictCounts) Judged() int { return c.Pass + c.Fail + c.Warn + c.Waived }

// verified returns the number of rules that were judged or observed.
func (c VerdictCounts) verified() int { return c.Judged() + c.Observed }

// Total returns the number of all rules.
func (c VerdictCounts) Total() int { return c.verified() + c.Inconclusive + c.NotVerified }
