package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

func TestEveryRuleSaysWhyItMatters(t *testing.T) {
	used := map[string]bool{}
	for _, r := range suites.Catalogue() {
		sentence := importanceOf(r.ID)
		if sentence == "" {
			t.Errorf("%s has no reason", r.ID)
		}
		used[sentence] = true
	}
	if a, b := importanceOf("export.file.private"), importanceOf("export.file.csv"); a == b {
		t.Errorf("a file that was given away matters as one that cannot be read: %s", a)
	}
	for topic, sentence := range importanceByRule() {
		if !used[sentence] {
			t.Errorf("%s is of no rule of the catalogue", topic)
		}
		if !strings.HasSuffix(sentence, ".") || len(sentence) > 160 {
			t.Errorf("%s: not one short sentence: %s", topic, sentence)
		}
	}
}

func TestTheFieldOfARuleIsMarked(t *testing.T) {
	body := indentJSON(
		`{"id":"a","document":{"id":"b","number":7},"email":null,"rows":[{"number":8}],"text":"\"email\": no member"}`,
	)
	for field, want := range map[string]string{
		"document.number": `"number": 7`, "email.null": `"email": null,`, "id": `"id": "a",|"id": "b",`,
		"number":   `"number": 7|"number": 8`,
		"document": `"document": {`, "nothing": "", "": "", "rows": `"rows": [`,
	} {
		var hits []string
		whole := ""
		for _, p := range markField(body, "create.response."+field) {
			whole += p.Text
			if p.Marked {
				hits = append(hits, strings.TrimSpace(p.Text))
			}
		}
		testmust.Equal(t, strings.Join(hits, "|"), want, field)
		testmust.Equal(t, whole, body, field)
	}
}

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
