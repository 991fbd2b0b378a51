package catalogue

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
)

// stated is the statement of the API document that a rule verifies, where there is one.
func stated(r rules.Rule) []string {
	if s, known := docs.Of(r.ID); known {
		return []string{s.Number + ": " + s.Text}
	}
	return nil
}

// Explain is one rule on its own: what it states, how a run verifies it, what it needs, and how it is run and waived.
// cases are the texts of its cases, ways what a deployment does that breaks it, columns the width of the terminal.
func Explain(r rules.Rule, cases, ways []string, columns int) string {
	var b strings.Builder
	part := func(title string, lines ...string) {
		fmt.Fprintf(&b, "\n%s\n", title)
		for _, line := range lines {
			for i, text := range printable.Wrap(line, columns-4) {
				fmt.Fprintf(&b, "%s%s\n", []string{"  ", "    "}[min(i, 1)], text)
			}
		}
	}
	fmt.Fprintf(&b, "%s  %s\n\n%s\n", r.ID, binding(r), strings.Join(printable.Wrap(r.Statement, columns), "\n"))
	part("Section of the API document", append([]string{string(r.Section)}, stated(r)...)...)
	if basis, has := BasisOf(r); has {
		part("Takes for granted", basis.Granted)
		part("How a sound deployment could fail it, and what spares it", basis.Doubt)
	}
	part("Verified by "+printable.Quantity(len(cases), "case"), cases...)
	if len(ways) > 0 {
		part("Broken where the deployment", ways...)
	}
	if len(r.Needs) > 0 {
		part("Needs of the deployment file", r.Needs...)
	}
	if len(r.Asks) > 0 {
		part("Needs of the deployment", "accepted requests: "+strings.Join(r.Asks, ", "))
	}
	part("To run it alone", "gateassay conform -d FILE --rule "+r.ID)
	if r.Level == rules.Observe {
		part("It is never judged", "what was seen is listed as an observation")
	} else {
		part("To waive it, in the deployment file", "waivers:",
			fmt.Sprintf(`  - {rule: %s, reason: "TICKET, why", until: YYYY-MM-DD}`, r.ID))
	}
	return b.String()
}
