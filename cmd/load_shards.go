package cmd

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/internal/store"
	"github.com/gateassay/gateassay/load"
	"github.com/gateassay/gateassay/load/merge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/suites/doctor"
)

// addShardFlags defines the flags of a run that several processes send together.
func (f *loadFlags) addShardFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.shard, "shard", "",
		"send only shard `I/N` of the plan, counted from 0, to a folder in --out, which all shards "+
			"share; shard 0 merges them")
	flags.StringVar(&f.RunID, "run-id", "",
		"`ID` of the run: the same for all its shards, and never used before on this deployment")
	readyFlag(c, &f.Meeting.Timeout)
}

func readyFlag(c *cobra.Command, timeout *time.Duration) {
	*timeout = 5 * time.Minute
	durationFlag(c, timeout, "ready-timeout",
		"`DURATION` that shards wait for each other before they begin (default 5m)", time.Millisecond)
}

// applyShard reduces the plan to the shard.
func (f *loadFlags) applyShard() (err error) {
	shards := 1
	if f.RunID != "" {
		if err = plan.CheckRunID(f.RunID); err != nil {
			return fmt.Errorf("--run-id: %w", err)
		}
	}
	if f.shard != "" {
		if f.Shard, shards, err = plan.ParseShard(f.shard); err != nil {
			return fmt.Errorf("--shard: %w", err)
		}
	}
	f.Plan = f.Plan.WithShards(shards)
	switch {
	case shards == 1:
		return nil
	case f.File == "":
		return errors.New("--shard: each shard would start its own embedded gateway; point all at one " +
			"with --deployment (gateassay serve starts one)")
	case f.Out == "":
		return errors.New("--shard: add --out, a folder or a bucket that all shards see")
	}
	f.Meeting.Place, f.Out = f.Out, store.JoinPlace(f.Out, strconv.Itoa(f.Shard))
	return nil
}

// mergeShards merges shards and prints the result. The exit code is that of the whole run.
func mergeShards(c *cobra.Command, o merge.Options) error {
	o.Version, o.Command, o.Render = buildVersion(), commandLine(os.Args), writeReports
	return runAndPrint(c, o.Buckets, o.Out, func(out string) (load.Result, *doctor.Obstacle, error) {
		o.Out = out
		r, err := merge.Merge(c.Context(), o)
		return r, nil, err
	})
}

func loadMergeCommand(extensions Extensions) *cobra.Command {
	o := merge.Options{Buckets: extensions.Buckets}
	c := &cobra.Command{
		Use: "merge FOLDER...", Args: cobra.MinimumNArgs(1),
		Short: "Merge the shards of a run, sent by several processes",
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.Places = args
		return mergeShards(c, o)
	}
	c.Flags().StringVar(&o.Out, "out", "",
		"`FOLDER` or bucket (URL) for the merged run (default reports/runs/<UTC time>-load-merged)")
	return c
}
