package record

import (
	"cmp"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/testmust"
)

// Rules that state the same of different fields are one defect only if all that were judged failed
// alike.
func TestFieldsThatFailAlikeAreOneDefect(t *testing.T) {
	rule := func(field string, v Verdict, end outcome.Outcome) RuleResult {
		r := ruleOf("create.dates."+field, wrongly, v)
		r.Statement = "For " + field + " a day that does not exist is rejected."
		r.Checks[0].Message = "Creation with " + field + " on 30 February accepted"
		r.Checks[0].Outcome = cmp.Or(end, outcome.Accepted)
		return r
	}
	third := func(v Verdict, end outcome.Outcome) RuleResult {
		return rule("relationship_end_date", v, end)
	}
	leap := RuleResult{
		ID: "create.dates.accepted", Level: "must", Verdict: pass,
		Statement: "Dates written YYYY-MM-DD are accepted.",
	}
	for name, tt := range map[string]struct {
		third        RuleResult
		rules, alike string
	}{
		"a third alike": {
			third(fail, ""), "birth_date relationship_start_date relationship_end_date",
			", 3 fields alike",
		},
		"a third not judged": {
			third(VerdictNotVerified, ""), "birth_date relationship_start_date", ", 2 fields alike",
		},
		"a third that passes": {third(pass, ""), "birth_date, relationship_start_date", ""},
		"a third that crashes": {
			third(fail, outcome.ServerError),
			"birth_date, relationship_start_date, relationship_end_date", "",
		},
	} {
		list := []RuleResult{
			leap, rule("birth_date", fail, ""), rule("relationship_start_date", fail, ""), tt.third,
		}
		testmust.Equal(t, grouped(list, "create.dates."), tt.rules, name)
		headline, want := Defects(list)[0].Headline, "birth_date on 30 February accepted"+tt.alike
		if !strings.HasSuffix(headline, want) {
			t.Errorf("%s: %q does not end in %q", name, headline, want)
		}
	}
}

// A field that may be absent, null or empty is one defect. Where it has to be there, what its empty
// forms get are defects of their own.
func TestAFieldThatNothingRequiresIsOneDefect(t *testing.T) {
	rule := func(id string, got outcome.Outcome) RuleResult {
		verdict := fail
		if got == outcome.Refused {
			verdict = pass
		}
		return ruleOf("create.required."+id,
			Finding{Outcome: got, ExpectedOutcome: outcome.Refused}, verdict)
	}
	const passed, refused, crashed = outcome.Accepted, outcome.Refused, outcome.ServerError
	for name, tt := range map[string]struct {
		absent, null, empty outcome.Outcome
		want                string
	}{
		"every form":           {passed, passed, passed, "email email.null email.empty"},
		"forms that are there": {refused, passed, passed, "email.null, email.empty"},
		"a crash":              {passed, crashed, passed, "email email.empty, email.null"},
	} {
		testmust.Equal(t, grouped([]RuleResult{
			rule("email", tt.absent), rule("email.null", tt.null), rule("email.empty", tt.empty),
			rule("mother_name", refused),
		}, "create.required."), tt.want, name)
	}
}

// Blanks are accepted with what is empty: where the field may be absent, both are that defect.
func TestBlanksInAFieldThatNothingRequiresAreTheSameDefect(t *testing.T) {
	accepted := Finding{Outcome: outcome.Accepted, ExpectedOutcome: outcome.Refused}
	rule := func(id string, verdicts ...Verdict) RuleResult {
		return ruleOf("create."+id, accepted, verdicts...)
	}
	forms := []RuleResult{rule("required.email.empty", fail), rule("value.blank", fail, pass)}
	for _, tt := range []struct {
		absent Verdict
		want   string
	}{
		{fail, "required.email required.email.empty value.blank"},
		{pass, "required.email.empty value.blank"},
	} {
		list := append([]RuleResult{rule("required.email", tt.absent)}, forms...)
		testmust.Equal(t, grouped(list, "create."), tt.want, string(tt.absent))
	}
}

// The dates are one defect if all of them failed alike, whatever the other fields did. A header
// that nothing checks is one, too.
func TestFieldsOfAKindAndHeadersAreOneDefect(t *testing.T) {
	rule := func(id string, verdicts ...Verdict) RuleResult { return ruleOf(id, wrongly, verdicts...) }
	dates := func(birth, end, income Verdict) []RuleResult {
		const response = "create.response."
		return []RuleResult{
			rule(response+"birth_date", birth), rule(response+"relationship_end_date", end),
			rule(response+"income", income),
		}
	}
	header := func(malformed ...Verdict) []RuleResult {
		const id = "export.header.any."
		return []RuleResult{
			rule(id+"absent", fail), rule(id+"malformed", malformed...), rule(id+"version", fail),
		}
	}
	for name, tt := range map[string]struct {
		list []RuleResult
		want int
	}{
		"all dates":              {dates(fail, fail, pass), 1},
		"a date and an amount":   {dates(fail, pass, fail), 2},
		"a header in every form": {header(fail, fail), 1},
		"a header in some forms": {header(fail, pass), 2},
	} {
		testmust.Equal(t, len(Defects(tt.list)), tt.want, name)
	}
}
