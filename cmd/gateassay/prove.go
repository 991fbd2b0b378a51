package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/proofpage"
	"github.com/gateassay/gateassay/suites/proof"
)

// proveFlags are the flags of prove.
type proveFlags struct {
	format     string
	faults     []string
	share      float64
	runs       int
	seed       int64
	sideBySide int
	shuffle    int
	pairs      bool
}

func proveCommand() *cobra.Command {
	var f proveFlags
	c := &cobra.Command{
		Use:   "prove",
		Short: "Run the suites against every fault of the reference gateway",
		Long: `prove runs the suites against each fault of the reference gateway and prints the kill matrix: which
rules failed for which fault. A fault is killed when its own rule fails, and precise when nothing unrelated fails
(marked with !). Rules are related when they share operation and topic; all rules of the operation replay are
related, since they are about one memory. Exit code 1 when a fault survives.

With --share only that share of requests meets the fault. prove then says which faults one run catches, which --runs
runs catch, and on how many of the answers that it judged the rule failed; no fault has to be caught.

With --shuffle no fault is switched on. That many runs with one seed take their checks in another order each, with 1,
4, 16 and 64 requests in flight in turn. prove compares verdicts and requests, but for what has to be unique in each
run: identifiers, the CPF, phone number and email of a person, the seconds of bounds whose rows are not checked. Exit
code 1 when two runs differ.

With --pairs no fault is switched on either. Runs with the seeds 1 to 6 show with which optional headers, methods of
authentication, qualifications, fields and so on each rule was combined, and why some were combined with none.`,
		Example: `  gateassay prove
  gateassay prove --fault 'replay.*'
  gateassay prove --format json > proof.json  # see docs/proof.md
  gateassay prove --share 0.05 --runs 3
  gateassay prove --shuffle 50
  gateassay prove --pairs`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return prove(c, f) },
	}
	flags := c.Flags()
	formatFlag(c, &f.format, "table", "json", "markdown")
	flags.StringArrayVar(&f.faults, "fault", nil,
		"only faults whose `NAME` or rule matches, such as 'replay.*' (repeatable)")
	flags.Float64Var(&f.share, "share", 0, "`SHARE` of requests that meet the fault, such as 0.05 (default: all)")
	flags.IntVar(&f.runs, "runs", 1, "runs against each fault, with --share")
	flags.IntVar(&f.shuffle, "shuffle", 0, "`RUNS` of the healthy gateway to compare, each in another order")
	flags.BoolVar(&f.pairs, "pairs", false, "show with which optional parts of a request each rule was combined")
	flags.Int64Var(&f.seed, "seed", 1, "decides the gateway's data and the rows that serve as bounds")
	flags.IntVar(&f.sideBySide, "side-by-side", 0, "how many gateways run at once (default: four for each processor)")
	return c
}

