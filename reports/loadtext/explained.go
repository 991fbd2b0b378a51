package loadtext

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/terminal"
)

// explained says in words what figures only show: stalls, what the errors are, who sent what, which traces to look at.
func (p printer) explained(run results.Run) {
	begun := false
	say := func(colour, text string) {
		begun = true
		p.Line(p.Paint(colour, text))
	}
	for _, remark := range run.Remarks() {
		colour := terminal.Unsure
		if remark.Bad {
			colour = terminal.Bad
		}
		say(colour, printable.Clean(remark.Text))
	}
	for _, i := range run.Identities {
		say("", identity(i))
	}
	if len(run.Slowest) > 0 && run.Slowest[0].Trace != "" {
		s := run.Slowest[0]
		say("", fmt.Sprintf("slowest: request %d, %s, traceparent %s", s.K,
			terminal.Milliseconds(s.ResponseMS), printable.Clean(s.Trace)))
	}
	if begun {
		p.Line("")
	}
}

// identity is what became of the requests of one user, in a line.
func identity(i results.Identity) string {
	text, sent := "", int64(0)
	for _, c := range judge.Classes() {
		if n := i.Requests[c.String()]; n > 0 {
			text += fmt.Sprintf(", %s %s", number(n), spaced(c.String()))
			sent += n
		}
	}
	if sent == 0 {
		return fmt.Sprintf("as %s: nothing was sent", printable.Clean(i.Name))
	}
	return fmt.Sprintf("as %s: %s, p99 %s", printable.Clean(i.Name), strings.TrimPrefix(text, ", "),
		terminal.Milliseconds(i.Response.P99))
}
