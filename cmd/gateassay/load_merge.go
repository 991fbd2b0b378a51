package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/load/merge"
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/reports/loadreport"
)

func loadMergeCommand() *cobra.Command {
	var o merge.Options
	c := &cobra.Command{
		Use:   "merge FOLDER...",
		Short: "Merge the shards of a run, sent by several processes",
		Long: `merge reads what the shards of one run recorded (load run --shard) and writes the run as one process would have
recorded it. A FOLDER is a shard's folder, one that holds several of them, or the URL of one in a bucket (s3://, gs://, azblob://).

Shards must be of one plan, seed, run ID, deployment and start, each given once; otherwise the exit code is 2. Where a shard is
missing, was killed or stopped, there is no verdict (3), and the result says which part of the schedule is known. A shard that is
still writing is not merged: --wait waits for it.`,
		Example: `  gateassay load merge /results/0 /results/1 /results/2 /results/3
  gateassay load merge /results --out /results/merged
  gateassay load merge --wait /results --out /results/merged`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.Places = args
			return mergeShards(c, o)
		},
	}
	c.Flags().StringVar(&o.Out, "out", "",
		"`FOLDER` or bucket (URL) for the merged run (default reports/runs/<UTC time>-load-merged)")
	c.Flags().BoolVar(&o.Wait, "wait", false, "wait until every shard has ended or was killed")
	return c
}

// mergeShards merges and prints what came out. Its exit code is that of the whole run.
func mergeShards(c *cobra.Command, o merge.Options) error {
	o.Version, o.Command, o.Render = version(), commandLine(os.Args), derived.Files
	finish, err := kept(c.Context(), &o.Out)
	if err != nil {
		return err
	}
	result, err := merge.Merge(c.Context(), o)
	place, failed := finish(c.Context(), result.Folder)
	if err != nil && c.Context().Err() != nil {
		fmt.Fprintln(c.ErrOrStderr(), "gateassay: "+err.Error())
		return exitCode(130)
	}
	if err != nil {
		return refusal(err)
	}
	result.Errors = append(result.Errors, failed...)
	complain(c.ErrOrStderr(), result.Errors...)
	report := loadreport.Run(result.Run, loadreport.Data{})
	if err := printResult(c, nil, place, result.ExitCode(), report); err != nil {
		return err
	}
	return ending(result.ExitCode())
}
