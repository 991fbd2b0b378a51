package main

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// formatFlag defines --format for a command with some forms of output; the first is the one without the flag.
func formatFlag(c *cobra.Command, format *string, forms ...string) {
	words := strings.Join(forms, ", ")
	expected := "one of " + words
	if len(forms) == 3 {
		words = forms[0] + ", " + forms[1] + " or " + forms[2]
		expected = words
	}
	c.Flags().StringVar(format, "format", forms[0], words)
	choices(c, "format", forms...)
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if !slices.Contains(forms, *format) {
			return misuse("--format: expected %s, found %q", expected, *format)
		}
		return run(c, args)
	}
}

// printAs prints a result in the form that --format names: table, json (the value itself) or markdown.
func printAs(w io.Writer, format string, value any, table, markdown func() string) error {
	switch format {
	case "json":
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(value)
	case "markdown":
		table = markdown
	}
	_, err := io.WriteString(w, table())
	return err
}
