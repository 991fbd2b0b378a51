package proofpage

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/gateassay/gateassay/reports/markdown"
	"github.com/gateassay/gateassay/suites/proof"
)

// ChancesTable is the chances for a terminal: each fault that was caught with how it showed, then the families.
func ChancesTable(c proof.Chances) string {
	var b strings.Builder
	for _, r := range c.Rows {
		if r.Caught == 0 {
			continue
		}
		var how []string
		for _, a := range r.Attempts {
			how = append(how, fmt.Sprintf("%d of %d", a.Failed, a.Of))
		}
		fmt.Fprintf(&b, "%d/%d %-58s %s failed on %s attempts\n", r.Caught, c.Runs, r.Fault, r.Rule,
			strings.Join(how, ", "))
	}
	fmt.Fprintf(&b, "\n%-26s %6s %9s %9s\n", "family", "faults", "one run", fmt.Sprintf("%d runs", c.Runs))
	for _, f := range append(c.Families, c.Total()) {
		fmt.Fprintf(&b, "%-26s %6d %9s %9s\n", f.Name, f.Faults, percent(f.First, f.Faults), percent(f.Any, f.Faults))
	}
	fmt.Fprintf(&b, "\n%s\n", sum(c))
	return b.String()
}

// sum is the chances in one line.
func sum(c proof.Chances) string {
	all := c.Total()
	text := fmt.Sprintf("faults that %g %% of requests meet: one run caught %s", 100*c.Share,
		share(all.First, all.Faults))
	if c.Runs > 1 {
		text += fmt.Sprintf(", at least one of %d runs %s", c.Runs, share(all.Any, all.Faults))
	}
	return text
}

//go:embed chances.gotmpl
var chancesLayout string

// ChancesMarkdown is the chances as a section of a page.
func ChancesMarkdown(c proof.Chances) string {
	return string(markdown.Fill(chancesLayout, 0, template.FuncMap{
		"sum": sum, "percent": percent, "cell": func(s string) string { return strings.ReplaceAll(s, "|", `\|`) },
		"families": func(c proof.Chances) []proof.Family { return append(slices.Clone(c.Families), c.Total()) },
	}, c))
}

func percent(n, of int) string {
	if of == 0 {
		return "none"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(of))
}

// SamenessTable is what differs between runs that should be the same, for a terminal.
func SamenessTable(s proof.Sameness) string {
	return strings.Join(append(s.Differs, fmt.Sprintf(
		"%d runs in another order each, with %s in flight: %d rules, %d requests, %d differences\n",
		s.Runs, strings.Trim(fmt.Sprint(proof.Flights()), "[]"), s.Rules, s.Requests, len(s.Differs))), "\n")
}
