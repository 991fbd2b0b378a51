package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/load"
	"github.com/gateassay/gateassay/load/merge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/store"
	"github.com/gateassay/gateassay/suites/doctor"
)

// shardFlags are those of a run that several processes send together.
type shardFlags struct {
	shard, runID string
	timeout      time.Duration
}

func (s *shardFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&s.shard, "shard", "",
		"send only shard `I/N` of the plan, counted from 0, to a folder in --out, which all shards share; shard 0 merges them")
	flags.StringVar(&s.runID, "run-id", "",
		"`ID` of the run: the same for all its shards, and never used before on this deployment")
	readyFlag(c, &s.timeout)
}

// readyFlag defines --ready-timeout.
func readyFlag(c *cobra.Command, timeout *time.Duration) {
	*timeout = 5 * time.Minute
	checked(c, timeout, "ready-timeout", "`DURATION` that shards wait for each other before they begin (default 5m)",
		"a duration of at most 1h", lasting(time.Millisecond, time.Hour))
}

// apply makes the plan that of the shard, and puts what the flags say into the options.
func (s *shardFlags) apply(f *loadFlags, o *load.Options) (err error) {
	shards := 1
	if s.runID != "" {
		if err = plan.CheckRunID(s.runID); err != nil {
			return fmt.Errorf("--run-id: %w", err)
		}
	}
	if s.shard != "" {
		if o.Shard, shards, err = plan.ParseShard(s.shard); err != nil {
			return fmt.Errorf("--shard: %w", err)
		}
	}
	o.RunID, o.Plan = s.runID, o.Plan.WithShards(shards)
	switch {
	case shards == 1:
		return nil
	case f.file == "":
		return errors.New("--shard: each shard would start an embedded gateway of its own; point all at one with --deployment " +
			"(gateassay serve starts one)")
	case f.out == "":
		return errors.New("--shard: add --out, a folder or a bucket that all shards see")
	}
	o.Meeting = load.Meeting{Place: f.out, Timeout: s.timeout}
	o.Out = store.Join(f.out, strconv.Itoa(o.Shard))
	return nil
}

// mergeShards merges and prints what came out. Its exit code is that of the whole run.
func mergeShards(c *cobra.Command, o merge.Options) error {
	o.Version, o.Command, o.Render = version(), commandLine(os.Args), writeReports
	var none *doctor.Obstacle
	return record(c, o.Out, &none, func(out string) (load.Result, error) {
		o.Out = out
		return merge.Merge(c.Context(), o)
	})
}

func loadMergeCommand() *cobra.Command {
	var o merge.Options
	c := &cobra.Command{
		Use:   "merge FOLDER...",
		Short: "Merge the shards of a run, sent by several processes",
		Long: `merge reads what the shards of one run recorded (load run --shard) and writes the run as one
process would have recorded it, as shard 0 does when all have ended. A FOLDER is a shard's folder,
one that holds several of them, or the URL of one in a bucket (s3://, gs://, azblob://).

Shards must be of one plan, seed, run ID, deployment, start and version, each given once; otherwise
the exit code is 2. Where a shard is missing, was killed or stopped, there is no verdict (3), and
the result says which part of the schedule is known. While a shard still writes, nothing is merged.`,
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
