package record

import (
	"reflect"
	"slices"
	"testing"

	"github.com/gateassay/gateassay/internal/outcome"
)

// Rules on the same repeat that fail alike in three of the five modes are one defect, whatever else
// they failed under.
func TestOneRepeatInManyModesIsOneDefect(t *testing.T) {
	failed := func(id string, end outcome.Outcome, condition ...FactorValue) RuleResult {
		return RuleResult{ID: id, Level: "must", Verdict: VerdictFail, Checks: []CheckResult{{
			Verdict: VerdictFail, Message: id + " failed",
			Finding: Finding{Outcome: end, Condition: condition},
		}}}
	}
	got := [][]string{}
	for _, d := range Defects([]RuleResult{
		failed("replay.nonce.other_body", outcome.Blocked),
		failed("replay.nonce_transaction.other_body", outcome.Blocked, FactorValue{Factor: "sort"}),
		failed("replay.transaction_nonce.other_body", outcome.Blocked),
		failed("replay.none.other_body", outcome.ServerError),
		failed("replay.nonce.other_query", outcome.Blocked),
		failed("replay.nonce_transaction.other_query", outcome.Blocked),
	}) {
		got = append(got, d.Rules)
	}
	expected := [][]string{
		{
			"replay.nonce.other_body", "replay.nonce_transaction.other_body",
			"replay.transaction_nonce.other_body",
		},
		{"replay.none.other_body"},
		{"replay.nonce.other_query"},
		{"replay.nonce_transaction.other_query"},
	}
	if !reflect.DeepEqual(got, expected) {
		t.Errorf("defects %v, expected %v", got, expected)
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
