package digest

import (
	"sync"

	"github.com/gateassay/gateassay/suites"
)

var ruleStatements = sync.OnceValue(func() map[string]string {
	statements := map[string]string{}
	for _, rule := range suites.Catalogue() {
		statements[rule.ID] = rule.Statement
	}
	return statements
})

// RuleStatement returns the statement of a rule of the catalogue; empty: there is no such rule.
func RuleStatement(id string) string { return ruleStatements()[id] }
