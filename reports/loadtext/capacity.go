package loadtext

import (
	"fmt"
	"io"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports/terminal"
)

// PrintCapacity writes what a search found. The path of the folder is the last line.
func (t Table) PrintCapacity(w io.Writer, c capacity.File) error {
	p := t.printer(w)
	p.Line("")
	p.Line(p.Paint(terminal.Strong, fmt.Sprintf("%10s %10s %10s %10s %8s  %s",
		"rate", "achieved", "p50", "p99", "errors", "runs")))
	for _, point := range c.Capacity.Curve {
		line := fmt.Sprintf("%8.5g/s %8.5g/s %10s %10s %7.2f%%  %s", point.Rate, point.Achieved,
			terminal.Milliseconds(point.P50MS), terminal.Milliseconds(point.P99MS), 100*point.Errors, point.Ran())
		if why := point.Why(); why != "" {
			line += "  " + printable.Clip(printable.Clean(why), 90)
		}
		colour := ""
		if point.Missed() > point.Held {
			colour = terminal.Bad
		}
		p.Line(p.Paint(colour, line))
	}
	p.Line("")
	if c.Capacity.Rate > 0 {
		p.Line(p.Paint(terminal.Strong, "capacity  ") +
			fmt.Sprintf("%.5g/s, held in %d of %d runs at that rate; it is %s", c.Capacity.Rate,
				c.Confidence.Held, c.Confidence.Held+c.Confidence.Missed, c.Capacity.Between()))
	}
	if k := c.Capacity.Knee; k != nil {
		p.Line(fmt.Sprintf("bends     at %.5g/s, with a p99 of %s", k.Rate, terminal.Milliseconds(k.P99MS)))
	}
	for _, note := range c.Capacity.Unstable {
		p.Line("unstable  " + printable.Clean(note))
	}
	p.verdict(c.Verdict, c.Reason)
	return p.Flush()
}
