// Package docs holds the pages that programs read: what the API document states.
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

// Requirement is one numbered sentence about the API: what its rules verify.
type Requirement struct {
	Number string   // such as C8
	Text   string   // in our own words, one line
	Rules  []string // patterns of the IDs of the rules that verify it
	Why    string   // why no rule can; empty where there are rules
}

var (
	requirementStart = regexp.MustCompile(`(?m)^<a id="[a-z]\d+"></a>\*\*([A-Z]\d+)\.\*\* `)
	rulePattern      = regexp.MustCompile("`([a-z_.*0-9]+)`")
)

// Requirements lists what docs/api.md says, in its order.
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

// apiPageURL is where the requirements are read.
const apiPageURL = "https://github.com/gateassay/gateassay/blob/main/docs/api.md"

// URL is the address of the requirement.
func (s Requirement) URL() string { return apiPageURL + "#" + strings.ToLower(s.Number) }

// RequirementOf returns the requirement that a rule verifies: where several name it, the one that
// names it most exactly.
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
