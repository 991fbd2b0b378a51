package record

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
)

// NoCheckRan is the reason of a rule that none of the run's checks reached.
const NoCheckRan = "no check of this rule ran"

// InOrder brings checks, which are journaled as they end, into the order of what may be judged, as run.json has them.
// Those whose place is not known, as in journals of earlier versions, stay in theirs.
func InOrder(checks []Check) {
	slices.SortStableFunc(checks, func(a, b Check) int { return cmp.Compare(a.Case, b.Case) })
}

// Judge turns checks into the verdicts of rules. A rule is as bad as the worst of its checks: fail, inconclusive,
// not_verified, pass. A failed rule that an unexpired waiver names becomes waived. An observe rule is observed as soon
// as anything was seen, and can never fail. Checks that name a rule outside the catalogue are kept under a rule of
// their own, so that nothing found is lost. now decides which waivers have expired.
func Judge(catalogue []rules.Rule, checks []Check, waivers []deployment.Waiver, now time.Time) ([]Rule, []WaiverNote, Counts) {
	judged := make([]Rule, 0, len(catalogue))
	at := make(map[string]int, len(catalogue))
	add := func(r rules.Rule) {
		if _, twice := at[r.ID]; !twice {
			at[r.ID] = len(judged)
			judged = append(judged, Rule{
				ID: r.ID, Level: string(r.Level), Security: r.Security, Section: string(r.Section), Statement: r.Statement, Checks: []Check{},
			})
		}
	}
	for _, r := range catalogue {
		add(r)
	}
	for _, c := range checks {
		add(rules.Rule{
			ID: c.Rule, Level: rules.Must, Statement: "A check names this rule, which is not among the rules selected for the run.",
		})
		r := &judged[at[c.Rule]]
		c.Rule, c.Case, c.Exchanges = "", 0, append([]int{}, c.Exchanges...)
		r.Checks = append(r.Checks, c)
	}
	for i := range judged {
		decide(&judged[i])
	}
	notes := waive(judged, waivers, now)
	return judged, notes, Count(judged)
}

// decide sets the verdict of a rule and the reason for it from its checks.
func decide(r *Rule) {
	r.Verdict, r.Reason = NotVerified, NoCheckRan
	worst := -1
	for i, c := range r.Checks {
		switch saw := c.Verdict == Observed || c.Verdict == Pass || c.Verdict == Fail; {
		case saw && r.Level == string(rules.Observe):
			r.Verdict, r.Reason = Observed, ""
			return
		case c.Verdict == Observed: // says nothing about a rule that is judged
		case worst < 0 || rank(c.Verdict) > rank(r.Checks[worst].Verdict) || plainer(c, r.Checks[worst]):
			worst = i
		}
	}
	switch {
	case worst >= 0:
		c := r.Checks[worst]
		if r.Verdict = c.Verdict; rank(c.Verdict) == rank(Inconclusive) { // a verdict this version does not know is not a pass
			r.Verdict = Inconclusive
		}
		r.Reason = reason(c)
	case len(r.Checks) > 0:
		r.Reason = oneLine(cmp.Or(r.Checks[0].Message, "its checks only observe; none of them judged it"), reasonLimit)
	}
}

// rank orders the verdicts of checks, the worst highest; what it does not know ranks as inconclusive.
func rank(v Verdict) int {
	if i := slices.Index([]Verdict{Pass, NotVerified, Inconclusive, Fail}, v); i >= 0 {
		return i
	}
	return rank(Inconclusive)
}

// plainer reports whether one failed check says more of what is wrong than another: what takes no condition says more,
// and the plainer a request, the shorter its name.
func plainer(c, than Check) bool {
	switch plain, other := len(c.Condition) == 0, len(than.Condition) == 0; {
	case c.Verdict != Fail || than.Verdict != Fail:
		return false
	case plain != other:
		return plain
	}
	return len(c.Name) < len(than.Name)
}

// Decisive is the failed check that says most of what is wrong with a rule; false where none failed.
func Decisive(r Rule) (found Check, failed bool) {
	for _, c := range failures(r) {
		if !failed || plainer(c, found) {
			found, failed = c, true
		}
	}
	return found, failed
}

// failures are the checks of a rule that failed.
func failures(r Rule) []Check {
	return slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return c.Verdict != Fail })
}

// reasonLimit bounds a reason, which may name a key, what to do about it, and what the deployment answered.
const reasonLimit = 320

// reason says in one short line why the check decided as it did; a pass needs none.
func reason(c Check) string {
	if c.Verdict == Pass {
		return ""
	}
	return oneLine(cmp.Or(strings.TrimSpace(c.Message), c.Name), reasonLimit)
}

// oneLine folds white space and cuts what is too long.
func oneLine(s string, limit int) string {
	if len(s) > 8*limit { // enough for limit runes, and bounded work on a huge text
		s = s[:8*limit]
	}
	return Shorten(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "), limit)
}

// Count counts rules by verdict.
func Count(list []Rule) (c Counts) {
	for _, r := range list {
		c.Add(r)
	}
	return c
}

// Add counts one more rule.
func (c *Counts) Add(r Rule) {
	switch r.Shown() {
	case Pass:
		c.Pass++
	case Fail:
		c.Fail++
	case Warned:
		c.Warn++
	case Waived:
		c.Waived++
	case NotVerified:
		c.NotVerified++
	case Observed:
		c.Observed++
	default:
		c.Inconclusive++
	}
}

// Judged is the number of rules whose answers were judged: all but those inconclusive, observed or not verified.
func (c Counts) Judged() int { return c.Pass + c.Fail + c.Warn + c.Waived }

// Total is the number of rules counted.
func (c Counts) Total() int { return c.Judged() + c.Inconclusive + c.NotVerified + c.Observed }
