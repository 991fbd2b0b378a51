package catalogue

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
)

func TestTableListsAndCounts(t *testing.T) {
	list := []rules.Rule{
		{ID: "a.one", Level: rules.Must, Statement: "One."},
		{ID: "a.three", Level: rules.Should, Statement: "Three."},
		{ID: "b", Level: rules.Observe, Statement: "B."},
		{ID: "c", Level: rules.Observe, Statement: "C."},
	}
	want := "\n  Rule     Level    Statement\n  a.one    must     One.\n  a.three  should   " +
		"Three.\n  b        observe  B.\n" +
		"  c        observe  C.\n\n4 rules: 1 must, 1 should, 2 observe\n"
	var got strings.Builder
	if testmust.Succeed(t, view.WriteText(&got, TextTable(list), view.Style{})); got.String() != want {
		t.Errorf("got\n%q\nwant\n%q", got.String(), want)
	}
}

func TestEntriesHoldEveryKey(t *testing.T) {
	list := []rules.Rule{{ID: "a", Level: rules.Must, Statement: "x"}, {ID: "b", Needs: []string{"k"}}}
	data := testmust.Get(json.Marshal(WithNeedsLists(list)))(t)
	text := string(data)
	if !strings.Contains(text, `"needs":[]`) || !strings.Contains(text, `"needs":["k"]`) {
		t.Error(text)
	}
}

// Each must rule and each security rule has one basis and a complete statement, and each pattern
// matches a rule.
func TestEachBindingRuleSaysWhatItRestsOn(t *testing.T) {
	used := map[string]bool{}
	for _, r := range suites.Catalogue() {
		if r.Level != rules.Must && !r.Security {
			continue
		}
		var of []string
		for _, b := range ruleBases() {
			for _, p := range b.Rules {
				if rules.MatchesPattern(p, r.ID) {
					used[p], of = true, append(of, p)
				}
			}
		}
		if s, known := docs.RequirementOf(r.ID); len(of) != 1 || !known ||
			strings.HasPrefix(s.Text, "*Open:*") {
			t.Errorf("%s rests on %q, statement %q", r.ID, of, s.Text)
		}
	}
	for _, b := range ruleBases() {
		for _, p := range b.Rules {
			if !used[p] || b.Granted == "" || b.Doubt == "" {
				t.Errorf("%s: of no rule, or half empty", p)
			}
		}
	}
}
