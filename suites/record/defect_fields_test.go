package record

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/testmust"
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

// A field that may be absent, null or empty is one defect. Where it has to be there, what its empty
// forms get are defects of their own.
func TestAFieldThatNothingRequiresIsOneDefect(t *testing.T) {
	rule := func(id string, got outcome.Outcome) RuleResult {
		r := RuleResult{
			ID: "create.required." + id, Level: "must", Verdict: VerdictFail,
			Checks: []CheckResult{{
				Verdict: VerdictFail, Message: "Creation with " + id + " not refused",
				Finding: Finding{Outcome: got, ExpectedOutcome: outcome.Refused},
			}},
		}
		if got == outcome.Refused {
			r.Verdict, r.Checks[0].Verdict = VerdictPass, VerdictPass
		}
		return r
	}
	const passed, refused, crashed = outcome.Accepted, outcome.Refused, outcome.ServerError
	for name, tt := range map[string]struct {
		absent, null, empty outcome.Outcome
		want                [][]string
	}{
		"every form": {passed, passed, passed, [][]string{{"email", "email.null", "email.empty"}}},
		"forms that are there": {
			refused, passed, passed, [][]string{{"email.null"}, {"email.empty"}},
		},
		"a crash": {passed, crashed, passed, [][]string{{"email", "email.empty"}, {"email.null"}}},
	} {
		var got [][]string
		for _, d := range Defects([]RuleResult{
			rule("email", tt.absent), rule("email.null", tt.null), rule("email.empty", tt.empty),
			rule("mother_name", refused),
		}) {
			for i, id := range d.Rules {
				d.Rules[i] = strings.TrimPrefix(id, "create.required.")
			}
			got = append(got, d.Rules)
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, expected %v", name, got, tt.want)
		}
	}
}

// The dates are one defect if all of them failed alike, whatever the other fields did. A header
// that nothing checks is one, too.
func TestFieldsOfAKindAndHeadersAreOneDefect(t *testing.T) {
	rule := func(id string, verdicts ...Verdict) RuleResult {
		r := RuleResult{ID: id, Level: "must", Verdict: VerdictPass}
		for _, v := range verdicts {
			r.Checks = append(r.Checks, CheckResult{
				Verdict: v, Message: id + " failed",
				Finding: Finding{Outcome: outcome.Accepted, ExpectedOutcome: outcome.Refused},
			})
			if v == VerdictFail {
				r.Verdict = v
			}
		}
		return r
	}
	const p, f = VerdictPass, VerdictFail
	const header = "export.header.any."
	for name, tt := range map[string]struct {
		list []RuleResult
		want int
	}{
		"all dates": {[]RuleResult{
			rule("create.response.birth_date", f), rule("create.response.relationship_end_date", f),
			rule("create.response.income", p),
		}, 1},
		"a date and an amount": {[]RuleResult{
			rule("create.response.birth_date", f), rule("create.response.relationship_end_date", p),
			rule("create.response.income", f),
		}, 2},
		"a header in every form": {[]RuleResult{
			rule(header+"absent", f), rule(header+"malformed", f, f), rule(header+"version", f),
		}, 1},
		"a header in some forms": {[]RuleResult{
			rule(header+"absent", f), rule(header+"malformed", f, p), rule(header+"version", f),
		}, 2},
	} {
		testmust.Equal(t, len(Defects(tt.list)), tt.want, name, "defects")
	}
}
