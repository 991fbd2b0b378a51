package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/proof"
)

func proveCommand() *cobra.Command {
	var (
		format     string
		faults     []string
		seed       int64
		sideBySide int
	)
	c := &cobra.Command{
		Use:   "prove",
		Short: "Run the suites against every fault of the reference gateway",
		Long: `prove holds the suites against each fault of the reference gateway and prints the kill matrix: which rules
failed for which fault. A fault is killed when its own rule fails, and precise when nothing of another operation or
topic fails (marked with !). Exit code 1 when a fault survives.`,
		Example: `  gateassay prove
  gateassay prove --fault 'replay.*'
  gateassay prove --format json > proof.json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var chosen []reference.Fault
			for _, f := range reference.Faults() {
				if len(faults) == 0 || matchesAny(faults, f.Name) || matchesAny(faults, f.Rule) {
					chosen = append(chosen, f)
				}
			}
			if len(chosen) == 0 {
				return usageError{fmt.Errorf("--fault %s: no fault has such a name or rule; gateassay serve --list-faults shows them all", strings.Join(faults, ","))}
			}
			done := 0
			findings, err := proof.Examine(c.Context(), proof.Faults(chosen, seed), sideBySide, func(f proof.Finding) {
				done++
				if isTerminal(os.Stderr) {
					fmt.Fprintf(os.Stderr, "\r%d/%d", done, len(chosen))
				}
			})
			if isTerminal(os.Stderr) {
				fmt.Fprint(os.Stderr, "\r")
			}
			if c.Context().Err() != nil {
				return exitCode(130)
			}
			if err != nil {
				return err
			}
			m := proof.NewMatrix(findings)
			switch format {
			case "table":
				err = m.WriteTable(c.OutOrStdout())
			case "json":
				err = m.WriteJSON(c.OutOrStdout())
			case "markdown":
				err = m.WriteMarkdown(c.OutOrStdout())
			default:
				return usageError{fmt.Errorf("--format %s: expected table, json or markdown", format)}
			}
			if err != nil {
				return err
			}
			if m.Score.Killed < m.Score.Faults {
				return exitCode(1)
			}
			return nil
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&format, "format", "table", "table, json or markdown")
	flags.StringArrayVar(&faults, "fault", nil, "only faults whose `NAME` or rule matches, such as 'replay.*' (repeatable)")
	flags.Int64Var(&seed, "seed", 1, "of the gateway's data and of the rows that serve as bounds")
	flags.IntVar(&sideBySide, "side-by-side", 0, "gateways at once (default: four for each processor)")
	return c
}

func matchesAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if rules.Match(p, name) {
			return true
		}
	}
	return false
}
