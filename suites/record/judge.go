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

// noCheckRan is the reason of a rule that none of the run's checks reached.
const noCheckRan = "no check of this rule ran"

// maxReasonChars bounds a reason, which may name a key, what to do about it, and what the
// deployment answered.
const maxReasonChars = 320

// lastCheckPerCase returns checks, which are journaled as they end, in the order of their cases, as
// run.json has them. Those whose place is not known, as in journals of earlier versions, stay in
// theirs. Of a case that was judged again, as with Ginkgo's FlakeAttempts, the last check counts.
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

// judge turns checks into the verdicts of rules. A rule is as bad as the worst of its checks: fail,
// inconclusive, not_verified, pass. A failed rule that an unexpired waiver names becomes waived. An
// observe rule is observed as soon as anything was seen, and can never fail. Checks that name a
// rule outside the catalogue are kept under a rule of their own, so that nothing found is lost. now
// decides which waivers have expired.
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
		// a verdict this version does not know is not a pass
		if r.Verdict = c.Verdict; verdictRank(c.Verdict) == verdictRank(VerdictInconclusive) {
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

// verdictRank orders the verdicts of checks, the worst highest; what it does not know ranks as
// inconclusive.
func verdictRank(v Verdict) int {
	if i := slices.Index([]Verdict{VerdictPass, VerdictNotVerified, VerdictInconclusive, VerdictFail},
		v); i >= 0 {
		return i
	}
	return verdictRank(VerdictInconclusive)
}

// DecisiveCheck is the worst check of a rule, of failed ones the one that says most of what is
// wrong: what takes no condition says more, and the plainer a request, the shorter its name. One
// that observed says nothing; false: no other ran.
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

// failedChecks are the checks of a rule that failed.
func failedChecks(r RuleResult) []CheckResult {
	return slices.DeleteFunc(slices.Clone(r.Checks),
		func(c CheckResult) bool { return c.Verdict != VerdictFail })
}

// oneLine folds white space and cuts what is too long.
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

// Judged is the number of rules whose answers were judged: all but those inconclusive, observed or
// not verified.
func (c VerdictCounts) Judged() int { return c.Pass + c.Fail + c.Warn + c.Waived }

// verified is the number of rules that were judged or observed.
func (c VerdictCounts) verified() int { return c.Judged() + c.Observed }

// Total is the number of rules counted.
func (c VerdictCounts) Total() int { return c.verified() + c.Inconclusive + c.NotVerified }
