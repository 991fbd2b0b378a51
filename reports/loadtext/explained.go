package loadtext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
)

// closedWords labels figures of the closed model.
func closedWords(connections int) string {
	return fmt.Sprintf("closed model: each of %d connections sent its next request once the last was answered. Its latencies hide waiting, "+
		"and are not to be compared with those of the open model", connections)
}

// explained says in words what figures only show: stalls, what the errors are, who sent what, which traces to look at.
func (p *printer) explained(run results.Run) {
	begun := false
	say := func(colour, text string) {
		begun = true
		p.line(p.paint(colour, text))
	}
	for _, words := range run.StallWords() {
		say(red, words)
	}
	if words := run.ErrorWords(); words != "" {
		say(red, "errors: "+printable.Clean(words))
	}
	if run.Closed > 0 {
		say(yellow, closedWords(run.Closed))
	}
	for _, i := range run.Identities {
		say("", identity(i))
	}
	if len(run.Slowest) > 0 && run.Slowest[0].Trace != "" {
		s := run.Slowest[0]
		say("", fmt.Sprintf("slowest: request %d, %s, traceparent %s", s.K, ms(s.ResponseMS), printable.Clean(s.Trace)))
	}
	if begun {
		p.line("")
	}
}

// identity is what became of the requests of one user, in a line.
func identity(i results.Identity) string {
	text, sent := "", int64(0)
	for c := range judge.NumClasses {
		if n := i.Requests[judge.Class(c).String()]; n > 0 {
			text += fmt.Sprintf(", %s %s", number(n), spaced(judge.Class(c).String()))
			sent += n
		}
	}
	if sent == 0 {
		return fmt.Sprintf("as %s: nothing was sent", printable.Clean(i.Name))
	}
	return fmt.Sprintf("as %s: %s, p99 %s", printable.Clean(i.Name), strings.TrimPrefix(text, ", "), ms(i.Response.P99))
}

// explainedMarkdown is the same for summary.md.
func explainedMarkdown(run results.Run) []string {
	list := run.StallWords()
	if words := run.ErrorWords(); words != "" {
		list = append(list, "errors: "+words)
	}
	if run.Closed > 0 {
		list = append(list, closedWords(run.Closed))
	}
	for _, i := range run.Identities {
		list = append(list, identity(i))
	}
	return slices.Clip(list)
}
