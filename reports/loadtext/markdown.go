package loadtext

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/markdown"
)

// CapacityMarkdown is summary.md of a search for the capacity.
func CapacityMarkdown(c capacity.File) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Capacity of %s: %s\n\n%s.\n\n", text(c.Run.Deployment),
		c.Verdict, strings.TrimSuffix(text(c.Reason), "."))
	if c.Capacity.Rate > 0 {
		fmt.Fprintf(&b, "**%.5g/s**, held in %d of %d runs at that rate; the capacity is %s.\n\n",
			c.Capacity.Rate, c.Confidence.Held,
			c.Confidence.Held+c.Confidence.Missed, c.Capacity.Between())
	}
	if k := c.Capacity.Knee; k != nil {
		fmt.Fprintf(&b, "The curve bends at %.5g/s, with a p99 of %.4g ms.\n\n", k.Rate, k.P99MS)
	}
	for i, expr := range c.SLO {
		if i == 0 {
			fmt.Fprint(&b, "What must hold: ")
		} else {
			fmt.Fprint(&b, ", ")
		}
		b.WriteString(code(expr))
	}
	fmt.Fprint(&b, "\n\n| rate | achieved | p50 ms | p99 ms | errors | held | missed | why "+
		"|\n|---:|---:|---:|---:|---:|---:|---:|---|\n")
	for _, p := range c.Capacity.Curve {
		fmt.Fprintf(&b, "| %.5g/s | %.5g/s | %.4g | %.4g | %.3g %% | %d | %d | %s |\n",
			p.Rate, p.Achieved, p.P50MS, p.P99MS, 100*p.Errors, p.Held, p.Missed(), text(p.Why()))
	}
	for _, n := range append(slices.Clone(c.Capacity.Unstable), c.Notes...) {
		fmt.Fprintf(&b, "\n- %s", text(n))
	}
	fmt.Fprintln(&b)
	return []byte(b.String())
}

// Markdown is summary.md of a load run.
func Markdown(run results.Run) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Load on %s: %s\n\n%s.\n\n", text(run.Run.Deployment),
		run.Verdict, strings.TrimSuffix(text(run.Reason), "."))
	fmt.Fprintf(&b, "%s · %s · started %s\n\n", text(run.Run.BaseURL), sentWords(run),
		run.Run.StartedAt.UTC().Format(time.RFC3339))
	if run.Run.Partial {
		fmt.Fprint(&b, "The schedule was not sent to its end.\n\n")
	}
	said := explainedMarkdown(run)
	if !run.Generator.Reliable && run.Generator.Reason != "" && run.Requests.Sent > 0 {
		said = append(said, "the figures describe the generator: "+run.Generator.Reason)
	}
	for i, words := range said {
		fmt.Fprintf(&b, "- %s\n", text(words))
		if i == len(said)-1 {
			fmt.Fprintln(&b)
		}
	}
	if len(run.Thresholds) > 0 {
		fmt.Fprint(&b, "| threshold | observed | margin | |\n|---|---|---|---|\n")
		for _, t := range run.Thresholds {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(t.Expr), text(t.Observed), t.Margin(), held(t))
		}
		fmt.Fprintln(&b)
	}
	if run.Requests.Sent > 0 {
		figures(&b, run)
	}
	for _, v := range run.Violations {
		fmt.Fprintf(&b, "- %s violated by %s\n", code(v.Rule), answers(v.Count))
	}
	for _, n := range run.Notes {
		fmt.Fprintf(&b, "- %s\n", text(n))
	}
	return []byte(b.String())
}

// sentWords says how much was sent, and how fast.
func sentWords(run results.Run) string {
	switch r := run.Requests; {
	case r.Sent == 0:
		return fmt.Sprintf("none of %s requests sent", number(r.Scheduled))
	case run.Closed > 0:
		return fmt.Sprintf("%s requests sent · %.6g/s over %d connections",
			number(r.Sent), run.Rate.Achieved, run.Closed)
	default:
		return fmt.Sprintf("%s of %s requests sent · %.6g/s of %.6g/s", number(r.Sent),
			number(r.Scheduled), run.Rate.Achieved, run.Meant())
	}
}

// figures are the tables of a run that sent something.
func figures(b *strings.Builder, run results.Run) {
	fmt.Fprint(b, "| class | requests | p50 ms | p99 ms | max ms |\n|---|---:|---:|---:|---:|\n")
	for _, class := range judge.Classes() {
		if found, occurs := run.Classes[class.String()]; occurs {
			r := found.Latency.Response
			fmt.Fprintf(b, "| %s | %d | %.6g | %.6g | %.6g |\n", spaced(class.String()),
				found.Count, r.P50, r.P99, r.Max)
		}
	}
	fmt.Fprint(b, "\n| time, ms | p50 | p90 | p99 | p99.9 | max |\n|---|---:|---:|---:|---:|---:|\n")
	for _, t := range []struct {
		name string
		results.Times
	}{{"response", run.Latency.Response}, {"service", run.Latency.Service}} {
		if t.Max == 0 || t.name == "response" && run.Closed > 0 {
			continue
		}
		fmt.Fprintf(b, "| %s | %.6g | %.6g | %.6g | %.6g | %.6g |\n", t.name, t.P50, t.P90, t.P99, t.P999, t.Max)
	}
	fmt.Fprintf(b, "\nSend lag p99 %.6g ms.\n\n", run.Generator.LagP99MS)
}

func held(t threshold.Result) string {
	switch {
	case t.OK:
		return "held"
	case t.Observed == threshold.NoData:
		return "**open**"
	}
	return "**missed**"
}

// text makes a text of the run safe within Markdown.
func text(s string) string {
	return markdown.Text(s, 1000)
}

func code(s string) string { return markdown.Code(s, 1000) }

func spaced(s string) string { return strings.ReplaceAll(s, "_", " ") }
