package catalogue

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
)

// Explain describes one rule: what it states, how a run verifies it, what it needs, how to run it
// alone and how to waive it. cases are the texts of its cases, ways what a deployment does that
// breaks it, columns the width of the terminal.
func Explain(r rules.Rule, cases, ways []string, columns int) string {
	var b strings.Builder
	part := func(title string, lines ...string) {
		fmt.Fprintf(&b, "\n%s\n", title)
		for _, line := range lines {
			wrapped := strings.Join(printable.Wrap(line, columns-4), "\n    ")
			fmt.Fprintf(&b, "  %s\n", wrapped)
		}
	}
	statement := strings.Join(printable.Wrap(r.Statement, columns), "\n")
	fmt.Fprintf(&b, "%s  %s\n\n%s\n", r.ID, levelText(r), statement)
	section := []string{string(r.Section)}
	if s, known := docs.RequirementOf(r.ID); known {
		section = append(section, s.Number+": "+s.Text)
	}
	part("Section of the API document", section...)
	for _, basis := range basesFor([]rules.Rule{r}) {
		part("Takes for granted", basis.Granted)
		part("How a sound deployment could fail it, and what spares it", basis.Doubt)
	}
	verified := "Verified by " + printable.Quantity(len(cases), "case")
	if len(ways) > 0 { // each case says that the deployment never does one of them
		part(verified+": the deployment never", ways...)
	} else {
		part(verified, cases...)
	}
	if len(r.Needs) > 0 {
		part("Needs of the deployment file", r.Needs...)
	}
	if len(r.Asks) > 0 {
		part("Needs of the deployment", "accepted requests: "+strings.Join(r.Asks, ", "))
	}
	// What is to be copied is not wrapped.
	fmt.Fprintf(&b, "\nTo run it alone\n  gateassay conform -d FILE --rule %s\n", r.ID)
	if r.Level == rules.Observe {
		b.WriteString("\nNever judged: what was seen is listed as an observation\n")
	} else {
		fmt.Fprintf(&b, "\nTo waive it, in the deployment file\n  waivers:\n"+
			"  - {rule: %s, reason: \"TICKET, why\", until: YYYY-MM-DD}\n", r.ID)
	}
	return b.String()
}
