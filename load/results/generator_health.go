package results

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// assessGenerator reports whether the generator was reliable, that is whether the figures
// describe the deployment. For a merged run it returns the worst shard's health.
func (t *runTotals) assessGenerator() GeneratorHealth {
	if t.head.Merge != nil {
		return t.head.Merge.worstGenerator()
	}
	lag := newDurationStats(t.Times.overStages(threshold.TimeLag, ""))
	g := GeneratorHealth{
		LagP50MS: lag.P50, LagP99MS: lag.P99, LagMaxMS: lag.Max,
		LagLimit: Milliseconds(t.head.LagLimit), CPUPeak: roundTo3Digits(t.cpuPeak),
		CPUs: t.head.CPUs, Load: t.machine, Intervals: t.loading, Saturated: t.crowded,
	}
	if seconds := t.To.Seconds(); seconds > 0 {
		g.CPU = roundTo3Digits(t.cpuTime / seconds)
		g.Load.CPU = roundTo3Digits(t.machine.CPU / seconds)
		g.Wait = roundTo3Digits(t.machine.Wait / seconds)
	}
	var reasons []string
	files := t.countFailures(judge.FailureNoDescriptors)
	ports := t.countFailures(judge.FailureNoPorts)
	switch {
	case files > 0:
		reasons = append(reasons, printable.Quantity(files, "request")+
			" could not be sent: the process ran out of file descriptors")
		g.Next = "raise the limit (ulimit -n) or use --max-in-flight"
	case ports > 0:
		reasons = append(reasons, printable.Quantity(ports, "request")+
			" could not be sent: no local ports are left")
		g.Next = "keep connections alive or split the plan over several machines with --shard"
	case g.LagP99MS > g.LagLimit:
		reasons = append(reasons, fmt.Sprintf("requests were sent late: send lag p99 %g ms, "+
			"limit %g ms", g.LagP99MS, g.LagLimit))
	}
	if rate, _, _ := t.ratesOf(0); t.Queued*20 > t.Sent &&
		rate.Achieved < sufficientSentShare*rate.Target {
		limit, flag := t.head.workerLimit()
		g.Bound = fmt.Sprintf("%s bounded the rate: %s waited until one of those in flight had ended",
			limit, printable.Quantity(t.Queued, "request"))
		g.Next = "raise " + flag + ", or send less"
	}
	if isFrequent(t.crowded, g.Intervals) {
		reasons = append(reasons, fmt.Sprintf("the machine's CPUs were saturated in %d of %d s; "+
			"the generator used %.2g%% of them", t.crowded, t.loading, 100*g.CPU))
	}
	g.Reason = strings.Join(reasons, "; ")
	if g.Reliable = g.Reason == ""; !g.Reliable {
		g.Next = cmp.Or(g.Next, "run the generator alone on its machine or with more CPUs, try "+
			"--engine direct, or split the plan over several machines with --shard")
	}
	return g
}

func (t *runTotals) countFailures(why judge.Failure) int64 { return t.Failures[why.String()] }

// isFrequent reports whether something happened in more than a tenth of the intervals and in
// more than one.
func isFrequent(n, of int64) bool { return n > 1 && n*10 > of }

// isGeneratorUnreliable reports whether the generator was so late, or so short of CPUs, ports or
// files, that the figures do not describe the deployment alone.
func (t *runTotals) isGeneratorUnreliable() bool {
	return t.assessGenerator().LagP99MS > Milliseconds(maxTrustedLag) || t.isStarved()
}

// isStarved reports whether the generator was short of CPUs, ports or files.
func (t *runTotals) isStarved() bool {
	return isFrequent(t.busy, t.loading) ||
		t.countFailures(judge.FailureNoDescriptors)+t.countFailures(judge.FailureNoPorts) > 0
}
