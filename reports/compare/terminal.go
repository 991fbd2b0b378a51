package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
)

// Print writes the result for a terminal, the worst first and the verdict last.
func Print(w io.Writer, r Result, colour bool) error {
	p := &printer{colour: colour}
	p.line("")
	for _, s := range []struct {
		name string
		Side
	}{{"before", r.Before}, {"after", r.After}} {
		p.line(fmt.Sprintf("%-7s %s  %s  %s", s.name, digest.Clean(s.Path), digest.Clean(s.Deployment), digest.Clean(s.Verdict)))
	}
	p.line("")
	if r.Conformance != nil {
		p.conformance(r.Conformance)
	}
	if r.Load != nil {
		p.load(r.Load)
	}
	for _, note := range r.Notes {
		p.line("note: " + digest.Clean(note))
	}
	if len(r.Notes) > 0 {
		p.line("")
	}
	p.line(p.paint(tones[r.Verdict], strings.ToUpper(string(r.Verdict))) + "  " + digest.Clean(r.Reason))
	_, err := io.WriteString(w, p.String())
	return err
}

var tones = map[Verdict]string{Regression: "1;31", Inconclusive: "33", Improvement: "32", Same: "32", Changed: "33"}

type printer struct {
	strings.Builder
	colour bool
}

func (p *printer) line(s string) { fmt.Fprintln(p, strings.TrimRight(s, " ")) }

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
		for _, r := range part.list {
			step := spoken(r.Before) + " → " + spoken(r.After)
			p.line(fmt.Sprintf("  %s  %s (%s)  %s", p.paint(tones[r.Judged], digest.Pad(labels[r.Judged], 14)), digest.Clean(r.ID), digest.Clean(r.Level), step))
			if r.Message != "" {
				p.line("                  " + digest.Clean(digest.Clip(r.Message, 300)))
			}
		}
		p.line("")
	}
	if len(c.Observations) == 0 {
		return
	}
	p.line(p.paint("1", "Observations that drifted"))
	for _, d := range c.Observations {
		p.line("  " + digest.Clean(d.ID))
		if d.Reason != "" {
			p.line("    " + digest.Clean(digest.Clip(d.Reason, 300)))
		}
		for i, part := range d.lines() {
			if i == 20 {
				p.line(fmt.Sprintf("    and %d more", len(d.lines())-i))
				break
			}
			p.line("    " + digest.Clean(digest.Clip(part.String(), 300)))
		}
	}
	p.line("")
}

func (p *printer) load(l *Load) {
	p.line(p.paint("1", fmt.Sprintf("%-15s %10s %10s %10s %10s", "", "before", "after", "change", "noise")))
	for _, m := range l.Metrics {
		text := m.Reason
		if m.Judged == Regression || m.Judged == Improvement {
			text = p.paint(tones[m.Judged], text)
		}
		p.line(fmt.Sprintf("%-15s %10s %10s %10s %s  %s", m.Name, m.value(m.Before), m.value(m.After), m.change(), right(m.noise(), 10), text))
	}
	p.line("")
	for _, v := range l.Violations {
		p.line(p.paint(tones[v.Judged], fmt.Sprintf("%s  violated by %d answers before, by %d after", digest.Clean(v.Rule), v.Before, v.After)))
	}
	if len(l.Violations) > 0 {
		p.line("")
	}
}

func right(s string, columns int) string {
	return strings.Repeat(" ", max(0, columns-digest.Columns(s))) + s
}
