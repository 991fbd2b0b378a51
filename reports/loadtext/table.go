// Package loadtext writes recorded load runs and searches for the capacity as text: for a terminal, and as summary.md.
package loadtext

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
)

// Table says how results are printed.
type Table struct {
	Colour  bool
	Columns int    // longer sentences are wrapped; 0: they are not
	Folder  string // printed last
	Links   bool   // the terminal opens links
	Exit    *int   // exit code of the command that made the run; nil: not said
}

func (t Table) printer(w io.Writer) printer {
	return printer{t, terminal.NewWriter(w, t.Colour, t.Columns)}
}

// Print writes the result of a run: what was sent, how long it took, what held, and the verdict. The path of the folder
// is the last line.
func (t Table) Print(w io.Writer, run results.Run) error {
	p := t.printer(w)
	p.Line("")
	if run.Merge != nil && run.Verdict == results.Inconclusive { // what is missing comes before what is there
		p.Wrapped("", terminal.Unsure, run.Reason)
		p.Line("")
	}
	p.requests(run)
	p.explained(run)
	if run.Requests.Sent > 0 {
		p.times(run)
	}
	p.shards(run)
	p.thresholds(run)
	for _, v := range run.Violations {
		p.Line(p.Paint(terminal.Bad, "violated  ") + printable.Clean(v.Rule) + " by " + answers(v.Count))
	}
	for _, note := range run.Notes {
		p.Wrapped("note: ", terminal.Plain, note)
	}
	if len(run.Violations)+len(run.Notes) > 0 {
		p.Line("")
	}
	if run.Run.Partial && run.Run.Aborted == "" && !run.Run.Merged {
		p.Line(p.Paint(terminal.Unsure, "interrupted") + " before the whole schedule was sent")
	}
	p.verdict(run.Verdict, run.Reason)
	return p.Flush()
}

// verdict ends every kind of result, with what the run left.
func (p printer) verdict(v results.Verdict, reason string) {
	if p.Exit != nil {
		reason += fmt.Sprintf("; exit code %d", *p.Exit)
	}
	head := p.Paint(terminal.Tone(string(v)), strings.ToUpper(printable.Clean(string(v))))
	p.Wrapped(head+"  ", terminal.Plain, reason)
	p.Kept(p.Folder, p.Links)
}

type printer struct {
	Table
	*terminal.Writer
}

func (p printer) requests(run results.Run) {
	r := run.Requests
	switch {
	case r.Sent == 0:
		p.Line(p.Paint(terminal.Strong, "requests  ") + fmt.Sprintf("none of %s sent", number(r.Scheduled)))
	default:
		p.Line(p.Paint(terminal.Strong, "requests  ") + fmt.Sprintf("%s of %s sent; target %s/s, achieved %s/s",
			number(r.Sent), number(r.Scheduled), perSecond(run.Meant()), perSecond(run.Rate.Achieved)))
	}
	for _, class := range judge.Classes() {
		n := run.Classes[class.String()].Count
		if n == 0 {
			continue
		}
		colour := ""
		if class.Bad() {
			colour = terminal.Bad
		}
		p.Line(p.Paint(colour, fmt.Sprintf("  %-16s %12s  %5.2f%%", spaced(class.String()),
			number(n), 100*float64(n)/float64(max(r.Sent, 1)))))
	}
	for _, more := range []struct {
		name string
		n    int64
	}{{"stopped", r.Canceled}, {"unknown", r.Unknown}} {
		if more.n > 0 {
			p.Line(fmt.Sprintf("  %-16s %12s", more.name, number(more.n)))
		}
	}
	p.Line("")
}

func (p printer) times(run results.Run) {
	type row struct {
		name string
		results.Times
	}
	var rows []row
	if run.Latency.Response.Max > 0 {
		rows = append(rows, row{"response", run.Latency.Response})
	}
	if run.Latency.Service.Max > 0 {
		rows = append(rows, row{"service", run.Latency.Service})
	}
	if f := run.Files; f != nil && f.Ready > 0 {
		rows = append(rows, row{"file", f.TimeMS})
	}
	if len(rows) > 0 {
		p.Line(p.Paint(terminal.Strong, fmt.Sprintf("%-10s %10s %10s %10s %10s %10s",
			"times", "p50", "p90", "p99", "p99.9", "max")))
	}
	for _, row := range rows {
		p.Line(fmt.Sprintf("  %-8s %10s %10s %10s %10s %10s", row.name, terminal.Milliseconds(row.P50),
			terminal.Milliseconds(row.P90), terminal.Milliseconds(row.P99),
			terminal.Milliseconds(row.P999), terminal.Milliseconds(row.Max)))
	}
	g := run.Generator
	if g.LagMaxMS > 0 {
		p.Line(fmt.Sprintf("  %-8s %10s %10s %10s %10s %10s", "send lag", terminal.Milliseconds(g.LagP50MS),
			"", terminal.Milliseconds(g.LagP99MS), "", terminal.Milliseconds(g.LagMaxMS)))
	}
	if f := run.Files; f != nil {
		if text := counted(count{f.Ready, "ready"}, count{f.Failed, "failed"},
			count{f.Pending, "awaited still"}, count{f.Dropped, "not followed"}); text != "" {
			p.Line("  files: " + text)
		}
	}
	if !g.Reliable {
		p.Line(p.Paint(terminal.Unsure, "  these figures describe the generator: "+g.Reason))
	}
	p.Line("")
}

type count struct {
	n    int64
	what string
}

// counted lists what occurred.
func counted(list ...count) string {
	var parts []string
	for _, c := range list {
		if c.n > 0 {
			parts = append(parts, number(c.n)+" "+c.what)
		}
	}
	return strings.Join(parts, ", ")
}

func (p printer) thresholds(run results.Run) {
	if len(run.Thresholds) == 0 {
		return
	}
	p.Line(p.Paint(terminal.Strong, "thresholds"))
	widest := 0
	for _, t := range run.Thresholds {
		widest = max(widest, printable.Columns(printable.Clean(t.Expr)))
	}
	for _, t := range run.Thresholds {
		word, colour := "held  ", terminal.Good
		if !t.OK {
			word, colour = "missed", terminal.Bad
		}
		observed := "observed " + printable.Clean(t.Observed)
		if t.Observed == threshold.NoData {
			word, colour, observed = "open  ", terminal.Unsure, printable.Clean(t.Observed)
		}
		line := fmt.Sprintf("  %s  %s  %s", p.Paint(colour, word), printable.Pad(printable.Clean(t.Expr), widest),
			observed)
		if m := t.Margin(); m != "" {
			line += "  (" + m + ")"
		}
		if t.Reason != "" {
			line += "  " + printable.Clean(t.Reason)
		}
		p.Line(line)
	}
	p.Line("")
}

func perSecond(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

// answers counts them.
func answers(n int64) string {
	if n == 1 {
		return "1 answer"
	}
	return number(n) + " answers"
}

// number groups the digits of a count.
func number(n int64) string { return digest.Grouped(n, ",") }
