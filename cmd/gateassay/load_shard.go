package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/load/driver"
	"github.com/gateassay/gateassay/load/merge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/store"
)

// shardFlags are those of a run that several processes send together.
type shardFlags struct {
	shard, runID, startAt, rendezvous, merge string
	timeout                                  time.Duration
}

func (s *shardFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&s.shard, "shard", "",
		"send only shard `I/N` of the plan, counted from 0; gateassay load merge puts them together")
	flags.StringVar(&s.runID, "run-id", "",
		"`ID` of the run: the same for all its shards, and never used before on this deployment")
	flags.StringVar(&s.startAt, "start-at", "",
		"begin at `TIME`, such as 2026-05-01T12:00:00Z, or +30s for a run without shards")
	flags.StringVar(&s.rendezvous, "rendezvous", "",
		"begin once all shards are ready, in a `FOLDER` or bucket (URL) that all of them see")
	flags.DurationVar(&s.timeout, "rendezvous-timeout", 2*time.Minute, "how long to wait there for the others")
	flags.StringVar(&s.merge, "merge", "",
		"shard 0 waits for the others, beside its --out, and merges them into `FOLDER`; its exit code is that of the "+
			"whole run")
}

// apply gives the plan as that of the shard, and puts what the flags say into the options.
func (s *shardFlags) apply(f *loadFlags, p *plan.Plan, o *driver.Options) error {
	shards := 1
	if s.shard != "" {
		var err error
		if o.Shard, shards, err = plan.ParseShard(s.shard); err != nil {
			return fmt.Errorf("--shard: %w", err)
		}
	}
	if shards > 1 && f.file == "" {
		return errors.New(
			"--shard: each shard would start an embedded gateway of its own; point all at one with --deployment " +
				"(gateassay serve starts one)")
	}
	if s.merge != "" && (shards < 2 || f.out == "") {
		return errors.New(
			"--merge: shard 0 looks for the other shards in the folders beside its own: add --shard I/N " +
				"and --out FOLDER/I")
	}
	if s.runID != "" {
		if err := plan.CheckRunID(s.runID); err != nil {
			return fmt.Errorf("--run-id: %w", err)
		}
	}
	if s.startAt != "" {
		at, relative, err := plan.ParseStart(s.startAt, time.Now())
		if err != nil {
			return fmt.Errorf("--start-at: %w", err)
		}
		if relative && shards > 1 {
			return fmt.Errorf(
				"--start-at: %s would count from each shard's own start; give all shards the same time, such as %s", s.startAt,
				at.UTC().Format(time.RFC3339))
		}
		o.StartAt = at
	}
	if s.timeout <= 0 {
		return fmt.Errorf("--rendezvous-timeout: expected a duration such as 2m, found %s", s.timeout)
	}
	o.RunID = s.runID
	o.Rendezvous = driver.Rendezvous{Place: s.rendezvous, Timeout: s.timeout}
	o.Plan = p.WithShards(shards)
	return nil
}

// together merges the run when this is shard 0 and --merge asks for it; false: it is not.
func (s *shardFlags) together(c *cobra.Command, f loadFlags, o driver.Options) (merged bool, err error) {
	if s.merge == "" || o.Shard != 0 || c.Context().Err() != nil {
		return false, nil
	}
	return true, mergeShards(c, merge.Options{
		Places: []string{store.Join(f.out, "..")}, Out: s.merge, Wait: true, Shards: o.Plan.Shards,
	})
}
