package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/store"
	"github.com/gateassay/gateassay/load/watch"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/live"
)

func loadWatchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "watch FOLDER|URL",
		Short: "Watch a run that several processes send as one",
		Long: `watch reads what the shards of a run record and shows the sum of it each second, as load run shows its
own: rates, times of all requests together, answers. FOLDER holds the folders of the shards. A shard that stopped
writing before its end is named as lost. A URL names a folder in a bucket, where figures are some seconds old. watch
ends when no shard is writing: exit code 0 when all finished, 3 otherwise, 2 where nothing is recorded within ten
minutes. It only reads.`,
		Example: `  gateassay load watch /results/release-7
  gateassay load watch s3://bucket/load/release-7`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o := watch.Options{Path: args[0], View: display(c.ErrOrStderr(), false, live.New)}
			if store.Is(o.Path) { // a copy of what lies there is read
				m, err := store.NewMirror(c.Context(), o.Path)
				if err != nil {
					return usageError{err}
				}
				defer func() { _ = m.Close() }()
				o.Path, o.Refresh, o.Silence, o.Name = m.Folder, m.Sync, store.Silence, m.Place
			}
			end, err := watch.Watch(c.Context(), o)
			switch {
			case c.Context().Err() != nil:
				return exitCode(130)
			case err != nil:
				return usageError{err}
			}
			return watched(c, end, args[0])
		},
	}
}

// watched says how the shards ended, and what to do next.
func watched(c *cobra.Command, end watch.Ending, path string) error {
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%d of %d shards finished\n", end.Ended, end.Shards)
	if len(end.Lost) > 0 {
		fmt.Fprintf(out, "lost: %s\n", results.Numbers(end.Lost))
	}
	if len(end.Absent) > 0 {
		fmt.Fprintf(out, "without a record: %s\n", results.Numbers(end.Absent))
	}
	if end.Shards > 1 {
		fmt.Fprintf(out, "gateassay load merge %s makes one run out of them\n", digest.Quote(path))
	}
	if end.Ended < end.Shards {
		return exitCode(3)
	}
	return nil
}
