package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is what the module system knows of this build: a tag, or the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	text := "devel"
	if revision := settings["vcs.revision"]; revision != "" {
		text += "-" + revision[:min(12, len(revision))]
	}
	if settings["vcs.modified"] == "true" {
		text += "+changes"
	}
	return text
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run: func(c *cobra.Command, _ []string) {
			fmt.Fprintf(c.OutOrStdout(), "gateassay %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS,
				runtime.GOARCH)
		},
	}
}
