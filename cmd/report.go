package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
)

func reportCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "report", Short: "Work with recorded runs: show, compare, gate a release, browse",
	}
	c.AddCommand(reportShowCommand(), reportCompareCommand(), reportGateCommand(),
		reportServeCommand())
	return c
}

func reportShowCommand() *cobra.Command {
	var format, out string
	var verbose bool
	c := &cobra.Command{
		Use: "show RUN", Args: cobra.ExactArgs(1),
		Short: "Print the report of a recorded run again, or render one of its files",
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		return showReport(c, args[0], format, out, verbose)
	}
	verboseFlag(c, &verbose)
	formatFlag(c, &format, "text", string(reports.FormatMarkdown), string(reports.FormatJSON),
		string(reports.FormatHTML), string(reports.FormatJUnit), string(reports.FormatSARIF))
	outFlag(c, &out)
	return c
}

func showReport(c *cobra.Command, path, format, out string, verbose bool) error {
	run, err := recorded.Open(path)
	if err != nil {
		return usageError{err}
	}
	stdout := c.OutOrStdout()
	var data []byte
	if format == "text" {
		var text bytes.Buffer
		style := reportStyle(stdout)
		style.Colour = style.Colour && out == ""
		style.Folder, style.Whole = run.Dir, verbose
		err = reports.Print(&text, run, conformance.Style{Style: style})
		data = text.Bytes()
	} else {
		data, err = reports.Render(run, reports.Format(format))
	}
	switch {
	case errors.Is(err, reports.ErrFormat):
		return usageErrorf("--format %s: not available for %s; expected text or one of %v", format,
			run.Kind.WithArticle(), reports.Formats(run.Kind))
	case errors.As(err, new(*fs.PathError)): // a file of the run, which may come from a stranger
		return usageErrorf("the report could not be made: %s",
			strings.ReplaceAll(err.Error(), run.Dir, path))
	case err != nil:
		return fmt.Errorf("the report could not be made: %w", err)
	}
	return printOrWrite(stdout, out, data, run.VerdictText(), run.Reason)
}

func reportCompareCommand() *cobra.Command {
	tolerance := compare.DefaultTolerance
	var format, out string
	c := &cobra.Command{
		Use: "compare BEFORE AFTER", Args: cobra.ExactArgs(2),
		Short: "Compare two runs, and say whether the second is worse",
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		var runs [2]recorded.Run
		for i, path := range args {
			run, err := recorded.Open(path)
			if err != nil {
				return usageError{err}
			}
			runs[i] = run
		}
		result, err := compare.CompareRuns(runs[0], runs[1], tolerance)
		if err != nil {
			return usageError{err}
		}
		if err := printComparison(c, result, format, out); err != nil {
			return err
		}
		return exitError(result.ExitCode(), nil)
	}
	shareFlag(c, &tolerance, "tolerance",
		"differences of load and of capacity below this `SHARE` are not regressions (default 5%)")
	formatFlag(c, &format, "text", "markdown", "json", "html")
	outFlag(c, &out)
	return c
}

func printComparison(c *cobra.Command, r compare.Comparison, format, out string) (err error) {
	var data []byte
	switch report := compare.Report(r); format {
	case "markdown":
		data = view.WriteMarkdown(report)
	case "json":
		data, err = printable.JSON(r)
	case "html":
		data, err = view.WritePage(report)
	default:
		var text bytes.Buffer
		style := reportStyle(c.OutOrStdout())
		style.Colour = style.Colour && out == ""
		style.Exit = exitCode(r.ExitCode()).Error()
		err = view.WriteText(&text, report, style)
		data = text.Bytes()
	}
	if err != nil {
		return fmt.Errorf("the comparison could not be written: %w", err)
	}
	return printOrWrite(c.OutOrStdout(), out, data, string(r.Verdict), r.Reason)
}

type gateFlags struct {
	policy, markdown, junit string
	github                  bool
}

func reportGateCommand() *cobra.Command {
	var f gateFlags
	c := &cobra.Command{
		Use: "gate --policy FILE RUN…", Args: cobra.MinimumNArgs(1),
		Short: "Decide from recorded runs whether a release may go out",
	}
	c.RunE = func(c *cobra.Command, runs []string) error { return decideRelease(c, f, runs) }
	flags := c.Flags()
	flags.StringVar(&f.policy, "policy", "", "policy `FILE` (required)")
	flags.StringVar(&f.markdown, "markdown", "",
		"write the decision to `FILE` too, as a comment for a pull request")
	flags.StringVar(&f.junit, "junit", "", "write the decision to `FILE` too, as JUnit XML")
	githubFlag(c, &f.github)
	_ = c.MarkFlagFilename("policy", "yaml", "yml")
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
	c := &cobra.Command{Use: "init", Short: "Write a first policy"}
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := writeNewPrivateFile(out, gate.StarterPolicy); err != nil {
			return err
		}
		_, err := fmt.Fprintln(c.OutOrStdout(), printable.Clean(out))
		return err
	}
	c.Flags().StringVarP(&out, "out", "o", "gate.yaml",
		"the `FILE` to write; an existing one is left alone")
	return c
}
