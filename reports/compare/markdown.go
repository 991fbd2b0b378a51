package compare

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/markdown"
)

// mostRows bounds the rows of a Markdown table: a comment of a pull request has its limits.
const mostRows = 200

// mostCodes bounds the rules in one of its cells.
const mostCodes = 30

// Markdown is the result as a comment for a pull request.
func Markdown(r Result) string {
	b := &comment{}
	fmt.Fprintf(b, "## %s: %s\n\n", text(r.After.Deployment), strings.ToLower(looks[r.Verdict].headline))
	if r.Verdict == Inconclusive && len(r.Why) > 1 {
		for _, why := range r.Why {
			fmt.Fprintf(b, "- %s\n", text(why))
		}
		b.WriteString("\n")
	} else {
		fmt.Fprintf(b, "%s\n\n", text(r.Reason))
	}
	b.table("| | run | started | verdict |", "|---|---|---|---|")
	for _, s := range []namedSide{{"before", r.Before}, {"after", r.After}} {
		b.row(s.Name, code(s.Path), text(s.StartedAt.UTC().Format("2006-01-02 15:04:05Z")), text(s.Verdict))
	}
	b.WriteString("\n")
	switch {
	case r.Conformance != nil:
		b.conformance(r.Conformance)
	case r.Load != nil:
		b.load(r.Load)
	case r.Capacity != nil:
		b.capacity(r.Capacity)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(b, "- %s\n", text(note))
	}
	return b.String()
}

// comment is the Markdown while it is written.
type comment struct {
	strings.Builder
	rows int
}

func (b *comment) table(head, line string) {
	b.rows = 0
	fmt.Fprintf(b, "%s\n%s\n", head, line)
}

// row writes a row of the table unless it has too many; cells are Markdown.
func (b *comment) row(cells ...string) {
	if b.rows++; b.rows <= mostRows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
}

func (b *comment) end() {
	if more := b.rows - mostRows; more > 0 {
		fmt.Fprintf(b, "\nand %d more\n", more)
	}
	b.WriteString("\n")
}

// cameOut is what the second run saw, as a cell.
func cameOut(c Change) string {
	cell := text(printable.Clip(c.Message, textLimit))
	if cell != "" {
		cell = "**" + cell + "**"
	}
	if c.Actual != "" {
		cell += ", expected " + text(printable.Clip(c.Expected, textLimit)) +
			", got " + text(printable.Clip(c.Actual, textLimit))
	}
	return cell
}

func (b *comment) conformance(c *Conformance) {
	for _, s := range c.sections() {
		if len(s.Rules) == 0 {
			continue
		}
		fmt.Fprintf(b, "### %s\n\n", s.Title)
		b.table("| | rule | before | after | |", "|---|---|---|---|---|")
		for _, x := range bundles(s.Rules) {
			b.row(looks[x.Judged].label, markdown.Codes(x.IDs, mostCodes), spoken(x.Before),
				spoken(x.After), cameOut(x.Change))
		}
		b.end()
	}
	if len(c.Observations) == 0 {
		return
	}
	b.WriteString("### Observations that drifted\n\n")
	b.table("| observation | what | before | after |", "|---|---|---|---|")
	bundled, others := lacks(c.Observations)
	for _, l := range bundled {
		b.row(markdown.Codes(l.IDs, mostCodes), text(printable.Clip(l.Reason, textLimit)), "", "")
	}
	for _, d := range others {
		name := code(d.ID)
		for _, p := range d.lines() {
			what := p.What
			if d.Reason != "" {
				what = d.Reason
			}
			before, after := text(printable.Clip(p.Before, textLimit)), text(printable.Clip(p.After, textLimit))
			if p.Before == "" {
				before = "*not there*"
			}
			if p.After == "" {
				after = "*gone*"
			}
			b.row(name, text(printable.Clip(what, textLimit)), before, after)
			name = ""
		}
	}
	b.end()
}

func (b *comment) load(l *Load) {
	b.table("| | before | after | change | noise | |", "|---|--:|--:|--:|--:|---|")
	for _, g := range l.groups() {
		for _, m := range g.Rows {
			word := m.word()
			if m.Judged == Regression || m.Judged == Improvement {
				word = "**" + word + "**"
			}
			if m.Reason != "" && m.Reason != withinNoise {
				word += " " + text(m.Reason)
			}
			b.row(m.Name, m.value(m.Before), m.value(m.After), m.change(), m.noise(), word)
		}
	}
	b.end()
	for _, v := range l.Violations {
		fmt.Fprintf(b, "- %s: violated by %s before, by %d after\n", code(v.Rule),
			digest.Quantity(int(v.Before), "answer"), v.After)
	}
	for _, worse := range l.Worse {
		fmt.Fprintf(b, "- **%s** %s\n", looks[Regression].label, text(worse))
	}
}

func (b *comment) capacity(c *Capacity) {
	x, y := c.Searches[0], c.Searches[1]
	word := c.word()
	if c.Judged == Regression || c.Judged == Improvement {
		word = "**" + word + "**"
	}
	b.table("| | before | after | |", "|---|--:|--:|---|")
	b.row("capacity", rated(x.Rate), rated(y.Rate), percent(x.Rate, y.Rate)+" "+word)
	for _, r := range c.rows() {
		b.row(r[0], text(r[1]), text(r[2]), "")
	}
	b.row("thresholds", text(listed(sorted(x.Thresholds))), text(listed(sorted(y.Thresholds))), "")
	b.end()
	if len(c.Rates) == 0 {
		return
	}
	b.table("| rate | p50 before | after | p99 before | after | runs before | after |", "|--:|--:|--:|--:|--:|---|---|")
	for _, r := range c.Rates {
		x, y := orNone(r.Before), orNone(r.After)
		b.row(rated(r.Rate), inMS(x.P50MS), inMS(y.P50MS), inMS(x.P99MS), inMS(y.P99MS), ran(r.Before), ran(r.After))
	}
	b.end()
}

func text(s string) string { return markdown.Text(s, longestShown) }

func code(s string) string { return markdown.Code(s, longestShown) }
