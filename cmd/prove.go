package cmd

import (
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/proofpage"
	"github.com/gateassay/gateassay/suites/proof"
)

type proveFlags struct {
	format, depth string
	faults        []string
	sideBySide    int
}

func proveCommand() *cobra.Command {
	var f proveFlags
	c := &cobra.Command{
		Use: "prove", Short: "Run the suites against every fault of the reference gateway",
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return prove(c, f) }
	flags := c.Flags()
	formatFlag(c, &f.format, "table", "json", "markdown")
	flags.StringArrayVar(&f.faults, "fault", nil,
		"only faults whose `NAME` or rule matches, such as 'replay.*' (repeatable)")
	depthFlag(c, &f.depth)
	flags.IntVar(&f.sideBySide, "side-by-side", 0,
		"how many gateways run at once (default: four per processor)")
	return c
}

func prove(c *cobra.Command, f proveFlags) error {
	var subjects []proof.GatewayCase
	for _, fault := range reference.Faults() {
		named := func(p string) bool {
			return rules.MatchesPattern(p, fault.Name) || rules.MatchesPattern(p, fault.Rule)
		}
		if len(f.faults) == 0 || slices.ContainsFunc(f.faults, named) {
			subjects = append(subjects, proof.GatewayCase{Fault: fault, Seed: 1, Depth: f.depth})
		}
	}
	if len(subjects) == 0 {
		return usageErrorf("--fault %s: no fault has such a name or rule; gateassay serve "+
			"--list-faults shows them all", strings.Join(f.faults, ","))
	}
	// hundreds of short runs: memory is cheaper than garbage collection
	debug.SetGCPercent(400)
	ctx, stderr, code := c.Context(), c.ErrOrStderr(), exitOK
	findings, err := proof.RunSuites(ctx, subjects, f.sideBySide)
	m := proof.NewMatrix(findings)
	m.Partial = ctx.Err() != nil
	switch {
	case m.Partial: // show the results so far
		fmt.Fprintf(stderr,
			"gateassay: interrupted: the output is partial and covers %d of %d gateways\n",
			len(findings), len(subjects))
		code = exitInterrupted
	case err != nil:
		return err
	case m.Score.Killed < m.Score.Faults:
		code = exitViolation
	}
	for _, f := range findings {
		for _, defect := range f.Faults {
			fmt.Fprintf(stderr, "gateassay: %s: bug in the harness: %s\n", f.Subject.Name(), defect)
		}
	}
	stdout := c.OutOrStdout()
	switch f.format {
	case "json":
		err = printJSON(stdout, m)
	case "markdown":
		_, err = io.WriteString(stdout, proofpage.RenderMarkdown(m))
	default:
		_, err = io.WriteString(stdout, proofpage.RenderText(m))
	}
	return exitError(code, err)
}
