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
	for _, r := range catalogue {
		if !verifies[r.ID] {
			t.Errorf("%s verifies no statement of docs/api.md", r.ID)
		}
	}
}

// Each rule that an answer under load can break is one of the catalogue.
func TestLoadJudgesRulesOfTheCatalogue(t *testing.T) {
	known, judged := map[string]bool{"": true}, map[string]bool{}
	for _, r := range suites.Catalogue() {
		known[r.ID] = true
	}
	for mode, m := range rules.ReplayModes() {
		j := judge.New(nil)
		for _, body := range []string{
			"", `{}`, `{"file_id":"a"}`, `{"file_id":"a","file_state":{}}`,
			`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00Z"}`,
		} {
			for _, status := range []int{200, 302, 409} {
				for _, expected := range []judge.Expectation{judge.ExpectPass, judge.ExpectBlock} {
					judged[j.JudgeAnswer(
						judge.Answer{Status: status, Body: []byte(body)}, expected, mode).Rule] = true
				}
			}
		}
		for first, class := range []judge.Class{judge.ClassAccepted, judge.ClassBlocked} {
			for range 2 {
				pair := j.JudgePair(int64(first), judge.Judgement{Class: class}, 409, judge.ExpectEither, mode)
				judged[pair.Rule] = true
			}
		}
		if !judged["replay.race."+m.Name] {
			t.Errorf("no pair broke replay.race.%s: %v", m.Name, judged)
		}
	}
	for rule := range judged {
		if !known[rule] {
			t.Errorf("load judges %s, which is no rule", rule)
		}
	}
}
