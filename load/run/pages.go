package run

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/page"
	"github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/reports/digest"
	folders "github.com/gateassay/gateassay/reports/record"
)

// WritePages writes what people read, report.html and summary.md, into the folder of a run. Each is tried, whatever
// became of the other.
func WritePages(folder string, run record.Run) error {
	data, missing := page.Read(folder)
	return errors.Join(missing, writePages(folder, run, data))
}

func writePages(folder string, run record.Run, data page.Data) error {
	html, err := page.Write(run, data)
	if err == nil {
		err = folders.WriteAtomic(folder, "report.html", html)
	}
	return errors.Join(err, folders.WriteAtomic(folder, "summary.md", Markdown(run)))
}

// Markdown is summary.md of a load run.
func Markdown(run record.Run) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Load on %s: %s\n\n%s.\n\n", text(run.Run.Deployment), run.Verdict, strings.TrimSuffix(text(run.Reason), "."))
	fmt.Fprintf(&b, "%s · %s of %s requests sent · %.6g/s of %.6g/s · started %s\n\n", text(run.Run.BaseURL), number(run.Requests.Sent),
		number(run.Requests.Scheduled), run.Rate.Achieved, run.Rate.Target, run.Run.StartedAt.UTC().Format(time.RFC3339))
	if run.Run.Partial {
		fmt.Fprint(&b, "The schedule was not sent to its end.\n\n")
	}
	if len(run.Thresholds) > 0 {
		fmt.Fprint(&b, "| threshold | observed | margin | |\n|---|---|---|---|\n")
		for _, t := range run.Thresholds {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", text(t.Expr), text(t.Observed), t.Margin(), held(t.OK))
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprint(&b, "| class | requests | p50 ms | p99 ms | max ms |\n|---|---:|---:|---:|---:|\n")
	for c := range judge.NumClasses {
		class := judge.Class(c)
		if found, occurs := run.Classes[class.String()]; occurs {
			r := found.Latency.Response
			fmt.Fprintf(&b, "| %s | %d | %.6g | %.6g | %.6g |\n", spaced(class.String()), found.Count, r.P50, r.P99, r.Max)
		}
	}
	fmt.Fprint(&b, "\n| time, ms | p50 | p90 | p99 | p99.9 | max |\n|---|---:|---:|---:|---:|---:|\n")
	for _, t := range []struct {
		name string
		record.Times
	}{{"response", run.Latency.Response}, {"service", run.Latency.Service}} {
		fmt.Fprintf(&b, "| %s | %.6g | %.6g | %.6g | %.6g | %.6g |\n", t.name, t.P50, t.P90, t.P99, t.P999, t.Max)
	}
	fmt.Fprintf(&b, "\nSend lag p99 %.6g ms. ", run.Generator.LagP99MS)
	if !run.Generator.Reliable {
		fmt.Fprintf(&b, "**The figures describe the generator:** %s.", text(run.Generator.Reason))
	}
	fmt.Fprintln(&b)
	for _, v := range run.Violations {
		fmt.Fprintf(&b, "\n- `%s` violated by %d answers", text(v.Rule), v.Count)
	}
	for _, n := range run.Notes {
		fmt.Fprintf(&b, "\n- %s", text(n))
	}
	fmt.Fprintln(&b)
	return []byte(b.String())
}

func held(ok bool) string {
	if ok {
		return "held"
	}
	return "**missed**"
}

// text makes a text of the run safe within Markdown.
func text(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "`", "'").Replace(digest.Clean(digest.Clip(s, 1000)))
}

func spaced(s string) string { return strings.ReplaceAll(s, "_", " ") }
