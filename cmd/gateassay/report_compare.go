package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
)

func reportCompareCommand() *cobra.Command {
	var tolerance float64
	var format, out string
	c := &cobra.Command{
		Use:   "compare BEFORE AFTER",
		Short: "Compare two runs, and say whether the second is worse",
		Long: `compare shows how two conformance runs, two load runs or two searches for the capacity differ, and whether the second is
worse by more than the tolerance and by more than noise; docs/compare.md says how that is judged.

Exit codes: 0 not worse, 1 a regression, 2 wrong usage, 3 inconclusive.`,
		Example: `  gateassay report compare last-release/ this-release/
  gateassay report compare base.zip reports/runs/20261121T084529Z-load \
      --tolerance 3%
  gateassay report compare base/ new/ --format html --out compare.html`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			result, err := compared(args[0], args[1], tolerance)
			if err != nil {
				return usageError{err}
			}
			for side, path := range map[*compare.Side]string{&result.Before: args[0], &result.After: args[1]} {
				side.Report = pageOf(path, out)
			}
			if err := printComparison(c, result, format, out); err != nil {
				return err
			}
			return ending(result.ExitCode())
		},
	}
	tolerance = compare.DefaultTolerance
	shareFlag(c, &tolerance, "tolerance", "5%", 10, "differences of load and of capacity below this `SHARE` are not regressions")
	formatFlag(c, &format, "text", "markdown", "json", "html")
	outFlag(c, &out)
	return c
}

func compared(before, after string, tolerance float64) (compare.Result, error) {
	a, err := recorded.Open(before)
	if err != nil {
		return compare.Result{}, advised(before, err)
	}
	defer a.Close()
	b, err := recorded.Open(after)
	if err != nil {
		return compare.Result{}, advised(after, err)
	}
	defer b.Close()
	return compare.Runs(a, b, tolerance)
}

// pageOf is the path of a run's page, for links in the file that is written, or from where the command runs; empty: it
// is not there, such as in an archive.
func pageOf(path, out string) string {
	if filepath.Base(path) == runfolder.RunName {
		path = filepath.Dir(path)
	}
	page := filepath.Join(path, "report.html")
	if _, err := os.Stat(page); err != nil {
		return ""
	}
	from, err := filepath.Abs(filepath.Dir(out))
	whole, wrong := filepath.Abs(page)
	if relative, far := filepath.Rel(from, whole); err == nil && wrong == nil && far == nil {
		return filepath.ToSlash(relative)
	}
	return page
}

func printComparison(c *cobra.Command, r compare.Result, format, out string) error {
	stdout := c.OutOrStdout()
	var data []byte
	var err error
	switch report := compare.Report(r); format {
	case "markdown":
		data = view.WriteMarkdown(report)
	case "json":
		data, err = r.JSON()
	case "html":
		data, err = view.WritePage(report)
	default:
		var text bytes.Buffer
		style := view.Style{}
		if out == "" {
			style = view.Style{Colour: coloured(stdout), Columns: columns(stdout)}
		}
		err = view.WriteText(&text, report, style)
		data = text.Bytes()
	}
	if err != nil {
		return fmt.Errorf("the comparison could not be written: %w", err)
	}
	return emit(stdout, out, data, string(r.Verdict), r.Reason)
}
