// Package docs holds the pages that programs read: what the API document states.
package docs

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed api.md
var api string

// Statement is one numbered sentence about the API.
type Statement struct {
	Number string   // such as C8
	Text   string   // in our own words, one line
	Rules  []string // patterns of the IDs of the rules that verify it
	Why    string   // why no rule can; empty where there are rules
}

var (
	begins  = regexp.MustCompile(`(?m)^\*\*([A-Z]\d+)\.\*\* `)
	pattern = regexp.MustCompile("`([a-z_.*0-9]+)`")
)

// Statements lists what docs/api.md says, in its order.
func Statements() []Statement {
	var list []Statement
	at := begins.FindAllStringSubmatchIndex(api, -1)
	for i, m := range at {
		end := len(api)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		body := api[m[1]:end]
		if j := strings.Index(body, "\n#"); j >= 0 {
			body = body[:j]
		}
		s := Statement{Number: api[m[2]:m[3]]}
		text, rules, verified := strings.Cut(body, "\nRules: ")
		if !verified {
			text, s.Why, _ = strings.Cut(body, "\nNo rule: ")
			s.Why = strings.Join(strings.Fields(s.Why), " ")
		}
		for _, p := range pattern.FindAllStringSubmatch(rules, -1) {
			s.Rules = append(s.Rules, p[1])
		}
		s.Text = strings.Join(strings.Fields(text), " ")
		list = append(list, s)
	}
	return list
}
