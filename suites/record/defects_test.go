package record

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/knownfaults"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/testmust"
)

const pass, fail = VerdictPass, VerdictFail

// wrongly is the finding of a request that was accepted and should not be.
var wrongly = Finding{Outcome: outcome.Accepted, ExpectedOutcome: outcome.Refused}

// ruleOf returns a must rule with a check of each verdict, all with the same finding.
func ruleOf(id string, found Finding, verdicts ...Verdict) RuleResult {
	r := RuleResult{ID: id, Level: "must", Verdict: verdicts[0]}
	for _, v := range verdicts {
		r.Checks = append(r.Checks, CheckResult{Verdict: v, Message: id + " failed", Finding: found})
		if v == fail {
			r.Verdict = fail
		}
	}
	return r
}

// grouped lists the rules of each defect, without what all IDs begin with.
func grouped(list []RuleResult, prefix string) string {
	var groups []string
	for _, d := range Defects(list) {
		groups = append(groups, strings.ReplaceAll(strings.Join(d.Rules, " "), prefix, ""))
	}
	return strings.Join(groups, ", ")
}

// What most modes of replay protection do wrong is one defect, and so are repeats that pass now and
// then. One mode's own failure stays apart.
func TestWhatMostReplayModesDoWrongIsOneDefect(t *testing.T) {
	failed := func(id string, end outcome.Outcome, others ...Verdict) RuleResult {
		return ruleOf("replay."+id, Finding{Outcome: end, Status: 202}, append([]Verdict{fail}, others...)...)
	}
	same := func(mode string, others ...Verdict) RuleResult {
		return failed(mode+".same", outcome.NotBlocked, others...)
	}
	body := func(mode string) RuleResult { return failed(mode+".other_body", outcome.Blocked, pass) }
	race := failed("race.nonce", "")
	for name, c := range map[string]struct {
		failed   []RuleResult
		expected string
	}{
		"a cell in three modes": {
			[]RuleResult{body("none"), body("nonce"), body("transaction")},
			"none.other_body nonce.other_body transaction.other_body",
		},
		"a cell in two modes": {
			[]RuleResult{body("none"), body("nonce")}, "none.other_body, nonce.other_body",
		},
		"repeats that pass now and then": {
			[]RuleResult{
				race, same("none", pass), same("transaction"), failed("late", outcome.NotBlocked),
			},
			"race.nonce none.same transaction.same late",
		},
		"two modes whose repeats all pass": {
			[]RuleResult{race, same("none"), same("transaction")},
			"race.nonce, none.same, transaction.same",
		},
	} {
		testmust.Equal(t, grouped(c.failed, "replay."), c.expected, name)
	}
}

// Invalid creations that get 200, where valid ones get 201, are refused behind a status of success:
// one defect, however many others are refused as they should be. So are those that get a page.
func TestRefusalsBehindASuccessAreOneDefect(t *testing.T) {
	for _, c := range []struct {
		end     outcome.Outcome
		success Verdict // of create.success.status
		want    int
	}{
		{outcome.Accepted, pass, 1},
		{outcome.Accepted, VerdictNotVerified, 5},
		{outcome.Page, VerdictNotVerified, 1},
	} {
		success := wrongly
		success.Outcome, success.Status = c.end, 200
		list := []RuleResult{
			ruleOf("create.type.name", success, pass), ruleOf("create.type.email", success, pass),
			ruleOf("create.success.status", success, c.success),
		}
		for _, topic := range []string{"type", "cpf", "email", "participation", "dates"} {
			list = append(list, ruleOf("create."+topic+".x", success, fail))
		}
		testmust.Equal(t, len(Defects(list)), c.want, c)
	}
}

