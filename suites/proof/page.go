package proof

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown prints the matrix as a page.
func (m Matrix) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, `# Proof: what the suites catch

Each fault of the reference gateway (`+"`gateassay serve --list-faults`"+`) breaks one rule at the one place where it is kept.
`+"`gateassay prove`"+` runs all suites against every fault; this page is its result, made by
`+"`gateassay prove --format markdown`"+`.

**%s.**

A fault is *killed* when its own rule fails, and *precise* when nothing of another operation or topic fails. *Also fails*
lists every other rule that failed, the unrelated ones in bold.

| fault | the gateway … | rule | killed | also fails |
|---|---|---|---|---|
`, m.Score)
	for _, r := range m.Rows {
		killed := "yes"
		if !r.Killed {
			killed = "**no**"
		}
		var also []string
		for _, id := range marked(r) {
			switch {
			case strings.HasPrefix(id, "!"):
				also = append(also, "**`"+id[1:]+"`**")
			case strings.HasPrefix(id, "+"):
				also = append(also, "`"+id[1:]+"`")
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s |\n", r.Fault, strings.ReplaceAll(r.Statement, "|", `\|`), r.Rule, killed, strings.Join(also, " "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
