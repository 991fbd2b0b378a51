package gate

import (
	"fmt"
	"strings"
	"time"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/markdown"
)

// commentLimit keeps the Markdown within what code hosts accept as a comment, in bytes.
const commentLimit = 60_000

// Markdown writes a decision as a comment for a pull request. Texts of runs are shown literally.
func Markdown(d Decision) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s %s\n\n%s.\n", map[State]string{Held: "✅", Blocked: "❌", Undecided: "⚠️"}[d.Verdict],
		literal(headline(d)), literal(conclusion(d)))
	against, held := 0, 0
	for _, f := range ordered(d) {
		if f.State == Held {
			held++
			continue
		}
		if against++; against == 1 {
			b.WriteString("\n### Why\n\n")
		}
		if b.Len() > commentLimit/2 {
			b.WriteString("- and more, which the terminal and the JUnit file show\n")
			break
		}
		fmt.Fprintf(&b, "- **%s** %s of %s: %s\n", words[f.State], markdown.Code(f.Check, 200),
			literal(f.Subject), literal(f.Message))
		for i, detail := range f.Details {
			if i == detailsShown {
				fmt.Fprintf(&b, "  - and %d more\n", len(f.Details)-i)
				break
			}
			fmt.Fprintf(&b, "  - %s\n", literal(detail))
		}
	}
	if len(d.Runs) > 0 {
		b.WriteString("\n### Runs\n\n| run | kind | deployment | address | verdict | finished | age " +
			"|\n|---|---|---|---|---|---|---|\n")
	}
	for i, r := range d.Runs {
		if b.Len() > commentLimit*3/4 {
			fmt.Fprintf(&b, "\nand %d more\n", len(d.Runs)-i)
			break
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", name(r.Path),
			r.Kind, name(r.Deployment), name(r.BaseURL), name(r.Verdict),
			r.Finished.UTC().Format("2006-01-02 15:04 UTC"), span(max(0, d.At.Sub(r.Finished))))
	}
	if held > 0 {
		fmt.Fprintf(&b, "\n<details><summary>%s</summary>\n\n", digest.Quantity(held, "demand")+" held")
		for _, f := range d.Findings {
			if f.State != Held {
				continue
			}
			if b.Len() > commentLimit {
				b.WriteString("- and more\n")
				break
			}
			fmt.Fprintf(&b, "- %s of %s: %s\n", markdown.Code(f.Check, 200), literal(f.Subject), literal(f.Message))
		}
		b.WriteString("\n</details>\n")
	}
	fmt.Fprintf(&b, "\nPolicy %s, decided %s.\n", name(d.Policy.File), d.At.UTC().Format(time.RFC3339))
	return []byte(b.String())
}

func name(s string) string { return markdown.Text(s, 200) }

func literal(s string) string { return markdown.Text(s, 1200) }
