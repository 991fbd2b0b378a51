package record

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/outcome"
)

// Rules that state the same of different fields are one defect only if all that were judged failed
// alike.
func TestFieldsThatFailAlikeAreOneDefect(t *testing.T) {
	rule := func(field string, verdict Verdict, day string) RuleResult {
		return RuleResult{
			ID: "create.dates." + field, Level: "must", Verdict: verdict,
			Statement: "For " + field + " a day that does not exist is rejected.",
			Checks: []CheckResult{{
				Verdict: verdict, Message: "Creation with " + field + " on " + day + " accepted",
				Finding: Finding{Outcome: outcome.Accepted, ExpectedOutcome: outcome.Refused},
			}},
		}
	}
	const day, f = "30 February", VerdictFail
	birth, start := rule("birth_date", f, day), rule("relationship_start_date", f, day)
	leap := RuleResult{
		ID: "create.dates.accepted", Level: "must", Verdict: VerdictPass,
		Statement: "Dates written YYYY-MM-DD are accepted.",
	}
	crash := rule("relationship_end_date", f, day)
	crash.Checks[0].Outcome = outcome.ServerError
	for name, tt := range map[string]struct {
		third RuleResult
		rules [][]string
		alike string
	}{
		"a third alike": {
			rule("relationship_end_date", f, day),
			[][]string{{birth.ID, start.ID, crash.ID}},
			", 3 fields alike",
		},
		"a third not judged": {
			rule("relationship_end_date", VerdictNotVerified, day),
			[][]string{{birth.ID, start.ID}},
			", 2 fields alike",
		},
		"a third that passes": {
			rule("relationship_end_date", VerdictPass, day), [][]string{{birth.ID}, {start.ID}}, "",
		},
		"a third that crashes": {crash, [][]string{{birth.ID}, {start.ID}, {crash.ID}}, ""},
	} {
		var got [][]string
		defects := Defects([]RuleResult{leap, birth, start, tt.third})
		for _, d := range defects {
			got = append(got, d.Rules)
		}
		if !reflect.DeepEqual(got, tt.rules) {
			t.Errorf("%s: %v, expected %v", name, got, tt.rules)
		}
		if want := "birth_date on 30 February accepted" + tt.alike; !strings.HasSuffix(
			defects[0].Headline, want) {
			t.Errorf("%s: %q does not end in %q", name, defects[0].Headline, want)
		}
	}
}
