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
		open += len(g.rules)
		fmt.Fprintf(&b, "\n%s %s to verify %d more:\n  %s\n", g.do, g.key, len(g.rules), strings.Join(g.rules, "\n  "))
	}
	fmt.Fprintf(&b, "\n%s would be verified by %s, %d would stay unverified. Nothing was sent.\n",
		digest.Quantity(len(plans)-open, "rule"), digest.Quantity(checks, "check"), open)
	_, err := io.WriteString(out, b.String())
	return err
}

// gap is a key of the deployment file that leaves rules unverified.
type gap struct {
	do, key string
	rules   []string
}

// gapsOf lists what plans lack, most rules first.
func gapsOf(plans []suites.RulePlan) (all []gap) {
	for _, p := range plans {
		if p.Need == "" {
			continue
		}
		g := gap{do: "add", key: p.Need}
		if p.Given {
			g.do = "correct"
		}
		at := slices.IndexFunc(all, func(o gap) bool { return o.do == g.do && o.key == g.key })
		if at < 0 {
			at, all = len(all), append(all, g)
		}
		all[at].rules = append(all[at].rules, p.Rule.ID)
	}
	slices.SortStableFunc(all, func(a, b gap) int {
		return cmp.Or(cmp.Compare(len(b.rules), len(a.rules)), cmp.Compare(a.key, b.key))
	})
	return all
}
