package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports/digest"
)

const (
	mostRules = 50  // of one list on a terminal
	mostNames = 6   // of rules in one line there
	mostLines = 20  // parts of one observation there
	textLimit = 300 // characters of one text on a terminal and in Markdown
)

// Print writes the result for a terminal, the worst first and the verdict last. Texts are wrapped at so many columns; 0:
// they are not, as for a file or a pipe.
func Print(w io.Writer, r Result, colour bool, columns int) error {
	p := &printer{colour: colour, columns: columns}
	p.line("")
	for _, s := range []namedSide{{"before", r.Before}, {"after", r.After}} {
		interrupted := ""
		if s.Partial {
			interrupted = "  interrupted"
		}
		p.line(fmt.Sprintf("%-7s %s  %s  %s%s", s.Name, printable.Clean(s.Path), printable.Clean(s.Deployment), printable.Clean(s.Verdict), interrupted))
	}
	p.line("")
	switch {
	case r.Conformance != nil:
		p.conformance(r.Conformance)
	case r.Load != nil:
		p.load(r.Load)
	case r.Capacity != nil:
		p.capacity(r.Capacity)
	}
	for _, note := range r.Notes {
		p.wrapped("note: ", 6, note)
	}
	if len(r.Notes) > 0 {
		p.line("")
	}
	if r.After.Report != "" {
		p.line("report: " + printable.Clean(r.After.Report))
		p.line("")
	}
	word := strings.ToUpper(string(r.Verdict))
	lead, width := p.paint(tones[r.Verdict], word)+"  ", printable.Columns(word)+2
	if r.Verdict != Inconclusive || len(r.Why) < 2 {
		p.wrapped(lead, width, r.Reason)
	} else {
		p.wrapped(lead, width, "inconclusive: nothing is worse for certain, and this is open:")
		for _, why := range r.Why {
			p.wrapped("  - ", 4, why)
		}
	}
	_, err := io.WriteString(w, p.String())
	return err
}

var tones = map[Verdict]string{Regression: "1;31", Inconclusive: "33", Improvement: "32", Same: "32", Changed: "33"}

type printer struct {
	strings.Builder
	colour  bool
	columns int // 0: as wide as it may be
}

func (p *printer) line(s string) { fmt.Fprintln(p, strings.TrimRight(s, " ")) }

// wrapped writes a text after a lead of so many columns; where it takes more than a line the others begin below its first.
func (p *printer) wrapped(lead string, width int, text string) {
	text = printable.Clean(text)
	lines := []string{text}
	if p.columns > 0 {
		lines = printable.Wrap(text, p.columns-width)
	}
	for _, line := range lines {
		p.line(lead + line)
		lead = strings.Repeat(" ", width)
	}
}

// below writes a text that belongs to the line above it.
func (p *printer) below(indent int, text string) {
	p.wrapped(strings.Repeat(" ", indent), indent, printable.Clip(text, textLimit))
}

