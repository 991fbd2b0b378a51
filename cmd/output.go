package cmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/reports/view"
)

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func reportStyle(w any) view.Style {
	return view.Style{Colour: terminal.UseColour(isTerminal(w)), Columns: terminalWidth(w)}
}

// listStyle returns the style of a list: complete and, in a pipe, with one line for each entry.
func listStyle(w any) view.Style {
	style := reportStyle(w)
	if style.Whole = true; !isTerminal(w) && os.Getenv("COLUMNS") == "" {
		style.Columns = 0
	}
	return style
}

// terminalWidth returns the columns of a terminal; without one, COLUMNS or 100.
func terminalWidth(w any) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 &&
		columns <= 1000 {
		return columns
	}
	return 100
}

func progressScreen(w io.Writer, quiet bool) terminal.Screen {
	return terminal.Screen{
		Writer: w, Redraws: terminal.IsInteractive(isTerminal(w)),
		Columns: func() int { return terminalWidth(w) },
		Colour:  reportStyle(w).Colour, Quiet: quiet,
	}
}

func printJSON(w io.Writer, value any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(value)
}

// printOrWrite prints a report, or writes it to the file of --out and prints the verdict.
func printOrWrite(stdout io.Writer, out string, data []byte, verdict, reason string) error {
	if out == "" {
		_, err := stdout.Write(data)
		return err
	}
	if err := writeReport(out, data); err != nil {
		return err
	}
	verdict = strings.ToUpper(printable.Clean(verdict)) + "  " + printable.Clean(reason)
	_, err := fmt.Fprintf(stdout, "%s\n%s\n", strings.TrimSpace(verdict), printable.Clean(out))
	return err
}

// writeReports writes the reports of a run into its folder.
func writeReports(folder string) error { return reports.Write(folder) }

// writeReport writes a file that the user named. An error overrides the verdict: exit code 4.
func writeReport(path string, data []byte) error {
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("cannot write it: %w", err)
	}
	return nil
}

// githubFlag defines --github, which is on by default in GitHub Actions.
func githubFlag(c *cobra.Command, on *bool) {
	*on = os.Getenv("GITHUB_ACTIONS") == "true"
	c.Flags().BoolVar(on, "github", *on,
		"annotate the job of GitHub Actions, and write its step summary (default in such a job)")
	c.Flags().Lookup("github").DefValue = "false"
}

// printAnnotations prints annotations, unless they are the output anyway, and appends the summary
// to the step's summary.
func printAnnotations(out io.Writer, format, annotations string, summary []byte) error {
	if format != "github" {
		if _, err := io.WriteString(out, annotations); err != nil {
			return err
		}
	}
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.Write(append(summary, '\n'))
		err = cmp.Or(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("cannot write GITHUB_STEP_SUMMARY: %w", err)
	}
	return nil
}
