package record

import (
	"reflect"
	"slices"
	"testing"

	"github.com/gateassay/gateassay/internal/knownfaults"
	"github.com/gateassay/gateassay/internal/outcome"
)

// What most modes of replay protection do wrong is one defect, and so are repeats that pass now and
// then. One mode's own failure stays apart.
func TestWhatMostReplayModesDoWrongIsOneDefect(t *testing.T) {
	failed := func(id string, end outcome.Outcome, others ...Verdict) RuleResult {
		r := RuleResult{ID: id, Level: "must", Verdict: VerdictFail, Checks: []CheckResult{{
			Verdict: VerdictFail, Message: id + " failed", Finding: Finding{Outcome: end, Status: 202},
		}}}
		for _, v := range others {
			r.Checks = append(r.Checks, CheckResult{Verdict: v})
		}
		return r
	}
	same := func(mode string, others ...Verdict) RuleResult {
		return failed("replay."+mode+".same", outcome.NotBlocked, others...)
	}
	body := func(mode string) RuleResult {
		return failed("replay."+mode+".other_body", outcome.Blocked, VerdictPass)
	}
	race := failed("replay.race.nonce", "")
	for name, c := range map[string]struct {
		failed   []RuleResult
		expected [][]string
	}{
		"a cell in three modes": {
			[]RuleResult{body("none"), body("nonce"), body("transaction")},
			[][]string{{
				"replay.none.other_body", "replay.nonce.other_body", "replay.transaction.other_body",
			}},
		},
		"a cell in two modes": {
			[]RuleResult{body("none"), body("nonce")},
			[][]string{{"replay.none.other_body"}, {"replay.nonce.other_body"}},
		},
		"repeats that pass now and then": {
			[]RuleResult{
				race, same("none", VerdictPass), same("transaction"),
				failed("replay.late", outcome.NotBlocked),
			},
			[][]string{{
				"replay.race.nonce", "replay.none.same", "replay.transaction.same", "replay.late",
			}},
		},
		"two modes whose repeats all pass": {
			[]RuleResult{race, same("none"), same("transaction")},
			[][]string{
				{"replay.race.nonce"}, {"replay.none.same"}, {"replay.transaction.same"},
			},
		},
	} {
		got := [][]string{}
		for _, d := range Defects(c.failed) {
			got = append(got, d.Rules)
		}
		if !reflect.DeepEqual(got, c.expected) {
			t.Errorf("%s: defects %v, expected %v", name, got, c.expected)
		}
	}
}

// Invalid creations that get 200, where valid ones get 201, are refused behind a status of success:
// one defect, however many others are refused as they should be.
func TestRefusalsBehindASuccessAreOneDefect(t *testing.T) {
	rule := func(id string, verdict Verdict) RuleResult {
		return RuleResult{ID: id, Level: "must", Verdict: verdict, Checks: []CheckResult{{
			Verdict: verdict, Message: id + " failed", Finding: Finding{
				Outcome: outcome.Accepted, Status: 200, ExpectedOutcome: outcome.Refused,
			},
		}}}
	}
	list := []RuleResult{
		rule("create.type.name", VerdictPass), rule("create.type.email", VerdictPass),
	}
	for _, topic := range []string{"type", "cpf", "email", "participation", "dates"} {
		list = append(list, rule("create."+topic+".x", VerdictFail))
	}
	for verdict, want := range map[Verdict]int{VerdictPass: 1, VerdictNotVerified: 5} {
		got := Defects(append(slices.Clone(list), rule("create.success.status", verdict)))
		if len(got) != want {
			t.Errorf("with create.success.status %s: %d defects, expected %d", verdict, len(got), want)
		}
	}
}

// A rule that failed in part shares the headline of a fault that breaks it whole, if other rules
// prove the fault. One that failed by another outcome does not.
func TestARuleThatFailedInPartSharesAKnownFault(t *testing.T) {
	all := knownfaults.All()
	fault := all[slices.IndexFunc(all,
		func(f knownfaults.Fault) bool { return f.Name == "auth.token_only_decoded" })]
	const unsigned = "auth.bearer.alg_none"
	for _, end := range []outcome.Outcome{outcome.Accepted, outcome.ServerError} {
		var list []RuleResult
		for id, ends := range fault.Outcomes {
			c := CheckResult{Verdict: VerdictFail, Message: id, Finding: Finding{Outcome: ends[0]}}
			r := RuleResult{ID: id, Level: "must", Verdict: VerdictFail, Checks: []CheckResult{c}}
			if id == unsigned {
				r.Checks[0].Outcome = end
			}
			if id == unsigned || slices.Contains(fault.Partly, id) {
				r.Checks = append(r.Checks, CheckResult{Verdict: VerdictPass})
			}
			list = append(list, r)
		}
		if got := Defects(list); (len(got) == 1) != (end == outcome.Accepted) {
			t.Errorf("alg none ends in %s: %d defects: %v", end, len(got), got)
		}
	}
}

// Server errors in many topics come of one crash, in a few topics of one for each.
func TestServerErrorsInManyTopicsAreOneDefect(t *testing.T) {
	topics := []string{"type", "money", "flags", "dates", "cpf"}
	for n, want := range map[int]int{5: 1, 4: 4} {
		var list []RuleResult
		for _, topic := range topics[:n] {
			for _, verdict := range []Verdict{VerdictFail, VerdictPass} {
				list = append(list, RuleResult{
					ID: "create." + topic + "." + string(verdict), Level: "must", Verdict: verdict,
					Checks: []CheckResult{{
						Verdict: verdict, Message: topic + " ends in a server error", Finding: Finding{
							Outcome: outcome.ServerError, Status: 500, ExpectedOutcome: outcome.Refused,
						},
					}},
				})
			}
		}
		if got := Defects(list); len(got) != want {
			t.Errorf("%d topics: %d defects, expected %d: %v", n, len(got), want, got)
		}
	}
}
