package docs_test

import (
	"testing"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/suites"
)

// Each statement names rules or says why there is none, each pattern matches, and each rule
// verifies some statement.
func TestStatementsAndRulesCoverEachOther(t *testing.T) {
	catalogue := suites.Catalogue()
	verifies := map[string]bool{}
	numbers := map[string]bool{}
	statements := docs.Requirements()
	if len(statements) < 50 {
		t.Fatalf("%d statements were found in docs/api.md", len(statements))
	}
	for _, s := range statements {
		if numbers[s.Number] {
			t.Errorf("%s stands twice", s.Number)
		}
		numbers[s.Number] = true
		if s.Text == "" || len(s.Rules) == 0 && s.Why == "" {
			t.Errorf("%s has neither rules nor a reason: %q", s.Number, s.Text)
		}
		for _, p := range s.Rules {
			matched := false
			for _, r := range catalogue {
				if rules.MatchesPattern(p, r.ID) {
					matched, verifies[r.ID] = true, true
				}
			}
			if !matched {
				t.Errorf("%s: no rule matches %s", s.Number, p)
			}
		}
	}
	load := judge.RuleStatements()
	for _, r := range catalogue {
		if text, known := load[r.ID]; known && text != r.Statement {
			t.Errorf("%s states %q, and under load %q", r.ID, r.Statement, text)
		}
		delete(load, r.ID)
		if !verifies[r.ID] {
			t.Errorf("%s verifies no statement of docs/api.md", r.ID)
		}
	}
	if len(load) > 0 {
		t.Errorf("load judges rules that do not exist: %v", load)
	}
}
