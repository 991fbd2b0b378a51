package loadtext

import (
	"fmt"
	"io"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/capacity"
)

// PrintCapacity writes what a search found. The path of the folder is the last line.
func (t Table) PrintCapacity(w io.Writer, c capacity.File) error {
	p := &printer{w: w, colour: t.Colour}
	p.line("")
	p.line(p.paint(bold, fmt.Sprintf("%10s %10s %10s %10s %8s  %s", "rate", "achieved", "p50", "p99", "errors", "runs")))
	for _, point := range c.Capacity.Curve {
		line := fmt.Sprintf("%8.5g/s %8.5g/s %10s %10s %7.2f%%  %s", point.Rate, point.Achieved, ms(point.P50MS), ms(point.P99MS), 100*point.Errors, point.Ran())
		if why := point.Why(); why != "" {
			line += "  " + printable.Clip(printable.Clean(why), 90)
		}
		colour := ""
		if point.Missed() > point.Held {
			colour = red
		}
		p.line(p.paint(colour, line))
	}
	p.line("")
	if c.Capacity.Rate > 0 {
		p.line(p.paint(bold, "capacity  ") + fmt.Sprintf("%.5g/s, held in %d of %d runs at that rate; it is %s", c.Capacity.Rate,
			c.Confidence.Held, c.Confidence.Held+c.Confidence.Missed, c.Capacity.Between()))
	}
	if k := c.Capacity.Knee; k != nil {
		p.line(fmt.Sprintf("bends     at %.5g/s, with a p99 of %s", k.Rate, ms(k.P99MS)))
	}
	for _, note := range c.Capacity.Unstable {
		p.line("unstable  " + printable.Clean(note))
	}
	p.line(p.paint(tone(c.Verdict), strings.ToUpper(string(c.Verdict))) + "  " + printable.Clean(c.Reason))
	p.line(t.Folder)
	return p.err
}
