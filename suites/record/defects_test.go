package record

import (
	"reflect"
	"testing"

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
