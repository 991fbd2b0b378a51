package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/load/driver"
	"github.com/gateassay/gateassay/load/merge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/store"
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
	durationFlag(c, timeout, "ready-timeout", 5*time.Minute, time.Millisecond, time.Hour, "a duration of at most 1h",
		"how long shards wait for each other before they begin")
}

// apply gives the plan as that of the shard, and puts what the flags say into the options.
func (s *shardFlags) apply(f *loadFlags, p *plan.Plan, o *driver.Options) error {
	if s.runID != "" {
		if err := plan.CheckRunID(s.runID); err != nil {
			return fmt.Errorf("--run-id: %w", err)
		}
	}
	shards := 1
	if s.shard != "" {
		var err error
		if o.Shard, shards, err = plan.ParseShard(s.shard); err != nil {
			return fmt.Errorf("--shard: %w", err)
		}
	}
	o.RunID, o.Plan = s.runID, p.WithShards(shards)
	switch {
	case shards == 1:
		return nil
	case f.file == "":
		return errors.New("--shard: each shard would start an embedded gateway of its own; point all at one with --deployment " +
			"(gateassay serve starts one)")
	case f.out == "":
		return errors.New("--shard: add --out, a folder or a bucket that all shards see")
	}
	o.Meeting = driver.Meeting{Place: f.out, Timeout: s.timeout}
	o.Out = store.Join(f.out, strconv.Itoa(o.Shard))
	return nil
}

// together merges the run when this is shard 0 of several; false: it is not.
func (s *shardFlags) together(c *cobra.Command, f loadFlags, o driver.Options) (merged bool, err error) {
	if o.Plan.Shards < 2 || o.Shard != 0 || c.Context().Err() != nil {
		return false, nil
	}
	return true, mergeShards(c, merge.Options{
		Places: []string{f.out}, Out: store.Join(f.out, "merged"), Shards: o.Plan.Shards,
	})
}
