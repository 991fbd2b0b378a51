package cmd

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// buildVersion returns the tag or commit of the build from the module information.
func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return strings.Trim(info.Main.Version, "()") // it is also sent in a header
	}
	return "unknown"
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version",
		Run: func(c *cobra.Command, _ []string) {
			fmt.Fprintf(c.OutOrStdout(), "gateassay %s %s %s/%s\n", buildVersion(), runtime.Version(),
				runtime.GOOS, runtime.GOARCH)
		},
	}
}

func manCommand() *cobra.Command {
	var out string
	c := &cobra.Command{Use: "man", Short: "Write the manual pages of all commands"}
	c.RunE = func(c *cobra.Command, _ []string) error {
		c.Root().DisableAutoGenTag = true // its date would differ between builds
		// otherwise <text> is taken for a tag
		eachCommand(c.Root(), func(c *cobra.Command) {
			c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "<", `\<`) })
		})
		err := os.MkdirAll(out, 0o755)
		if err == nil {
			err = doc.GenManTree(c.Root(), &doc.GenManHeader{Title: "GATEASSAY", Section: "1"}, out)
		}
		if err != nil {
			return usageErrorf("--out: %w", err)
		}
		_, err = fmt.Fprintln(c.OutOrStdout(), out)
		return err
	}
	c.Flags().StringVar(&out, "out", ".", "`DIR` to write to")
	return c
}
