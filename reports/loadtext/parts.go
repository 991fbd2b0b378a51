package loadtext

import (
	"fmt"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/terminal"
)

// mostParts bounds the shards that are listed; those that lack something come first.
const mostParts = 20

// shards shows what a merged run was made of.
func (p printer) shards(run results.Run) {
	m := run.Merge
	if m == nil {
		return
	}
	p.Line(p.Paint(terminal.Strong, fmt.Sprintf("%-10s %10s %14s %10s", "shards", "", "sent", "send lag")))
	shown := 0
	for _, group := range m.Groups() {
		part := group[0]
		if shown++; shown > mostParts {
			continue
		}
		if len(group) > 1 {
			p.Line(p.Paint(terminal.Unsure, "  "+results.Numbers(group)+": "+string(part.State)) +
				"  " + printable.Clean(part.Reason))
			continue
		}
		text := fmt.Sprintf("  %-8d %10s %14s %10s", part.Shard, part.State, sent(part), terminal.Milliseconds(part.Generator.LagP99MS))
		if part.State != results.Complete {
			text = p.Paint(terminal.Unsure, text) + "  " + printable.Clean(part.Reason)
		}
		p.Line(text)
	}
	if shown > mostParts {
		p.Line(fmt.Sprintf("  and %d more", shown-mostParts))
	}
	if g := run.Generator.Shard; g != nil {
		p.Line(fmt.Sprintf("  the generator figures are those of shard %d, the worst", *g))
	}
	if m.Unknown > 0 {
		p.Line(p.Paint(terminal.Unsure,
			fmt.Sprintf("  %s requests of the schedule are unknown: they may have been sent", number(m.Unknown))))
	}
	p.Line("")
}

// sent says how many requests a shard sent, as far as that is known.
func sent(part results.Part) string {
	n := number(part.Sent)
	switch part.State {
	case results.Missing:
		n = "?"
	case results.Killed:
		n += "+"
	}
	return n + " of " + number(part.Scheduled)
}
