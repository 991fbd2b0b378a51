package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
)

const (
	mostRules = 50  // of one list on a terminal
	mostNames = 6   // of rules in one line there
	mostLines = 20  // parts of one observation there
	textLimit = 300 // characters of one text on a terminal and in Markdown
)

// Print writes the result for a terminal, the worst first and the verdict last. Texts are wrapped at so many columns;
// 0: they are not, as for a file or a pipe.
func Print(w io.Writer, r Result, colour bool, columns int) error {
	p := printer{terminal.NewWriter(w, colour, columns)}
	p.Line("")
	for _, s := range []namedSide{{"before", r.Before}, {"after", r.After}} {
		interrupted := ""
		if s.Partial {
			interrupted = "  interrupted"
		}
		p.Line(fmt.Sprintf("%-7s %s  %s  %s%s", s.Name, printable.Clean(s.Path),
			printable.Clean(s.Deployment), printable.Clean(s.Verdict), interrupted))
	}
	p.Line("")
	switch {
	case r.Conformance != nil:
		p.conformance(r.Conformance)
	case r.Load != nil:
		p.load(r.Load)
	case r.Capacity != nil:
		p.capacity(r.Capacity)
	}
	for _, note := range r.Notes {
		p.Wrapped("note: ", terminal.Plain, note)
	}
	if len(r.Notes) > 0 {
		p.Line("")
	}
	if r.After.Report != "" {
		p.Line("report: " + printable.Clean(r.After.Report))
		p.Line("")
	}
	word := strings.ToUpper(string(r.Verdict))
	lead := p.Paint(looks[r.Verdict].colour, word) + "  "
	if r.Verdict != Inconclusive || len(r.Why) < 2 {
		p.Wrapped(lead, terminal.Plain, r.Reason)
	} else {
		p.Wrapped(lead, terminal.Plain, "nothing is known to be worse, but this could not be judged:")
		for _, why := range r.Why {
			p.Wrapped("  - ", terminal.Plain, why)
		}
	}
	return p.Flush()
}

type printer struct{ *terminal.Writer }

// below writes a text that belongs to the line above it.
func (p printer) below(indent int, text string) {
	p.Wrapped(strings.Repeat(" ", indent), terminal.Plain, printable.Clip(text, textLimit))
}

func (p printer) conformance(c *Conformance) {
	for _, part := range []struct {
		title string
		list  []Change
	}{
		{"Rules that changed", c.Changed},
		{"Rules of the second run only", c.New},
		{"Rules of the first run only", c.Gone},
	} {
		if len(part.list) == 0 {
			continue
		}
		p.Line(p.Paint(terminal.Strong, part.title))
		shown, listed := 0, true
		for i, b := range bundles(part.list) {
			if i == mostRules {
				p.Line(fmt.Sprintf("  and %d more; --format html lists them all", len(part.list)-shown))
				break
			}
			listed = p.bundle(b) && listed
			shown += len(b.IDs)
		}
		if !listed {
			p.Line("  --format html lists all rules")
		}
		p.Line("")
	}
	if len(c.Observations) == 0 {
		return
	}
	p.Line(p.Paint(terminal.Strong, "Observations that drifted"))
	bundled, others := lacks(c.Observations)
	for _, l := range bundled {
		p.below(2, fmt.Sprintf("%d %s", len(l.IDs), l.Reason))
		p.below(4, digest.First(l.IDs, mostNames, ", "))
	}
	for _, d := range others {
		p.below(2, d.ID)
		if d.Reason != "" {
			p.below(4, d.Reason)
		}
		lines := d.lines()
		for i, part := range lines {
			if i == mostLines {
				p.Line(fmt.Sprintf("    and %d more", len(lines)-i))
				break
			}
			p.below(4, part.String())
		}
	}
	p.Line("")
}

// bundle writes rules that took the same step, and reports whether it named them all.
func (p printer) bundle(b bundle) bool {
	const indent = 18
	what := printable.Clean(b.IDs[0]) + " (" + printable.Clean(b.level()) + ")"
	if len(b.IDs) > 1 {
		what = fmt.Sprintf("%d rules (%s)", len(b.IDs), printable.Clean(b.level()))
	}
	label := p.Paint(looks[b.Judged].colour, printable.Pad(looks[b.Judged].label, 14))
	step := fmt.Sprintf("%s  %s → %s", what, spoken(b.Before), spoken(b.After))
	if b.Message != "" { // what is wrong comes first, the rule that shows it below
		p.Wrapped("  "+label+"  ", terminal.Plain, printable.Clip(b.Message, textLimit))
		p.Line(strings.Repeat(" ", indent) + p.Paint(terminal.Faint, step))
	} else {
		p.Line("  " + label + "  " + step)
	}
	if b.Actual != "" {
		p.below(indent, "expected "+b.Expected+", got "+b.Actual)
	}
	if len(b.IDs) > 1 {
		p.below(indent, digest.First(b.IDs, mostNames, ", "))
	}
	return len(b.IDs) <= mostNames
}

