// Package docs reads the requirements of the API document from docs/api.md.
package docs

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"github.com/gateassay/gateassay/gateway/rules"
)

//go:generate go test -run TestOpenAPIIsFresh -update .

//go:embed api.md
var apiMarkdown string

// A Requirement is a numbered statement about the API that rules verify.
type Requirement struct {
	Number string   // such as C8
	Text   string   // in our words, one line
	Rules  []string // patterns of the IDs of the rules that verify it
	Why    string   // why no rule can verify it; empty if Rules is not
}

var (
	requirementStart = regexp.MustCompile(`(?m)^<a id="[a-z]\d+"></a>\*\*([A-Z]\d+)\.\*\* `)
	rulePattern      = regexp.MustCompile("`([a-z_.*0-9]+)`")
)

// Requirements lists the requirements of docs/api.md in order.
func Requirements() []Requirement { return parsedRequirements() }

var parsedRequirements = sync.OnceValue(func() []Requirement {
	var list []Requirement
	at := requirementStart.FindAllStringSubmatchIndex(apiMarkdown, -1)
	for i, m := range at {
		end := len(apiMarkdown)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		body := apiMarkdown[m[1]:end]
		if j := strings.Index(body, "\n#"); j >= 0 {
			body = body[:j]
		}
		s := Requirement{Number: apiMarkdown[m[2]:m[3]]}
		text, patterns, verified := strings.Cut(body, "\nRules: ")
		if !verified {
			text, s.Why, _ = strings.Cut(body, "\nNo rule: ")
			s.Why = strings.Join(strings.Fields(s.Why), " ")
		}
		for _, p := range rulePattern.FindAllStringSubmatch(patterns, -1) {
			s.Rules = append(s.Rules, p[1])
		}
		s.Text = strings.Join(strings.Fields(text), " ")
		list = append(list, s)
	}
	return list
})

// apiPageURL is the address of docs/api.md.
const apiPageURL = "https://github.com/gateassay/gateassay/blob/main/docs/api.md"

// URL returns the address of the requirement.
func (s Requirement) URL() string { return apiPageURL + "#" + strings.ToLower(s.Number) }

// RequirementOf returns the requirement that a rule verifies. If several name the rule, it
// returns the one with the most specific pattern.
func RequirementOf(rule string) (found Requirement, ok bool) {
	best := -1
	for _, s := range Requirements() {
		for _, p := range s.Rules {
			if exact := len(strings.ReplaceAll(p, "*", "")); exact > best && rules.MatchesPattern(p, rule) {
				found, ok, best = s, true, exact
			}
		}
	}
	return found, ok
}