func (p *printer) paint(colour, s string) string {
	if !p.colour || colour == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

func (p *printer) conformance(c *Conformance) {
	for _, part := range []struct {
		title string
		list  []Change
	}{{"Rules that changed", c.Changed}, {"Rules of the second run only", c.New}, {"Rules of the first run only", c.Gone}} {
		if len(part.list) == 0 {
			continue
		}
		p.line(p.paint("1", part.title))
		told, listed := 0, true
		for i, b := range bundles(part.list) {
			if i == mostRules {
				p.line(fmt.Sprintf("  and %d more; --format html lists them all", len(part.list)-told))
				break
			}
			listed = p.bundle(b) && listed
			told += len(b.IDs)
		}
		if !listed {
			p.line("  --format html lists all rules")
		}
		p.line("")
	}
	if len(c.Observations) == 0 {
		return
	}
	p.line(p.paint("1", "Observations that drifted"))
	bundled, others := lacks(c.Observations)
	for _, l := range bundled {
		p.below(2, fmt.Sprintf("%d %s", len(l.IDs), l.Reason))
		p.below(4, names(l.IDs, mostNames))
	}
	for _, d := range others {
		p.below(2, d.ID)
		if d.Reason != "" {
			p.below(4, d.Reason)
		}
		lines := d.lines()
		for i, part := range lines {
			if i == mostLines {
				p.line(fmt.Sprintf("    and %d more", len(lines)-i))
				break
			}
			p.below(4, part.String())
		}
	}
	p.line("")
}

// bundle writes rules that took the same step, and reports whether it named them all.
func (p *printer) bundle(b bundle) bool {
	const indent = 18
	what := printable.Clean(b.IDs[0]) + " (" + printable.Clean(b.level()) + ")"
	if len(b.IDs) > 1 {
		what = fmt.Sprintf("%d rules (%s)", len(b.IDs), printable.Clean(b.level()))
	}
	label := p.paint(tones[b.Judged], printable.Pad(labels[b.Judged], 14))
	step := fmt.Sprintf("%s  %s → %s", what, spoken(b.Before), spoken(b.After))
	if b.Message != "" { // what is wrong comes first, the rule that shows it below
		p.wrapped("  "+label+"  ", indent, printable.Clip(b.Message, textLimit))
		p.line(strings.Repeat(" ", indent) + p.paint("2", step))
	} else {
		p.line("  " + label + "  " + step)
	}
	if b.Actual != "" {
		p.below(indent, "expected "+b.Expected+", got "+b.Actual)
	}
	if len(b.IDs) > 1 {
		p.below(indent, names(b.IDs, mostNames))
	}
	return len(b.IDs) <= mostNames
}

func (p *printer) load(l *Load) {
	for _, g := range l.groups() {
		p.line(p.paint("1", fmt.Sprintf("%-17s %10s %10s %10s %10s", g.Name, "before", "after", "change", "noise")))
		for _, m := range g.Rows {
			text := m.word()
			if m.Judged == Regression || m.Judged == Improvement {
				text = p.paint(tones[m.Judged], text)
			}
			switch {
			case m.Reason == "" || m.Reason == withinNoise:
			case m.Judged == "":
				text += ": " + m.Reason
			default:
				text += " " + m.Reason
			}
			p.line(fmt.Sprintf("  %-15s %10s %10s %s %s  %s", m.Name, m.value(m.Before), m.value(m.After), right(m.change(), 10), right(m.noise(), 10), text))
		}
	}
	p.line("")
	for _, v := range l.Violations {
		p.line(p.paint(tones[v.Judged], fmt.Sprintf("%s  violated by %s before, by %d after", printable.Clean(v.Rule), digest.Quantity(int(v.Before), "answer"), v.After)))
	}
	for _, worse := range l.Worse {
		p.wrapped(p.paint(tones[Regression], labels[Regression])+"  ", len(labels[Regression])+2, worse)
	}
	if len(l.Violations)+len(l.Worse) > 0 {
		p.line("")
	}
}

func (p *printer) capacity(c *Capacity) {
	x, y := c.Searches[0], c.Searches[1]
	row := func(name, before, after, text string) {
		p.line(fmt.Sprintf("%-12s %24s %24s  %s", name, before, after, text))
	}
	row("", "before", "after", "")
	word := "not judged"
	if c.Judged != "" {
		word = labels[c.Judged]
	}
	row("capacity", rated(x.Rate), rated(y.Rate), percent(x.Rate, y.Rate)+"  "+p.paint(tones[c.Judged], word))
	row("it lies", interval(x), interval(y), "")
	row("runs there", held(x), held(y), "")
	row("ended by", ended(x.Limit), ended(y.Limit), "")
	row("bends at", bend(x), bend(y), "")
	if a, b := listed(sorted(x.Thresholds)), listed(sorted(y.Thresholds)); a == b {
		p.line("thresholds   " + a)
	} else {
		p.line("thresholds   before " + a + "; after " + b)
	}
	p.line("")
	if len(c.Rates) > 0 {
		p.line(p.paint("1", fmt.Sprintf("%10s %10s %10s %10s %10s %9s  %-17s %s", "rate", "p50 before", "after", "p99 before", "after", "change", "runs before", "after")))
	}
	for i, r := range c.Rates {
		if i == 2*mostLines {
			p.line(fmt.Sprintf("and %d more rates", len(c.Rates)-i))
			break
		}
		x, y := orNone(r.Before), orNone(r.After)
		p.line(fmt.Sprintf("%10s %10s %10s %10s %10s %s  %-17s %s", rated(r.Rate), inMS(x.P50MS), inMS(y.P50MS), inMS(x.P99MS), inMS(y.P99MS),
			right(percent(x.P99MS, y.P99MS), 9), ran(r.Before), ran(r.After)))
	}
	if len(c.Rates) > 0 {
		p.line("")
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
