package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	seed       int64
	sideBySide int
}

func proveCommand() *cobra.Command {
	var f proveFlags
	c := &cobra.Command{
		Use:   "prove",
		Short: "Run the suites against every fault of the reference gateway",
		Long: `prove runs the suites against each fault of the reference gateway and prints which rules failed for which fault. A fault is
killed when its own rule fails, and precise when nothing unrelated fails (marked with !). Exit code 1 when a fault survives.`,
		Example: `  gateassay prove
  gateassay prove --fault 'replay.*'
  gateassay prove --format json > proof.json  # see docs/proof.md`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return prove(c, f) },
	}
	flags := c.Flags()
	formatFlag(c, &f.format, "table", "json", "markdown")
	flags.StringArrayVar(&f.faults, "fault", nil,
		"only faults whose `NAME` or rule matches, such as 'replay.*' (repeatable)")
	flags.Int64Var(&f.seed, "seed", 1, "decides the gateway's data and the rows that serve as bounds")
	flags.IntVar(&f.sideBySide, "side-by-side", 0, "how many gateways run at once (default: four for each processor)")
	return c
}

func prove(c *cobra.Command, f proveFlags) error {
	var chosen []reference.Fault
	for _, fault := range append(reference.Faults(), reference.Pairs()...) {
		named := func(p string) bool { return rules.Match(p, fault.Name) || rules.Match(p, fault.Rule) }
		if len(f.faults) == 0 || slices.ContainsFunc(f.faults, named) {
			chosen = append(chosen, fault)
		}
	}
	if len(chosen) == 0 {
		return misuse("--fault %s: no fault has such a name or rule; gateassay serve --list-faults shows them all",
			strings.Join(f.faults, ","))
	}
	findings, ended := examine(c.Context(), proof.Faults(chosen, f.seed), f.sideBySide)
	if ended != nil && !errors.Is(ended, exitCode(exitStopped)) { // after an interrupt what came in is shown
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

// examine runs the proof. When it is interrupted, it says of how much the findings are.
func examine(ctx context.Context, subjects []proof.Subject, sideBySide int) ([]proof.Finding, error) {
	debug.SetGCPercent(400) // hundreds of runs, each over in seconds: memory is cheaper here than collecting it
	findings, err := proof.Examine(ctx, subjects, sideBySide)
	if ctx.Err() != nil {
		fmt.Fprintf(os.Stderr, "gateassay: interrupted: the output is partial and covers %d of %d gateways\n", len(findings), len(subjects))
		err = exitCode(exitStopped)
	}
	for _, f := range findings {
		for _, defect := range f.Faults {
			fmt.Fprintf(os.Stderr, "gateassay: %s: the harness failed: %s\n", f.Subject.Name(), defect)
		}
	}
	return findings, err
}
