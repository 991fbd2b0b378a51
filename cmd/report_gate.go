package cmd

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
)

// gateFlags are the flags of report gate.
type gateFlags struct {
	policy, markdown, junit string
	github                  bool
}

func reportGateCommand() *cobra.Command {
	var f gateFlags
	c := &cobra.Command{
		Use:   "gate --policy FILE RUN…",
		Short: "Decide from recorded runs whether a release may go out",
		Args:  cobra.MinimumNArgs(1),
		RunE:  func(c *cobra.Command, runs []string) error { return decideRelease(c, f, runs) },
	}
	flags := c.Flags()
	flags.StringVar(&f.policy, "policy", "", "policy `FILE` (required)")
	flags.StringVar(&f.markdown, "markdown", "",
		"write the decision to `FILE` too, as a comment for a pull request")
	flags.StringVar(&f.junit, "junit", "", "write the decision to `FILE` too, as JUnit XML")
	githubFlag(c, &f.github)
	completeFiles(c, "policy", "yaml", "yml")
	c.AddCommand(reportGateInitCommand())
	return c
}

func decideRelease(c *cobra.Command, f gateFlags, runs []string) error {
	if f.policy == "" {
		return usageErrorf("--policy is required: the file that says what must hold; gateassay report " +
			"gate init writes a first one")
	}
	policy, err := gate.Open(f.policy, suites.Catalogue())
	if err != nil {
		return usageError{err}
	}
	decision := gate.Decide(policy, runs, time.Now().UTC())
	stdout, report := c.OutOrStdout(), gate.Report(decision)
	if f.github {
		if err := printAnnotations(stdout, "text", view.WriteAnnotations(report),
			view.WriteMarkdown(report)); err != nil {
			return err
		}
	}
	code, style := decision.ExitCode(), reportStyle(stdout)
	style.Exit = exitCode(code).Error()
	printing := view.WriteText(stdout, report, style)
	if f.markdown != "" {
		if err := writeReport(f.markdown, view.WriteMarkdown(report)); err != nil {
			return err
		}
	}
	if f.junit != "" {
		data, err := gate.JUnit(decision)
		if err == nil {
			err = writeReport(f.junit, data)
		}
		if err != nil {
			return err
		}
	}
	return exitError(code, printing)
}

func reportGateInitCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "init",
		Short: "Write a first policy",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := writeNewPrivateFile(out, gate.StarterPolicy); err != nil {
				return err
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), printable.Clean(out))
			return err
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "gate.yaml",
		"the `FILE` to write; an existing one is left alone")
	return c
}