// A rule that failed in part shares the headline of a fault that breaks it whole, if other rules
// prove the fault. One that failed by another outcome does not.
func TestARuleThatFailedInPartSharesAKnownFault(t *testing.T) {
	all := knownfaults.All()
	fault := all[slices.IndexFunc(all,
		func(one knownfaults.Fault) bool { return one.Name == "auth.token_only_decoded" })]
	const unsigned = "auth.bearer.alg_none"
	for _, end := range []outcome.Outcome{outcome.Accepted, outcome.ServerError} {
		var list []RuleResult
		for id, ends := range fault.Outcomes {
			verdicts := []Verdict{fail}
			if id == unsigned || slices.Contains(fault.Partly, id) {
				verdicts = append(verdicts, pass)
			}
			list = append(list, ruleOf(id, Finding{Outcome: ends[0]}, verdicts...))
			if id == unsigned {
				list[len(list)-1].Checks[0].Outcome = end
			}
		}
		if got := Defects(list); (len(got) == 1) != (end == outcome.Accepted) {
			t.Errorf("alg none ends in %s: %d defects: %v", end, len(got), got)
		}
	}
}

// Server errors in many topics come of one crash, in a few topics of one for each.
func TestServerErrorsInManyTopicsAreOneDefect(t *testing.T) {
	crash := Finding{Outcome: outcome.ServerError, Status: 500, ExpectedOutcome: outcome.Refused}
	topics := []string{"type", "money", "flags", "dates", "cpf"}
	for n, want := range map[int]int{5: 1, 4: 4} {
		var list []RuleResult
		for _, topic := range topics[:n] {
			list = append(list, ruleOf("create."+topic+".fail", crash, fail),
				ruleOf("create."+topic+".pass", crash, pass))
		}
		testmust.Equal(t, len(Defects(list)), want, n, "topics")
	}
}

// A fault of the dictionary names a defect only where the rule that it is about failed, and only
// rules that failed as the fault breaks them: as much of them, and by the same cause.
func TestADefectIsNamedByWhatTheFaultExplains(t *testing.T) {
	failed := func(id, cause string, others ...Verdict) RuleResult {
		found := Finding{Outcome: outcome.Accepted, Cause: cause}
		return ruleOf("create."+id, found, append([]Verdict{fail}, others...)...)
	}
	whole, email := failed("value.wrapped", ""), failed("type.email", "", pass)
	unjudged := RuleResult{ID: whole.ID, Level: "must", Verdict: VerdictNotVerified}
	const headline = "The deployment accepts a required field wrapped in an array or object"
	for name, tt := range map[string]struct {
		about, email RuleResult
		rules        int
	}{
		"all as the fault breaks them": {whole, email, 4},
		"its own rule is not judged":   {unjudged, email, 0},
		"a rule that fails in all":     {whole, failed("type.email", ""), 3},
		"a rule that fails in all judged, with one not": {
			whole, failed("type.email", "", VerdictInconclusive), 3,
		},
		"a rule with a cause of its own": {whole, failed("type.email", "does something else", pass), 3},
	} {
		named := 0
		for _, d := range Defects([]RuleResult{
			failed("type.mother_name", "", pass), failed("type.phone_number", "", pass), tt.about, tt.email,
		}) {
			if d.Headline == headline {
				named = len(d.Rules)
			}
		}
		testmust.Equal(t, named, tt.rules, name)
	}
}

// Rules of one topic that fail by the same server error alone are one defect; wrong acceptances
// and other topics stay apart.
func TestOneServerErrorOfATopicIsOneDefect(t *testing.T) {
	failed := func(id string, end outcome.Outcome, status int) RuleResult {
		return ruleOf("auth."+id,
			Finding{Outcome: end, Status: status, ExpectedOutcome: outcome.Refused}, fail)
	}
	testmust.Equal(t, grouped([]RuleResult{
		{ID: "auth.bearer.expired", Level: "must", Verdict: pass},
		failed("bearer.payload", outcome.ServerError, 500),
		failed("bearer.alg_none", outcome.Accepted, 201),
		failed("bearer.other_key", outcome.Accepted, 201),
		failed("api_key.unknown", outcome.ServerError, 500),
		failed("bearer.signature", outcome.ServerError, 500),
		failed("bearer.garbage", outcome.ServerError, 502),
	}, "auth."), "bearer.payload bearer.signature, bearer.alg_none, bearer.other_key, "+
		"api_key.unknown, bearer.garbage")
}
