package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/reports/recorded"
)

func reportGateInitCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "init [RUN…]",
		Short: "Write a first policy",
		Long: `init writes a commented policy to begin with: every must rule verified, no waiver, warnings allowed. It asks for runs
of the kinds and of the deployments that the RUNs are of; without a RUN, for conformance of any. docs/gate.md explains each key.

Exit codes: 0 it was written, 2 a RUN cannot be read, or the file exists.`,
		Example: `  gateassay report gate init --out gate.yaml
  gateassay report gate init --out gate.yaml reports/runs/20261121T084529Z-conform`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, runs []string) error {
			policy, err := firstPolicy(runs)
			if err != nil {
				return err
			}
			if err := writeNew(out, policy); err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", out)
			return err
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "gate.yaml", "the `FILE` to write; an existing one is left alone")
	return c
}

// firstPolicy asks for what some runs are.
func firstPolicy(runs []string) ([]byte, error) {
	var names []string
	var kinds []recorded.Kind
	for _, path := range runs {
		run, err := recorded.Open(path)
		if err != nil {
			return nil, usageError{advised(path, err)}
		}
		name := map[recorded.Kind]string{
			recorded.OfConformance: run.Conformance.Run.Deployment, recorded.OfLoad: run.Load.Run.Deployment,
			recorded.OfCapacity: run.Capacity.Run.Deployment,
		}[run.Kind]
		run.Close()
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		kinds = append(kinds, run.Kind)
	}
	return gate.First(names, kinds), nil
}
