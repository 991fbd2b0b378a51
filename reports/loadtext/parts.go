package loadtext

import (
	"fmt"
	"slices"
	"strconv"

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
	p.Line(p.Paint(terminal.Strong, fmt.Sprintf("%-10s %10s %14s %10s %10s",
		"shards", "", "sent", "began at", "send lag")))
	shown := 0
	for _, group := range groups(m.Shards) {
		part := group[0]
		if shown++; shown > mostParts {
			continue
		}
		if len(group) > 1 {
			var numbers []int
			for _, p := range group {
				numbers = append(numbers, p.Shard)
			}
			p.Line(p.Paint(terminal.Unsure, "  "+results.Numbers(numbers)+": "+string(part.State)) +
				"  " + printable.Clean(part.Reason))
			continue
		}
		text := fmt.Sprintf("  %-8d %10s %14s %10s %10s", part.Shard, part.State,
			sent(part), began(part), terminal.Milliseconds(part.Generator.LagP99MS))
		if part.State != results.Complete {
			text = p.Paint(terminal.Unsure, text) + "  " + printable.Clean(part.Reason)
		}
		p.Line(text)
	}
	if shown > mostParts {
		p.Line(fmt.Sprintf("  and %d more", shown-mostParts))
	}
	if m.SkewMS != nil {
		word := "by each machine's own clock, which were not compared"
		if m.Clocks {
			word = "by the clock of the shared folder"
		}
		p.Line("  they began within " + strconv.FormatFloat(*m.SkewMS, 'f', 1, 64) + "ms of each other, " + word)
	}
	if g := run.Generator.Shard; g != nil {
		p.Line(fmt.Sprintf("  the generator figures are those of shard %d, the worst", *g))
	}
	if m.Unknown > 0 {
		p.Line(p.Paint(terminal.Unsure,
			fmt.Sprintf("  %s requests of the schedule are unknown: they may have been sent", number(m.Unknown))))
	}
	if c := m.Crossing; c.Groups > 0 {
		p.Line(fmt.Sprintf("  %s of %s repeats across shards could be judged", number(c.Judged), number(c.Groups)))
	}
	p.Line("")
}

// groups puts shards that lack something together where all they left is one reason; those that are complete come last.
func groups(parts []results.Part) [][]results.Part {
	var lacking, complete [][]results.Part
	for _, p := range parts {
		same := slices.IndexFunc(lacking, func(g []results.Part) bool {
			return p.Sent == 0 && g[0].Sent == 0 && g[0].State == p.State && g[0].Reason == p.Reason
		})
		switch {
		case p.State == results.Complete:
			complete = append(complete, []results.Part{p})
		case same >= 0:
			lacking[same] = append(lacking[same], p)
		default:
			lacking = append(lacking, []results.Part{p})
		}
	}
	return append(lacking, complete...)
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

// began is how late the first request of a shard was sent.
func began(part results.Part) string {
	if part.FirstMS == nil {
		return ""
	}
	return "+" + strconv.FormatFloat(*part.FirstMS, 'f', 1, 64) + "ms"
}
