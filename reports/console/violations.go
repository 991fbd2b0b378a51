package console

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites/record"
)

// violations are what is wrong, security first: each with its headline, so many of them in full, and in a line or two
// each of the others.
func (p *printer) violations(full int) {
	violated, _ := digest.Defects(p.run)
	if len(violated) == 0 {
		return
	}
	p.title(terminal.Bad, "Violated: "+digest.Quantity(len(violated), "defect"))
	if p.Verbose {
		full = len(violated)
	}
	for _, d := range violated[:min(full, len(violated))] {
		p.card(terminal.Bad, d, len(violated) <= commands)
	}
	if len(violated) > full {
		p.cut = true
		p.lines(terminal.Bad, violated[full:])
	}
}

// warnings are the should rules that failed: in a line or two each, with Verbose in full.
func (p *printer) warnings() {
	_, warned := digest.Defects(p.run)
	if len(warned) == 0 {
		return
	}
	p.title(terminal.Unsure, "Warnings")
	if !p.Verbose {
		p.cut = true
		p.lines(terminal.Unsure, warned)
		return
	}
	for _, d := range warned {
		p.card(terminal.Unsure, d, true)
	}
}

// lines are headlines with the rules behind them, where both fit one line.
func (p *printer) lines(colour string, list []digest.Defect) {
	for i, d := range list {
		if i == indexed {
			p.cut = true
			var left []record.Rule
			for _, other := range list[i:] {
				left = append(left, other.Failed...)
			}
			p.wrapped(0, "", terminal.Plain, fmt.Sprintf("and %d more: %s", len(list)-i, p.ids(left)))
			break
		}
		ids, headline := p.ids(d.Failed)+marked(d), printable.Fit(printable.Clean(d.Headline), 3*p.Columns)
		if printable.Columns(headline)+2+printable.Columns(ids) <= p.Columns {
			p.Line(p.Paint(colour, terminal.Inert(headline)) + "  " + p.Paint(terminal.Faint, terminal.Inert(ids)))
			continue
		}
		p.wrapped(0, "", colour, headline)
		p.wrapped(2, "", terminal.Faint, ids)
	}
	p.Line("")
}

// marked is the mark of a defect that is about what protects data or money.
func marked(d digest.Defect) string {
	if d.Security {
		return " (security)"
	}
	return ""
}

// card shows a defect with the first rule behind it: what was expected and what came in its decisive check, with the
// command that repeats it where that is wanted, and a line for each other check that did not pass.
func (p *printer) card(colour string, d digest.Defect, curl bool) {
	r := d.Failed[0]
	p.wrapped(0, "", colour, d.Headline)
	p.wrapped(2, "", terminal.Faint, printable.Clean(r.ID)+" ("+digest.Level(r)+")")
	violated := max(1, len(d.Failed)-d.Warnings) // rules that only warn come last
	if also := d.Failed[1:violated]; len(also) > 0 {
		p.wrapped(2, "also violated: ", terminal.Faint, p.ids(also))
	}
	if also := d.Failed[violated:]; len(also) > 0 {
		p.wrapped(2, "also warned about: ", terminal.Faint, p.ids(also))
	}
	if n := len(d.Unjudged); n > 0 {
		p.wrapped(2, "", terminal.Faint,
			digest.Quantity(n, "rule")+" could not be judged because of it: "+p.named(d.Unjudged))
	}
	p.wrapped(2, "rule      ", terminal.Plain, strings.TrimSpace(p.short(r.Statement)+" "+section(r)))
	for i, c := range digest.Deciding(r) {
		if i > further && !p.Verbose {
			p.Line(fmt.Sprintf("  - and %s", digest.Quantity(len(digest.Deciding(r))-i, "more check")))
			break
		}
		if i > 0 && !p.Verbose {
			p.cut = true
			line := printable.Clean(printable.Clip(c.Name+": "+cmp.Or(firstLine(c.Actual),
				c.Message, digest.Ended(c.Verdict)), textLimit))
			p.Line("  - " + terminal.Inert(printable.Fit(line, p.Columns-4)))
			continue
		}
		p.check(c, i > 0)
		if p.Verbose || curl && p.fits(c.Curl) {
			p.curl(c.Curl)
		} else if c.Curl != "" {
			p.cut = true
		}
	}
	p.rerun(r.ID)
}

func section(r record.Rule) string {
	if r.Section == "" {
		return ""
	}
	return "[" + r.Section + "]"
}

// check shows one check; its message where the headline above is not of it.
func (p *printer) check(c record.Check, message bool) {
	p.wrapped(2, "check     ", terminal.Plain, c.Name)
	if message || c.Verdict != record.Fail {
		p.wrapped(2, "          ", terminal.Plain, c.Message)
	}
	p.several("expected  ", terminal.Good, c.Expected)
	p.several("actual    ", terminal.Bad, c.Actual)
	for _, f := range [][2]string{
		{"          ", digest.Repeats(c)},
		{"exchanges ", digest.Exchanges(c.Exchanges)},
		{"at        ", record.Place(c.Location)},
	} {
		if f[1] != "" {
			p.wrapped(2, f[0], terminal.Faint, f[1])
		}
	}
}

// several writes a text of several lines, each of which says one thing.
func (p *printer) several(label, colour, text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		p.wrapped(2, label, colour, line)
		label = strings.Repeat(" ", len(label))
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// named joins IDs of rules, shortened without Verbose.
func (p *printer) named(ids []string) string {
	list := make([]record.Rule, len(ids))
	for i, id := range ids {
		list[i].ID = id
	}
	return p.ids(list)
}

// rerun is the command that runs a rule alone, continued on a second line where one is too short for it.
func (p *printer) rerun(id string) {
	command := digest.Rerun(id, p.Deployment)
	if rest := " -d " + digest.Quote(p.Deployment); len("  rerun: ")+printable.Columns(command) > p.Columns &&
		strings.HasSuffix(command, rest) {
		command = strings.TrimSuffix(command, rest) + " \\\n   " + rest
	}
	for i, line := range strings.Split(command, "\n") {
		lead := "  rerun: "
		if i > 0 {
			lead = "      "
		}
		p.Line(lead + p.Paint(terminal.Key, line))
	}
	p.Line("")
}

// fits reports whether no line of a command is wider than the terminal: a broken one is hard to read, and the page has
// it.
func (p *printer) fits(command string) bool {
	for line := range strings.Lines(printable.CleanLines(command)) {
		if len("    ")+printable.Columns(strings.TrimSuffix(line, "\n")) > p.Columns {
			return false
		}
	}
	return true
}

// curl is written as it is, not wrapped, so that it can be copied.
func (p *printer) curl(command string) {
	if command == "" {
		return
	}
	const most = 4000 // beyond it a command is not useful on a screen
	if !p.Verbose && len(command) > most {
		p.cut = true
		command = printable.Clip(command, most)
	}
	for _, line := range strings.Split(printable.CleanLines(command), "\n") {
		p.Line("    " + p.Paint(terminal.Key, terminal.Inert(line)))
	}
}
