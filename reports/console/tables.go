package console

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites/record"
)

// counts is the table of operations and verdicts; columns that are zero everywhere are left out.
func (p *printer) counts() {
	colours := map[record.Verdict]string{
		record.Fail: terminal.Bad, record.Warned: terminal.Unsure, record.Inconclusive: terminal.Unsure,
		record.NotVerified: terminal.Unsure,
		record.Pass:        terminal.Good, record.Observed: terminal.Faint,
	}
	shown := func(c record.Counts) (list []digest.Tally) { // those that are not zero everywhere
		for i, all := range digest.Tallies(p.run.Counts) {
			if all.N > 0 || all.Verdict == record.Pass {
				list = append(list, digest.Tallies(c)[i])
			}
		}
		return list
	}
	ops := digest.Operations(p.run)
	first := len("operation")
	for _, op := range ops {
		first = max(first, min(20, printable.Columns(printable.Clean(op.Name))))
	}
	head := printable.Pad("operation", first)
	var names []string
	for _, t := range shown(p.run.Counts) {
		t.N = 0 // the plural, whatever the number
		names = append(names, t.Word())
	}
	head += "  " + strings.Join(names, "  ")
	if printable.Columns(head) > p.Columns { // too narrow for a table
		for _, op := range ops {
			p.wrapped(0, printable.Fit(printable.Clean(op.Name), first)+": ",
				terminal.Plain, digest.InWords(digest.Tallies(op.Counts)))
		}
		p.Line("")
		return
	}
	p.Line(p.Paint(terminal.Strong, head))
	row := func(name string, counts record.Counts) {
		line := printable.Pad(printable.Fit(printable.Clean(name), first), first)
		for i, t := range shown(counts) {
			cell := fmt.Sprintf("%*d", len(names[i]), t.N)
			if t.N > 0 {
				cell = p.Paint(colours[t.Verdict], cell)
			}
			line += "  " + cell
		}
		p.Line(line)
	}
	for _, op := range ops {
		row(op.Name, op.Counts)
	}
	if len(ops) > 1 {
		row("all", p.run.Counts)
	}
	p.Line("")
}

// observations is a table of two columns, and without Verbose only their number: nothing in them is to be acted on.
func (p *printer) observations() {
	if len(p.run.Observations) == 0 {
		return
	}
	if !p.Verbose {
		p.wrapped(0, "", terminal.Faint, digest.Quantity(len(p.run.Observations),
			"observation")+" of what the document does not show: --verbose or report.html lists them")
		p.Line("")
		return
	}
	p.title(terminal.Strong, "Observed")
	first := 0
	for _, o := range p.run.Observations {
		first = max(first, printable.Columns(printable.Clean(o.ID)))
	}
	first = min(first, p.Columns/2)
	for _, o := range p.run.Observations {
		p.wrapped(0, printable.Pad(printable.Clean(o.ID), first)+"  ", terminal.Plain, printable.Clean(o.Observed))
	}
	p.Line("")
}
