package console

import (
	"fmt"
	"io"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites"
)

// DryRun lists what a run would do about each rule, then what the deployment file lacks for others, by key.
func DryRun(out io.Writer, plans []suites.RulePlan) error {
	var b strings.Builder
	needs := map[string][]string{}
	var keys []string
	checks, open := 0, 0
	for _, p := range plans {
		if p.Need == "" {
			checks += p.Cases
			fmt.Fprintf(&b, "%-8s %-52s %s\n", p.Rule.Level, p.Rule.ID, digest.Quantity(p.Cases, "check"))
			continue
		}
		if open++; needs[p.Need] == nil {
			keys = append(keys, p.Need)
		}
		needs[p.Need] = append(needs[p.Need], p.Rule.ID)
	}
	for _, key := range keys {
		fmt.Fprintf(&b, "\nadd %s to verify %d more:\n  %s\n", key, len(needs[key]), strings.Join(needs[key], "\n  "))
	}
	fmt.Fprintf(&b, "\n%s would be verified by %s, %d would stay unverified. Nothing was sent.\n",
		digest.Quantity(len(plans)-open, "rule"), digest.Quantity(checks, "check"), open)
	_, err := io.WriteString(out, b.String())
	return err
}
