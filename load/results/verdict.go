package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// generator judges how far the figures describe the deployment, and how far the generator. That of a merged run is its
// worst shard's.
func (t *totals) generator() Generator {
	if t.head.Merge != nil {
		return t.head.Merge.generator()
	}
	lag := timesOf(t.Times.of(threshold.Lag, ""))
	g := Generator{
		LagP50MS: lag.P50, LagP99MS: lag.P99, LagMaxMS: lag.Max, CPUPeak: round(t.cpuPeak), CPUs: t.head.CPUs,
		LagLimit: millis(t.head.LagLimit), Intervals: int64(t.N), Load: t.machine, Saturated: t.crowded,
	}
	if seconds := t.To.Seconds(); seconds > 0 {
		g.CPU, g.Load.CPU, g.Wait = round(t.cpuTime/seconds), round(t.machine.CPU/seconds), round(t.machine.Wait/seconds)
	}
	switch open, ports := t.Failures[judge.NoFiles.String()], t.Failures[judge.NoPorts.String()]; {
	case open > 0:
		g.Reason = printable.Quantity(open, "request") + " could not be sent: the process ran out of file descriptors"
		g.Next = "raise the limit (ulimit -n) or use --max-in-flight"
	case ports > 0:
		g.Reason = printable.Quantity(ports, "request") + " could not be sent: no local ports are left"
		g.Next = "keep connections alive or split the plan over several machines with --shard"
	case g.LagP99MS > g.LagLimit:
		g.Reason = fmt.Sprintf("requests were sent late: the p99 of send lag is %g ms, the limit %g ms", g.LagP99MS, g.LagLimit)
	}
	if often(t.crowded, g.Intervals) {
		g.Reason = joined(g.Reason, fmt.Sprintf("the CPUs of this machine were saturated in %d of %d s, of which the generator used %.2g%%",
			t.crowded, t.N, 100*g.CPU))
	}
	if g.Reliable = g.Reason == ""; !g.Reliable {
		g.Next = cmp.Or(g.Next, "leave the machine to the generator, raise its CPU limit where there is one, try --engine direct, or "+
			"split the plan over several machines with --shard")
	}
	return g
}

// joined puts together what is said, where something is.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// often reports whether something was so in more than a tenth of the intervals, and not just in one.
func often(n, of int64) bool { return n > 1 && n*10 > of }

// blurred reports whether the generator was so late, or so short of CPUs, that what it measured is not the deployment's
// alone.
func (t *totals) blurred(g Generator) bool {
	return g.LagP99MS > millis(longestLag) || often(t.busy, int64(t.N)) ||
		t.Failures[judge.NoFiles.String()]+t.Failures[judge.NoPorts.String()] > 0
}

// leastUsable is the share of requests without which a run says nothing about the deployment, enoughSent that of the
// rate, and fewestFiles how many files of which none arrived are no accident.
const (
	leastUsable = 0.05
	enoughSent  = 0.95
	fewestFiles = 5
)

// conclude gives the verdict and why. A violated rule is one whoever was late; a missed threshold is not where that is
// what the generator did.
func (t *totals) conclude(run Run) (Verdict, string) {
	q, f := run.Requests, run.Files
	usable := q.Accepted + q.Blocked + q.FalseBlocks + q.MissedBlocks // answers of which replay protection can be judged
	var missed, late, without []threshold.Result
	for _, result := range run.Thresholds {
		switch {
		case result.Observed == threshold.NoData:
			without = append(without, result)
		case result.Late:
			late = append(late, result)
		case !result.OK:
			missed = append(missed, result)
		}
	}
	wrong, lacks, g, blurred := t.wrong(run), t.head.Merge.lacks(), run.Generator, t.blurred(run.Generator)
	switch all := len(run.Thresholds); {
	case lacks != "" && wrong != "":
		return Inconclusive, lacks + "; what is known already fails: " + wrong
	case lacks != "":
		return Inconclusive, lacks
	case q.Sent == 0:
		return Inconclusive, cmp.Or(t.ending.Unsent, "no request was sent")
	case wrong != "":
		return Fail, wrong
	case q.Ended()-q.TransportErrors-q.Timeouts <= 0:
		return Inconclusive, "the deployment answered no request"
	case float64(usable) < leastUsable*float64(q.Ended()) && run.Run.Aborted == "":
		return Inconclusive, fmt.Sprintf("too few usable answers: %d of %d requests were accepted or blocked, and a verdict "+
			"needs %g%%; errors: %s", usable, q.Ended(), 100*leastUsable, run.ErrorWords())
	case run.Run.Aborted != "" && !blurred:
		return Fail, "ended early: " + run.Run.Aborted
	case len(missed) > 0 && all == 1:
		return Fail, fmt.Sprintf("the threshold %s was missed: observed %s", missed[0].Expr, missed[0].Observed)
	case len(missed) > 0:
		return Fail, fmt.Sprintf("%d of %d thresholds missed, first %s: observed %s", len(missed), all, missed[0].Expr,
			missed[0].Observed)
	case len(late) > 0:
		return Inconclusive, joined(late[0].Expr+": observed "+late[0].Observed, late[0].Reason, g.Reason, g.Next)
	// What holds although the generator was late does hold, unless hardly the load was sent that it is to hold under.
	case blurred && (all == 0 || run.Run.Aborted != "" || run.Rate.Achieved < enoughSent*run.Rate.Target):
		return Inconclusive, "the figures describe the generator: " + joined(g.Reason, g.Next)
	case run.Run.Partial:
		return Inconclusive, "interrupted before the whole schedule was sent"
	case len(without) > 0:
		return Fail, fmt.Sprintf("no data for %d of %s", len(without), printable.Quantity(all, "threshold"))
	case f != nil && f.Ready == 0 && f.Failed+f.Pending >= fewestFiles &&
		!slices.ContainsFunc(t.head.Thresholds, threshold.OnFiles):
		text := fmt.Sprintf("none of %s that were followed arrived: %d failed, %d still not there at the end",
			printable.Quantity(f.Failed+f.Pending, "file"), f.Failed, f.Pending)
		if f.Detail != "" {
			text += "; the first: " + f.Detail
		}
		return Inconclusive, text + "; a threshold on file_failures or on a file. time would decide this"
	case all == 0:
		return Pass, "no rule was violated; there were no thresholds"
	case all == 1:
		return Pass, "no rule was violated and the threshold held"
	default:
		return Pass, fmt.Sprintf("no rule was violated and all %d thresholds held", all)
	}
}

// wrong is which rule the deployment broke, whatever else is known of it; empty: none.
func (t *totals) wrong(run Run) string {
	switch r := run.Requests; {
	case t.head.FailOnMisblock && r.FalseBlocks+r.MissedBlocks > 0:
		return fmt.Sprintf("replay protection: %s blocked, %s accepted",
			printable.Quantity(r.FalseBlocks, "fresh request"), printable.Quantity(r.MissedBlocks, "repeat"))
	case r.Malformed > 0 && len(run.Violations) > 0:
		return fmt.Sprintf("a documented rule was broken by %s", printable.Quantity(r.Malformed, "answer"))
	}
	return ""
}
