package cmd

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// githubFlag defines --github, which a job of GitHub Actions sets by itself.
func githubFlag(c *cobra.Command, on *bool) {
	*on = os.Getenv("GITHUB_ACTIONS") == "true"
	c.Flags().BoolVar(on, "github", *on,
		"annotate the job of GitHub Actions, and write its step summary (default there)")
	c.Flags().Lookup("github").DefValue = "false"
}

// printAnnotations prints annotations, unless they are the output already, and appends a summary to
// that of the job's step.
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
