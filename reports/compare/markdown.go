package compare

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
)

// Markdown is the result as a comment for a pull request.
func Markdown(r Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s: %s\n\n%s\n\n", text(r.After.Deployment), headline(r.Verdict), text(r.Reason))
	fmt.Fprintf(&b, "| | run | started | verdict |\n|---|---|---|---|\n")
	for _, s := range []struct {
		name string
		Side
	}{{"before", r.Before}, {"after", r.After}} {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", s.name, code(s.Path), text(s.StartedAt.UTC().Format("2006-01-02 15:04:05Z")), text(s.Verdict))
	}
	b.WriteString("\n")
	if c := r.Conformance; c != nil {
		for _, part := range []struct {
			title string
			list  []Change
		}{{"Rules that changed", c.Changed}, {"Rules of the second run only", c.New}, {"Rules of the first run only", c.Gone}} {
			if len(part.list) == 0 {
				continue
			}
			fmt.Fprintf(&b, "### %s\n\n| | rule | before | after | |\n|---|---|---|---|---|\n", part.title)
			for i, x := range part.list {
				if i == 200 {
					fmt.Fprintf(&b, "\nand %d more\n", len(part.list)-i)
					break
				}
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", labels[x.Judged], code(x.ID), spoken(x.Before), spoken(x.After), text(digest.Clip(x.Message, 300)))
			}
			b.WriteString("\n")
		}
		if len(c.Observations) > 0 {
			b.WriteString("### Observations that drifted\n\n| observation | before | after |\n|---|---|---|\n")
			for i, d := range c.Observations {
				if i == 200 {
					fmt.Fprintf(&b, "\nand %d more\n", len(c.Observations)-i)
					break
				}
				fmt.Fprintf(&b, "| %s | %s | %s |\n", code(d.ID), text(digest.Clip(d.Before, 300)), text(digest.Clip(d.After, 300)))
			}
			b.WriteString("\n")
		}
	}
	if l := r.Load; l != nil {
		b.WriteString("| | before | after | change | noise | |\n|---|--:|--:|--:|--:|---|\n")
		for _, m := range l.Metrics {
			reason := m.Reason
			if m.Judged == Regression {
				reason = "**" + reason + "**"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", m.Name, m.value(m.Before), m.value(m.After), m.change(), m.noise(), reason)
		}
		b.WriteString("\n")
		for _, v := range l.Violations {
			fmt.Fprintf(&b, "- %s: violated by %d answers before, by %d after\n", code(v.Rule), v.Before, v.After)
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "- %s\n", text(note))
	}
	return b.String()
}

func headline(v Verdict) string {
	return map[Verdict]string{
		Same: "no difference", Changed: "changed, nothing worse", Improvement: "better", Regression: "regression", Inconclusive: "no verdict",
	}[v]
}

// text makes a text literal in Markdown: whatever could be syntax there or in HTML becomes a numeric entity.
func text(s string) string {
	var b strings.Builder
	for _, r := range strings.TrimSpace(digest.Clean(digest.Clip(s, 2000))) {
		if strings.ContainsRune("\\`*_[]<>#|&@~$!{}^\"':+=", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func code(s string) string { return "<code>" + text(s) + "</code>" }
