package catalogue

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites"
)

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
