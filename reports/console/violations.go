package console

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

func (p *printer) violations() {
	var failed []record.Rule // those that one defect may explain stand together
	for _, c := range digest.Clusters(digest.With(p.run, record.Fail)) {
		failed = append(failed, c.Rules...)
	}
	if len(failed) == 0 {
		return
	}
	p.title(bad, "Violated")
	for i, r := range failed {
		if i == cardLimit && !p.Verbose {
			p.cut = true
			break
		}
		p.card(bad, r, len(failed) <= commands)
	}
	if len(failed) > 1 {
		p.index(failed)
	}
}

// index names every violation with what was found, in one line each.
func (p *printer) index(failed []record.Rule) {
	p.title(bad, "At a glance")
	first := 0
	for _, r := range failed {
		first = max(first, digest.Columns(digest.Clean(r.ID)))
	}
	first = min(first, p.Width/2)
	for i, r := range failed {
		if i == indexed && !p.Verbose {
			p.cut = true
			p.wrapped(0, "", plain, fmt.Sprintf("and %d more: %s", len(failed)-i, p.ids(failed[i:])))
			break
		}
		id := digest.Pad(digest.Fit(Inert(digest.Clean(r.ID)), first), first)
		found := digest.Fit(digest.Clean(digest.Clip(digest.Finding(r), textLimit)), max(8, p.Width-first-2))
		fmt.Fprintln(p.w, paint(p.Colour, bad, id)+"  "+Inert(found))
	}
	fmt.Fprintln(p.w)
}

// card shows one rule with the checks that did not pass: without Verbose the first of them in full, with the command
// that repeats it where that is wanted, and a line for each of the others.
func (p *printer) card(colour string, r record.Rule, curl bool) {
	fmt.Fprintf(p.w, "%s %s\n", paint(p.Colour, colour, digest.Clean(r.ID)), paint(p.Colour, faint, "("+digest.Clean(r.Level)+")"))
	statement := r.Statement
	if r.Section != "" {
		statement = p.short(statement) + " [" + r.Section + "]"
	}
	p.wrapped(2, "", plain, statement)
	for i, c := range digest.Deciding(r) {
		if i > 0 && !p.Verbose {
			p.cut = true
			line := digest.Clean(digest.Clip(c.Name+": "+cmp.Or(c.Actual, c.Message, digest.Word(c.Verdict)), textLimit))
			fmt.Fprintln(p.w, "  - "+Inert(digest.Fit(line, p.Width-4)))
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
		if curl || p.Verbose {
			p.curl(c.Curl)
		} else if c.Curl != "" {
			p.cut = true
		}
	}
	fmt.Fprintf(p.w, "  rerun: %s\n\n", paint(p.Colour, key, digest.Rerun(r.ID, p.Deployment)))
}

// curl is written as it is, not wrapped, so that it can be copied.
func (p *printer) curl(command string) {
	if command == "" {
		return
	}
	const most = 4000 // beyond it a command is no use on a screen
	if !p.Verbose && len(command) > most {
		p.cut = true
		command = digest.Clip(command, most)
	}
	for _, line := range strings.Split(digest.CleanLines(command), "\n") {
		fmt.Fprintln(p.w, "    "+paint(p.Colour, key, Inert(line)))
	}
}
