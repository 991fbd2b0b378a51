package gate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/digest"
)

// words for a state, as people read them.
var words = map[State]string{Held: "held", Blocked: "blocked", Undecided: "undecided"}

var colours = map[State]string{Held: "\x1b[32m", Blocked: "\x1b[31m", Undecided: "\x1b[33m"}

// detailsShown bounds how many details of a finding a terminal or a pull request shows; JUnit has them all.
const detailsShown = 20

// ordered are the findings, what speaks against the release first.
func ordered(d Decision) []Finding {
	place := []State{Blocked, Undecided, Held}
	list := slices.Clone(d.Findings)
	slices.SortStableFunc(list, func(a, b Finding) int { return slices.Index(place, a.State) - slices.Index(place, b.State) })
	return list
}

// conclusion says in one sentence why a decision is what it is.
func conclusion(d Decision) string {
	n := map[State]int{}
	for _, f := range d.Findings {
		n[f.State]++
	}
	switch d.Verdict {
	case Held:
		return fmt.Sprintf("%s held", digest.Quantity(n[Held], "demand"))
	case Blocked:
		text := fmt.Sprintf("%d of %s not met", n[Blocked], digest.Quantity(len(d.Findings), "demand"))
		if n[Undecided] > 0 {
			text += fmt.Sprintf(", %d could not be decided", n[Undecided])
		}
		return text
	}
	return fmt.Sprintf("%d of %s could not be decided, so it does not pass", n[Undecided], digest.Quantity(len(d.Findings), "demand"))
}

// Print writes a decision and its reasons for a terminal, the decision first, then what speaks against the release. Lines are wrapped at so
// many columns; 0: they are not, as for a file or a pipe.
func Print(w io.Writer, d Decision, colour bool, columns int) error {
	paint := func(s State, text string) string {
		if !colour {
			return text
		}
		return colours[s] + text + "\x1b[0m"
	}
	p := &printer{w: w, columns: columns}
	p.line(paint(d.Verdict, headline(d))+": ", 0, conclusion(d))
	p.line("", 0, "")
	for _, f := range ordered(d) {
		p.line(paint(f.State, fmt.Sprintf("%-9s", words[f.State]))+"  ", stateWidth, fmt.Sprintf("%s  %s: %s", f.Subject, f.Check, f.Message))
		for i, detail := range f.Details {
			if i == detailsShown {
				detail = fmt.Sprintf("and %d more", len(f.Details)-i)
			}
			p.line(strings.Repeat(" ", stateWidth)+"- ", stateWidth+2, detail)
			if i == detailsShown {
				break
			}
		}
	}
	return p.err
}

// stateWidth is how many columns the state of a finding takes, with what parts it from its text.
const stateWidth = 11

type printer struct {
	w       io.Writer
	columns int
	err     error
}

// line writes a text after a lead of so many columns; where it takes more than a line the others begin below its first.
func (p *printer) line(lead string, width int, text string) {
	lines := []string{text}
	if p.columns > 0 && printable.Columns(text) > p.columns-width {
		subject, _, _ := strings.Cut(text, "  ")
		lines = printable.Wrap(text, p.columns-width-1) // which leaves one space between words: room for the other one
		lines[0] = strings.Replace(lines[0], subject+" ", subject+"  ", 1)
	}
	for _, line := range lines {
		if p.err == nil {
			_, p.err = fmt.Fprintln(p.w, console.Inert(lead+line))
		}
		lead = strings.Repeat(" ", width)
	}
}
