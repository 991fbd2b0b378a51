package catalogue

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/rules"
)

//go:embed basis.yaml
var basisYAML []byte

// basis is what rules rest on besides the statement of the API document that they verify.
type basis struct {
	Rules   []string // patterns of their IDs
	Granted string   // what else they take for granted
	Doubt   string   // how a deployment that breaks no statement could fail them, and what spares it
}

// ruleBases are those of all must and all security rules, by operation.
var ruleBases = sync.OnceValue(func() (all []basis) {
	if err := yaml.Unmarshal(basisYAML, &all); err != nil {
		panic(fmt.Errorf("basis.yaml: %w", err)) // which a test would show
	}
	return all
})

// basesFor returns the bases of the must and the security rules among these, each with its patterns
// that are about them. Other rules accuse nobody, and have none.
func basesFor(list []rules.Rule) (all []basis) {
	for _, b := range ruleBases() {
		b.Rules = slices.DeleteFunc(slices.Clone(b.Rules), func(pattern string) bool {
			return !slices.ContainsFunc(list, func(r rules.Rule) bool {
				return (r.Level == rules.Must || r.Security) && rules.MatchesPattern(pattern, r.ID)
			})
		})
		if len(b.Rules) > 0 {
			all = append(all, b)
		}
	}
	return all
}
