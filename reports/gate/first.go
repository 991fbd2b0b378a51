package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/reports/recorded"
)

// First is a policy to begin with, as commented YAML. It asks for runs of the kinds and of the deployments that are
// named; without a kind it asks for conformance, without a deployment it leaves them open.
func First(deployments []string, kinds []recorded.Kind) []byte {
	var names []string
	for _, name := range deployments {
		names = append(names, fmt.Sprintf("%q", name))
	}
	var b strings.Builder
	part := func(asked bool, text string) {
		for line := range strings.Lines(text) {
			if !asked {
				line = "# " + line
			}
			b.WriteString(line)
		}
	}
	b.WriteString("# What recorded runs must show before a release goes out: " +
		"gateassay report gate --policy FILE RUN…\n")
	part(true, "name: release\nmax_age: 24h # how long ago a run may have finished\n")
	if len(names) == 0 {
		part(false, "deployments: [staging] # each must have its runs, and no other may\n")
	} else {
		part(true, "deployments: ["+strings.Join(names, ", ")+"] # each must have its runs, and no other may\n")
	}
	b.WriteString("\n")
	part(len(kinds) == 0 || slices.Contains(kinds, recorded.OfConformance), `conformance:
  verified: [must] # rules that must have passed or be waived; also IDs, patterns, should
  strict: false # true: a should rule that failed blocks, too
`)
	part(false, `  waivers: {allowed: [create.required.*], latest: 2027-12-31} # without it no waiver is allowed
  baseline: baseline/conform # an earlier run: no rule may stand worse
  drift: allowed # refused, or a list: which observations may differ from the baseline
`)
	b.WriteString("\n")
	part(slices.Contains(kinds, recorded.OfLoad),
		"load: # a load run that passes by its own thresholds\n  thresholds: [errors<1%] # these must hold as well\n")
	part(false, "  baseline: baseline/load\n  tolerance: 5%\n")
	b.WriteString("\n")
	part(slices.Contains(kinds, recorded.OfCapacity),
		"capacity: # a search for the capacity that found a rate\n  at_least: 1/s\n")
	part(false, "  thresholds: [p99<300ms]\n  baseline: baseline/capacity\n")
	return []byte(b.String())
}
