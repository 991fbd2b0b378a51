package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
)

// showFlags are the flags of report show.
type showFlags struct {
	verbose     bool
	format, out string
}

func reportShowCommand() *cobra.Command {
	var f showFlags
	c := &cobra.Command{
		Use:   "show RUN",
		Short: "Print the report of a recorded run again, or render one of its files",
		Long: `show prints what a run found. With --format it renders the file that the run wrote, or would have
written had it not been killed: markdown is summary.md, json run.json, html report.html, junit junit.xml. All of it
comes from the record; the run's folder is left as it is.

Exit codes: 0 the run was shown, whatever its verdict; 2 there is no run that can be read, or it has no such file.`,
		Example: `  gateassay report show reports/runs/20261121T084529Z-conform
  gateassay report show run.zip --verbose
  gateassay report show killed/ --format html --out report.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return show(c, args[0], f) },
	}
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "shorten nothing, and list passed rules too")
	formatFlag(c, &f.format, "text", string(derived.Markdown), string(derived.JSON), string(derived.HTML),
		string(derived.JUnit))
	outFlag(c, &f.out)
	return c
}

func show(c *cobra.Command, path string, f showFlags) error {
	run, err := recorded.Open(path)
	if err != nil {
		return usageError{advised(path, err)}
	}
	defer run.Close()
	stdout := c.OutOrStdout()
	var data []byte
	if f.format == "text" {
		data, err = asText(run, f, stdout)
	} else {
		data, err = derived.Render(run, derived.Format(f.format))
	}
	switch {
	case errors.Is(err, derived.ErrNone):
		forms := strings.ReplaceAll(strings.Trim(fmt.Sprint(derived.Formats(run.Kind)), "[]"), " ", ", ")
		return misuse("--format %s: not available for a %s run; expected one of text, %s", f.format, run.Kind, forms)
	case errors.As(err, new(*fs.PathError)): // of a file of the run, which may be a stranger's
		return misuse("the report could not be made: %s", strings.ReplaceAll(err.Error(), run.Dir, path))
	case err != nil:
		return fmt.Errorf("the report could not be made: %w", err)
	}
	head := run.Head()
	return emit(stdout, f.out, data, head.Verdict, head.Reason)
}

// asText is the report as the command of the run printed it, plain where it goes to a file.
func asText(run recorded.Run, f showFlags, stdout io.Writer) ([]byte, error) {
	var text strings.Builder
	var err error
	style := styleOf(stdout)
	style.Colour = style.Colour && f.out == ""
	style.Folder, style.Whole = run.Path, f.verbose
	if run.Kind == recorded.OfConformance {
		err = conformance.Print(&text, run.Conformance, conformance.Style{Style: style})
	} else {
		err = view.WriteText(&text, derived.View(run), style)
	}
	return []byte(text.String()), err
}

// advised says of a folder that is not that of a run what shows the runs in it.
func advised(path string, err error) error {
	if info, statErr := os.Stat(path); statErr == nil && info.IsDir() && !holdsRun(path) {
		return fmt.Errorf("%w; gateassay report serve %s shows the runs below a folder", err, digest.Quote(path))
	}
	return err
}

// holdsRun reports whether a folder holds the record of a run.
func holdsRun(folder string) bool {
	return slices.ContainsFunc(runfolder.Records(), func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return err == nil
	})
}
