package console

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites"
)

// DryRun lists what a run would do about each rule, then what the deployment file lacks for others, by key.
func DryRun(out io.Writer, plans []suites.RulePlan) error {
	var b strings.Builder
	checks, open := 0, 0
	for _, p := range plans {
		if p.Need == "" {
			checks += p.Cases
			fmt.Fprintf(&b, "%-8s %-52s %s\n", p.Rule.Level, p.Rule.ID, digest.Quantity(p.Cases, "check"))
		}
	}
	for _, g := range gapsOf(plans) {
		open += len(g.Items)
		fmt.Fprintf(&b, "\n%s %s to verify %d more:\n", g.Key.do, g.Key.name, len(g.Items))
		for _, p := range g.Items {
			fmt.Fprintf(&b, "  %s\n", p.Rule.ID)
		}
	}
	fmt.Fprintf(&b, "\n%s would be verified by %s, %d would stay unverified. Nothing was sent.\n",
		digest.Quantity(len(plans)-open, "rule"), digest.Quantity(checks, "check"), open)
	_, err := io.WriteString(out, b.String())
	return err
}

// key is one of the deployment file, with what to do about it.
type key struct{ do, name string }

// gapsOf groups the plans of rules that stay unverified by the key that they lack, most rules first.
func gapsOf(plans []suites.RulePlan) []digest.Bucket[key, suites.RulePlan] {
	open := slices.DeleteFunc(slices.Clone(plans), func(p suites.RulePlan) bool { return p.Need == "" })
	all := digest.By(open, func(p suites.RulePlan) key {
		if p.Given {
			return key{"correct", p.Need}
		}
		return key{"add", p.Need}
	})
	slices.SortStableFunc(all, func(a, b digest.Bucket[key, suites.RulePlan]) int {
		return cmp.Or(cmp.Compare(len(b.Items), len(a.Items)), cmp.Compare(a.Key.name, b.Key.name))
	})
	return all
}