func prove(c *cobra.Command, f proveFlags) error {
	intermittent := c.Flags().Changed("share")
	switch {
	case intermittent && !(f.share > 0 && f.share < 1):
		return misuse("--share %g: expected more than 0 and less than 1, such as 0.05", f.share)
	case c.Flags().Changed("shuffle") && (f.shuffle < 2 || f.shuffle > 1000 || intermittent || len(f.faults) > 0):
		return misuse("--shuffle %d: expected 2 to 1000, without --fault and --share", f.shuffle)
	case f.runs < 1 || f.runs > 1000:
		return misuse("--runs %d: expected 1 to 1000", f.runs)
	case f.runs > 1 && !intermittent:
		return misuse("--runs %d: give --share as well, such as --share 0.05; "+
			"a fault that every request meets is caught by one run", f.runs)
	}
	if f.pairs && (f.shuffle > 0 || intermittent || len(f.faults) > 0 || c.Flags().Changed("seed")) {
		return misuse("--pairs cannot be combined with --shuffle, --share, --fault and --seed")
	}
	if f.shuffle > 0 {
		return shuffle(c, f)
	}
	if f.pairs {
		return pairs(c, f)
	}
	var chosen []reference.Fault
	all := reference.Faults()
	if !intermittent {
		all = append(all, reference.Pairs()...)
	}
	for _, fault := range all {
		named := func(p string) bool { return rules.Match(p, fault.Name) || rules.Match(p, fault.Rule) }
		if len(f.faults) == 0 || slices.ContainsFunc(f.faults, named) {
			chosen = append(chosen, fault)
		}
	}
	if len(chosen) == 0 {
		return misuse("--fault %s: no fault has such a name or rule; gateassay serve --list-faults shows them all",
			strings.Join(f.faults, ","))
	}
	if intermittent {
		findings, ended := examine(c.Context(), proof.Intermittent(chosen, f.seed, f.share, f.runs),
			proof.Options{SideBySide: f.sideBySide})
		if !shows(ended) {
			return ended
		}
		chances := proof.NewChances(findings, f.share, f.runs)
		chances.Partial = ended != nil
		return cmp.Or(printAs(c.OutOrStdout(), f.format, chances,
			func() string { return proofpage.ChancesTable(chances) },
			func() string { return proofpage.ChancesMarkdown(chances) }), ended)
	}
	findings, ended := examine(c.Context(), proof.Faults(chosen, f.seed), proof.Options{SideBySide: f.sideBySide})
	if !shows(ended) {
		return ended
	}
	m := proof.NewMatrix(findings)
	m.Partial = ended != nil
	if m.Score.Killed < m.Score.Faults {
		ended = cmp.Or(ended, error(exitCode(1)))
	}
	return cmp.Or(printAs(c.OutOrStdout(), f.format, m,
		func() string { return proofpage.Table(m) }, func() string { return proofpage.Markdown(m) }), ended)
}

// shuffle compares runs of the healthy gateway.
func shuffle(c *cobra.Command, f proveFlags) error {
	if f.format != "table" {
		return misuse("--shuffle prints no %s", f.format)
	}
	findings, ended := examine(c.Context(), proof.Shuffled(f.shuffle, f.seed), proof.Options{SideBySide: f.sideBySide})
	if !shows(ended) {
		return ended
	}
	found := proof.NewSameness(findings)
	if len(found.Differs) > 0 {
		ended = cmp.Or(ended, error(exitCode(1)))
	}
	_, err := io.WriteString(c.OutOrStdout(), proofpage.SamenessTable(found))
	return cmp.Or(err, ended)
}

// pairs shows which rules stood beside which partners in runs of the healthy gateway.
func pairs(c *cobra.Command, f proveFlags) error {
	findings, ended := examine(c.Context(), proof.Cycle(), proof.Options{SideBySide: f.sideBySide, Pairs: true})
	if ended != nil {
		return ended // of a part of the runs nothing can be said
	}
	found := proof.NewCoverage(findings)
	return printAs(c.OutOrStdout(), f.format, found,
		func() string { return proofpage.CoverageTable(found) },
		func() string { return proofpage.CoverageMarkdown(found) })
}

// shows reports whether what was found can be shown: all of it, or what came in before an interrupt.
func shows(ended error) bool { return ended == nil || errors.Is(ended, exitCode(exitStopped)) }

// examine shows how far it is. When it is interrupted, it says of how much the findings are.
func examine(ctx context.Context, subjects []proof.Subject, o proof.Options) ([]proof.Finding, error) {
	debug.SetGCPercent(400) // hundreds of runs, each over in seconds: memory is cheaper here than collecting it
	done, shown := 0, isTerminal(os.Stderr)
	o.Listen, o.Found = listening(ctx), func() {
		if done++; shown {
			fmt.Fprintf(os.Stderr, "\r%d/%d", done, len(subjects))
		}
	}
	findings, err := proof.Examine(ctx, subjects, o)
	if shown {
		fmt.Fprint(os.Stderr, "\r")
	}
	if ctx.Err() != nil {
		fmt.Fprintf(os.Stderr, "gateassay: interrupted: the output is partial and covers %d of %d gateways\n",
			len(findings), len(subjects))
		err = exitCode(exitStopped)
	}
	for _, f := range findings {
		for _, defect := range f.Faults {
			fmt.Fprintf(os.Stderr, "gateassay: %s: the harness failed: %s\n", f.Subject.Name(), defect)
		}
	}
	return findings, err
}