func (p printer) load(l *Load) {
	for _, g := range l.groups() {
		p.Line(p.Paint(terminal.Strong, fmt.Sprintf("%-17s %10s %10s %10s %10s",
			g.Name, "before", "after", "change", "noise")))
		for _, m := range g.Rows {
			text := m.word()
			if m.Judged == Regression || m.Judged == Improvement {
				text = p.Paint(looks[m.Judged].colour, text)
			}
			switch {
			case m.Reason == "" || m.Reason == withinNoise:
			case m.Judged == "":
				text += ": " + m.Reason
			default:
				text += " " + m.Reason
			}
			p.Line(fmt.Sprintf("  %-15s %10s %10s %s %s  %s", m.Name, m.value(m.Before),
				m.value(m.After), right(m.change(), 10), right(m.noise(), 10), text))
		}
	}
	p.Line("")
	for _, v := range l.Violations {
		p.Line(p.Paint(looks[v.Judged].colour, printable.Clean(v.Rule)+"  "+v.Words()))
	}
	for _, worse := range l.Worse {
		p.Wrapped(p.Paint(looks[Regression].colour, looks[Regression].label)+"  ", terminal.Plain, worse)
	}
	if len(l.Violations)+len(l.Worse) > 0 {
		p.Line("")
	}
}

func (p printer) capacity(c *Capacity) {
	x, y := c.Searches[0], c.Searches[1]
	row := func(name, before, after, text string) {
		p.Line(fmt.Sprintf("%-12s %24s %24s  %s", name, before, after, text))
	}
	row("", "before", "after", "")
	row("capacity", rated(x.Rate), rated(y.Rate),
		percent(x.Rate, y.Rate)+"  "+p.Paint(looks[c.Judged].colour, c.Word()))
	for _, r := range c.Rows() {
		row(r[0], r[1], r[2], "")
	}
	if a, b := listed(sorted(x.Thresholds)), listed(sorted(y.Thresholds)); a == b {
		p.Line("thresholds   " + a)
	} else {
		p.Line("thresholds   before " + a + "; after " + b)
	}
	p.Line("")
	if len(c.Rates) > 0 {
		p.Line(p.Paint(terminal.Strong, fmt.Sprintf("%10s %10s %10s %10s %10s %9s  %-17s %s",
			"rate", "p50 before", "after", "p99 before", "after", "change", "runs before", "after")))
	}
	for i, r := range c.Rates {
		if i == 2*mostLines {
			p.Line(fmt.Sprintf("and %d more rates", len(c.Rates)-i))
			break
		}
		x, y := orNone(r.Before), orNone(r.After)
		p.Line(fmt.Sprintf("%10s %10s %10s %10s %10s %s  %-17s %s", rated(r.Rate), inMS(x.P50MS), inMS(y.P50MS),
			inMS(x.P99MS), inMS(y.P99MS), right(percent(x.P99MS, y.P99MS), 9), ran(r.Before), ran(r.After)))
	}
	if len(c.Rates) > 0 {
		p.Line("")
	}
}

func orNone(p *capacity.Point) capacity.Point {
	if p == nil {
		return capacity.Point{}
	}
	return *p
}

func rated(rate float64) string {
	if rate <= 0 {
		return "none"
	}
	return fmt.Sprintf("%.5g/s", rate)
}

func held(s Search) string {
	if s.Held+s.Missed == 0 {
		return "-"
	}
	return fmt.Sprintf("%d held, %d missed", s.Held, s.Missed)
}

func bend(s Search) string {
	if s.Knee == nil {
		return "-"
	}
	return fmt.Sprintf("%.5g/s, p99 %s", s.Knee.Rate, inMS(s.Knee.P99MS))
}

func right(s string, columns int) string {
	return strings.Repeat(" ", max(0, columns-printable.Columns(s))) + s
}
