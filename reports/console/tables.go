package console

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// counts is the table of operations and verdicts; columns that are zero everywhere are left out.
func (p *printer) counts() {
	type column struct {
		name  string
		of    func(record.Counts) int
		paint string
	}
	all := []column{
		{"violated", func(c record.Counts) int { return c.Fail }, bad},
		{"warnings", func(c record.Counts) int { return c.Warn }, unsure},
		{"inconclusive", func(c record.Counts) int { return c.Inconclusive }, unsure},
		{"not verified", func(c record.Counts) int { return c.NotVerified }, unsure},
		{"waived", func(c record.Counts) int { return c.Waived }, plain},
		{"passed", func(c record.Counts) int { return c.Pass }, good},
		{"observed", func(c record.Counts) int { return c.Observed }, faint},
	}
	var shown []column
	for _, c := range all {
		if c.of(p.run.Counts) > 0 || c.name == "passed" {
			shown = append(shown, c)
		}
	}
	ops := digest.Operations(p.run)
	first := len("operation")
	for _, op := range ops {
		first = max(first, min(20, printable.Columns(printable.Clean(op.Name))))
	}
	head := printable.Pad("operation", first)
	for _, c := range shown {
		head += "  " + c.name
	}
	if printable.Columns(head) > p.Width { // too narrow for a table
		for _, op := range ops {
			var parts []string
			for _, c := range shown {
				if n := c.of(op.Counts); n > 0 {
					parts = append(parts, fmt.Sprintf("%d %s", n, c.name))
				}
			}
			p.wrapped(0, printable.Fit(printable.Clean(op.Name), first)+": ", plain, strings.Join(parts, ", "))
		}
		fmt.Fprintln(p.w)
		return
	}
	fmt.Fprintln(p.w, paint(p.Colour, strong, head))
	row := func(name string, counts record.Counts) {
		line := printable.Pad(printable.Fit(printable.Clean(name), first), first)
		for _, c := range shown {
			n := c.of(counts)
			cell := fmt.Sprintf("%*d", len(c.name), n)
			if n > 0 {
				cell = paint(p.Colour, c.paint, cell)
			}
			line += "  " + cell
		}
		fmt.Fprintln(p.w, line)
	}
	for _, op := range ops {
		row(op.Name, op.Counts)
	}
	if len(ops) > 1 {
		row("all", p.run.Counts)
	}
	fmt.Fprintln(p.w)
}

// observations is a table of two columns, and without Verbose only their number: nothing in them is to be acted on.
func (p *printer) observations() {
	if len(p.run.Observations) == 0 {
		return
	}
	if !p.Verbose {
		p.wrapped(0, "", faint, digest.Quantity(len(p.run.Observations), "observation")+" of what the document does not show: --verbose or report.html lists them")
		fmt.Fprintln(p.w)
		return
	}
	p.title(strong, "Observed")
	first := 0
	for _, o := range p.run.Observations {
		first = max(first, printable.Columns(printable.Clean(o.ID)))
	}
	first = min(first, p.Width/2)
	for _, o := range p.run.Observations {
		p.wrapped(0, printable.Pad(printable.Clean(o.ID), first)+"  ", plain, printable.Clean(o.Observed))
	}
	fmt.Fprintln(p.w)
}
