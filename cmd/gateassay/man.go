package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func manCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     "man",
		Short:   "Write the manual pages of all commands",
		Long:    "man writes a manual page for each command into a folder, for man to read.",
		Example: "  gateassay man --out /usr/local/share/man/man1",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := os.MkdirAll(out, 0o755); err != nil {
				return misuse("--out: %w", err)
			}
			c.Root().DisableAutoGenTag = true // its date would make two builds differ
			if err := doc.GenManTree(c.Root(), &doc.GenManHeader{Title: "GATEASSAY", Section: "1"}, out); err != nil {
				return misuse("--out: %w", err)
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), out)
			return err
		},
	}
	c.Flags().StringVar(&out, "out", ".", "`DIR` to write to")
	return c
}
