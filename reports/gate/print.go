package gate

import (
	"fmt"
	"io"
	"slices"

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
	return fmt.Sprintf("%d of %s could not be decided, which is no pass", n[Undecided], digest.Quantity(len(d.Findings), "demand"))
}

// Print writes a decision and its reasons for a terminal, what speaks against the release first.
func Print(w io.Writer, d Decision, colour bool) error {
	paint := func(s State, text string) string {
		if !colour {
			return text
		}
		return colours[s] + text + "\x1b[0m"
	}
	p := &printer{w: w}
	for _, f := range ordered(d) {
		p.line("%s  %s  %s: %s", paint(f.State, fmt.Sprintf("%-9s", words[f.State])), f.Subject, f.Check, f.Message)
		for i, detail := range f.Details {
			if i == detailsShown {
				p.line("           - and %d more", len(f.Details)-i)
				break
			}
			p.line("           - %s", detail)
		}
	}
	p.line("\n%s: %s", paint(d.Verdict, headline(d)), conclusion(d))
	return p.err
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, console.Inert(fmt.Sprintf(format, args...)))
	}
}
