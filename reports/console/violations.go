package console

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// violations are the must and security rules that failed, security first: the first of them in full, a line for each of
// the others.
func (p *printer) violations() {
	var failed []record.Rule // those that one defect may explain stand together
	for _, c := range digest.Clusters(digest.With(p.run, record.Fail)) {
		failed = append(failed, c.Rules...)
	}
	if len(failed) == 0 {
		return
	}
	p.title(bad, "Violated")
	full := cardLimit
	if p.Verbose {
		full = len(failed)
	}
	for _, r := range failed[:min(full, len(failed))] {
		p.card(bad, r, len(failed) <= commands)
	}
	if len(failed) > full {
		p.cut = true
		p.lines(bad, failed[full:])
	}
}

// warnings are the should rules that failed: a line each, with Verbose in full.
func (p *printer) warnings() {
	warned := digest.With(p.run, record.Warned)
	if len(warned) == 0 {
		return
	}
	p.title(unsure, "Warnings")
	if !p.Verbose {
		p.cut = true
		p.lines(unsure, warned)
		return
	}
	for _, r := range warned {
		p.card(unsure, r, true)
	}
}

// lines names rules with what was found, in one line each.
func (p *printer) lines(colour string, list []record.Rule) {
	first := 0
	for _, r := range list {
		first = max(first, printable.Columns(printable.Clean(r.ID)))
	}
	first = min(first, p.Width/2)
	for i, r := range list {
		if i == indexed {
			p.cut = true
			p.wrapped(0, "", plain, fmt.Sprintf("and %d more: %s", len(list)-i, p.ids(list[i:])))
			break
		}
		id := printable.Pad(printable.Fit(Inert(printable.Clean(r.ID)), first), first)
		found := printable.Fit(printable.Clean(printable.Clip(digest.Finding(r), textLimit)), max(8, p.Width-first-2))
		fmt.Fprintln(p.w, paint(p.Colour, colour, id)+"  "+Inert(found))
	}
	fmt.Fprintln(p.w)
}

// card shows one rule with the checks that did not pass: without Verbose the first of them in full, with the command
// that repeats it where that is wanted, and a line for each of the others.
func (p *printer) card(colour string, r record.Rule, curl bool) {
	fmt.Fprintf(p.w, "%s %s\n", paint(p.Colour, colour, printable.Clean(r.ID)), paint(p.Colour, faint, "("+printable.Clean(digest.Level(r))+")"))
	statement := r.Statement
	if r.Section != "" {
		statement = p.short(statement) + " [" + r.Section + "]"
	}
	p.wrapped(2, "", plain, statement)
	for i, c := range digest.Deciding(r) {
		if i > 0 && !p.Verbose {
			p.cut = true
			line := printable.Clean(printable.Clip(c.Name+": "+cmp.Or(c.Actual, c.Message, digest.Ended(c.Verdict)), textLimit))
			fmt.Fprintln(p.w, "  - "+Inert(printable.Fit(line, p.Width-4)))
			continue
		}
		p.wrapped(2, "- ", strong, c.Name)
		for _, f := range [][3]string{
			{"", plain, c.Message},
			{"expected  ", good, c.Expected},
			{"actual    ", bad, c.Actual},
			{"", plain, digest.Repeats(c)},
			{"exchanges ", faint, digest.Exchanges(c.Exchanges)},
			{"at        ", faint, record.Place(c.Location)},
		} {
			if f[2] != "" {
				p.wrapped(4, f[0], f[1], f[2])
			}
		}
		if p.Verbose || curl && p.fits(c.Curl) {
			p.curl(c.Curl)
		} else if c.Curl != "" {
			p.cut = true
		}
	}
	p.rerun(r.ID)
}

// rerun is the command that runs a rule alone, continued on a second line where one is too short for it.
func (p *printer) rerun(id string) {
	command := digest.Rerun(id, p.Deployment)
	if rest := " -d " + digest.Quote(p.Deployment); len("  rerun: ")+printable.Columns(command) > p.Width && strings.HasSuffix(command, rest) {
		command = strings.TrimSuffix(command, rest) + " \\\n   " + rest
	}
	for i, line := range strings.Split(command, "\n") {
		lead := "  rerun: "
		if i > 0 {
			lead = "      "
		}
		fmt.Fprintln(p.w, lead+paint(p.Colour, key, line))
	}
	fmt.Fprintln(p.w)
}

// fits reports whether no line of a command is wider than the terminal: a broken one is hard to read, and the page has it.
func (p *printer) fits(command string) bool {
	for line := range strings.Lines(printable.CleanLines(command)) {
		if len("    ")+printable.Columns(strings.TrimSuffix(line, "\n")) > p.Width {
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
	const most = 4000 // beyond it a command is no use on a screen
	if !p.Verbose && len(command) > most {
		p.cut = true
		command = printable.Clip(command, most)
	}
	for _, line := range strings.Split(printable.CleanLines(command), "\n") {
		fmt.Fprintln(p.w, "    "+paint(p.Colour, key, Inert(line)))
	}
}
