package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/load/merge"
	"github.com/gateassay/gateassay/load/store"
	"github.com/gateassay/gateassay/reports/derived"
)

func loadMergeCommand() *cobra.Command {
	var o merge.Options
	c := &cobra.Command{
		Use:   "merge FOLDER...",
		Short: "Merge the shards of a run, sent by several processes",
		Long: `merge reads what the shards of one run recorded (load run --shard) and writes the run as one process would have
recorded it, as shard 0 does when all have ended. A FOLDER is a shard's folder, one that holds several of them, or the URL of one
in a bucket (s3://, gs://, azblob://).

Shards must be of one plan, seed, run ID, deployment, start and version, each given once; otherwise the exit code is 2. Where a shard is
missing, was killed or stopped, there is no verdict (3), and the result says which part of the schedule is known. While a shard is
still writing, nothing is merged.`,
		Example: `  gateassay load merge /results/0 /results/1 /results/2 /results/3
  gateassay load merge /results --out /results/merged`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.Places = args
			return mergeShards(c, o)
		},
	}
	c.Flags().StringVar(&o.Out, "out", "",
		"`FOLDER` or bucket (URL) for the merged run (default reports/runs/<UTC time>-load-merged)")
	return c
}

// mergeShards merges and prints what came out. Its exit code is that of the whole run.
func mergeShards(c *cobra.Command, o merge.Options) error {
	o.Version, o.Command, o.Render = version(), commandLine(os.Args), derived.Files
	place := o.Out
	var finish func(context.Context) error
	var err error
	if o.Out, finish, err = store.Keep(c.Context(), place); err != nil {
		return misuse("--out: %w", err)
	}
	result, err := merge.Merge(c.Context(), o)
	if err != nil && c.Context().Err() != nil {
		fmt.Fprintln(c.ErrOrStderr(), "gateassay: "+err.Error())
		return exitCode(exitStopped)
	}
	if err := kept(c, nil, place, &result, finish, err); err != nil {
		return err
	}
	return ending(result.ExitCode())
}
