package gate

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/gateassay/gateassay/reports/markdown"
	"github.com/gateassay/gateassay/reports/recorded"
)

//go:embed first.gotmpl
var first string

// First is a policy to begin with, as commented YAML. It asks for runs of the kinds and of the deployments that are
// named; without a kind it asks for conformance, without a deployment it leaves them open.
func First(deployments []string, kinds []recorded.Kind) []byte {
	return markdown.Fill(first, 0, template.FuncMap{
		"join": func(names []string) string {
			return strings.Trim(strings.ReplaceAll(fmt.Sprintf("%q", names), `" "`, `", "`), "[]")
		},
		"off": func(kind recorded.Kind) string { // begins a line that is left out
			if slices.Contains(kinds, kind) || len(kinds) == 0 && kind == recorded.OfConformance {
				return ""
			}
			return "# "
		},
	}, deployments)
}
