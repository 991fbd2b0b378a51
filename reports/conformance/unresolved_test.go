package conformance

import (
	"slices"
	"testing"

	"github.com/gateassay/gateassay/suites/record"
)

// What was not verified since something else was wrong is tried again, or else a run of --failed
// would pass though no run has judged it.
func TestUnresolvedRulesAreThoseThatAnotherRunMayDecide(t *testing.T) {
	rule := func(id, level string, v record.Verdict, key string) record.RuleResult {
		return record.RuleResult{ID: id, Level: level, Verdict: v, Checks: []record.CheckResult{
			{Verdict: v, MissingKey: key},
		}}
	}
	all := []record.RuleResult{
		rule("replay.none.same", "must", record.VerdictFail, ""),
		rule("replay.race.none", "must", record.VerdictNotVerified, ""),
		rule("export.isolation", "must", record.VerdictNotVerified, "credentials.other_user"),
		rule("create.observed.headers", "observe", record.VerdictNotVerified, ""),
		rule("export.order.asc", "should", record.VerdictInconclusive, ""),
		rule("create.success", "must", record.VerdictPass, ""),
	}
	want := []string{"replay.none.same", "replay.race.none", "export.order.asc"}
	if got := UnresolvedRuleIDs(record.Run{Rules: all}); !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
	if got := UnresolvedRuleIDs(record.Run{Rules: slices.Concat(all[1:4], all[5:])}); got != nil {
		t.Errorf("%v of a run in which nothing failed", got)
	}
}
