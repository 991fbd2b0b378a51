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
var api string

// Statement is one numbered sentence about the API.
type Statement struct {
	Number string   // such as C8
	Text   string   // in our own words, one line
	Rules  []string // patterns of the IDs of the rules that verify it
	Why    string   // why no rule can; empty where there are rules
}

var (
	begins  = regexp.MustCompile(`(?m)^<a id="[a-z]\d+"></a>\*\*([A-Z]\d+)\.\*\* `)
	pattern = regexp.MustCompile("`([a-z_.*0-9]+)`")
)

// Statements lists what docs/api.md says, in its order.
func Statements() []Statement { return read() }

var read = sync.OnceValue(func() []Statement {
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
		text, patterns, verified := strings.Cut(body, "\nRules: ")
		if !verified {
			text, s.Why, _ = strings.Cut(body, "\nNo rule: ")
			s.Why = strings.Join(strings.Fields(s.Why), " ")
		}
		for _, p := range pattern.FindAllStringSubmatch(patterns, -1) {
			s.Rules = append(s.Rules, p[1])
		}
		s.Text = strings.Join(strings.Fields(text), " ")
		list = append(list, s)
	}
	return list
})

// page is where the statements are read.
const page = "https://github.com/gateassay/gateassay/blob/main/docs/api.md"

// URL is the address of the statement.
func (s Statement) URL() string { return page + "#" + strings.ToLower(s.Number) }

// Of returns the statement that a rule verifies: where several name it, the one that names it most
// exactly.
func Of(rule string) (found Statement, ok bool) {
	best := -1
	for _, s := range Statements() {
		for _, p := range s.Rules {
			if exact := len(strings.ReplaceAll(p, "*", "")); exact > best && rules.Match(p, rule) {
				found, ok, best = s, true, exact
			}
		}
	}
	return found, ok
}
