package gate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
)

// words for a state, as people read them.
var words = map[State]string{Held: "held", Blocked: "blocked", Undecided: "undecided"}

var colours = map[State]string{Held: terminal.Good, Blocked: terminal.Bad, Undecided: terminal.Unsure}

// detailsShown bounds how many details of a finding a terminal or a pull request shows; JUnit has them all.
const detailsShown = 20

// ordered are the findings, what speaks against the release first.
func ordered(d Decision) []Finding {
	place := []State{Blocked, Undecided, Held}
	list := slices.Clone(d.Findings)
	slices.SortStableFunc(list,
		func(a, b Finding) int { return slices.Index(place, a.State) - slices.Index(place, b.State) })
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
	return fmt.Sprintf("%d of %s could not be decided, so it does not pass",
		n[Undecided], digest.Quantity(len(d.Findings), "demand"))
}

// Print writes a decision and its reasons for a terminal, the decision first, then what speaks against the release.
// Lines are wrapped at so many columns; 0: they are not, as for a file or a pipe.
func Print(w io.Writer, d Decision, colour bool, columns int) error {
	var out strings.Builder
	p := terminal.NewWriter(&out, colour, max(0, columns-1)) // which leaves room for the second space below
	p.Wrapped(p.Paint(colours[d.Verdict], headline(d))+": ", terminal.Plain, conclusion(d))
	p.Line("")
	for _, f := range ordered(d) {
		state := p.Paint(colours[f.State], printable.Pad(words[f.State], 9)) + "  "
		p.Wrapped(state, terminal.Plain, f.Subject+"  "+f.Check+": "+f.Message)
		for i, detail := range f.Details {
			if i == detailsShown {
				detail = fmt.Sprintf("and %d more", len(f.Details)-i)
			}
			p.Wrapped("           - ", terminal.Plain, detail)
			if i == detailsShown {
				break
			}
		}
	}
	if err := p.Flush(); err != nil {
		return err
	}
	text := out.String()
	for _, f := range d.Findings { // wrapping leaves one space between words
		text = strings.ReplaceAll(text, f.Subject+" "+f.Check+":", f.Subject+"  "+f.Check+":")
	}
	_, err := io.WriteString(w, text)
	return err
}
