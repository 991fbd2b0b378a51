// Package merge makes one run of what the shards of a plan recorded, each on a machine of its own.
package merge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/driver"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
)

// Options say what to merge.
type Options struct {
	Places  []string // of shards, or that hold some: folders, or URLs of buckets
	Out     string   // folder of the merged run; empty: reports/runs/<UTC time>-load-merged
	Version string
	Command string
	Wait    bool          // until no shard writes any more; otherwise one that does is an error
	Shards  int           // with Wait: how many there are to be; 0: those that are there
	Silence time.Duration // after which a shard that did not come to its end was killed; 0: 10 s
	// Render writes what people read into the folder of the run; nil: nothing is rendered.
	Render func(folder string) error
}

// Merge reads the records of shards, holds them against each other, and writes one run. A *driver.UsageError means that
// they do not make one; nothing is written then. Shards without a record are not an error: they are in the run as
// missing.
func Merge(ctx context.Context, o Options) (driver.Result, error) {
	records, done, err := o.collect(ctx)
	defer done()
	if err != nil {
		return driver.Result{}, &driver.UsageError{Err: err}
	}
	to, err := o.prepare(records)
	if err == nil {
		to.Dir, err = runfolder.Create(o.Out, "load-merged", time.Now())
	}
	if err != nil {
		return driver.Result{}, &driver.UsageError{Err: err}
	}
	merged, err := results.Merge(to)
	if merged.Schema == "" {
		return driver.Result{}, err
	}
	errs := []error{err}
	if o.Render != nil {
		errs = append(errs, o.Render(to.Dir))
	}
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	return driver.Result{Run: merged, Folder: to.Dir, Errors: errs}, nil
}

// prepare reads records and reports whether they are of one run, each shard once.
func (o Options) prepare(records []record) (to results.MergeOptions, err error) {
	var versions []string
	for _, r := range records {
		s, err := results.ReadShard(r.dir)
		switch {
		case errors.Is(err, results.ErrEmpty):
			to.Notes = append(to.Notes, r.name+" holds no record of a shard: it was killed before it began to write one")
			continue
		case err != nil:
			return to, fmt.Errorf("%s cannot be merged: %w", r.name, err)
		case s.Info.Merged && !r.given:
			continue // it was written beside the shards
		}
		if s.Name = r.name; !slices.Contains(versions, s.Info.Version) {
			versions = append(versions, s.Info.Version)
		}
		to.Shards = append(to.Shards, s)
	}
	if len(to.Shards) == 0 {
		return to, fmt.Errorf("%s: no record of a shard in any of them", strings.Join(o.Places, ", "))
	}
	if len(versions) > 1 {
		to.Notes = append(to.Notes, "the shards come from different versions of gateassay, which may send different "+
			"requests: "+strings.Join(versions, ", "))
	}
	if err := oneRun(to.Shards); err != nil {
		return to, err
	}
	first := to.Shards[0]
	p, err := plan.Decode(first.Plan)
	if err == nil && (p.Shards != first.Info.Shards || p.RunID != first.Info.ID || p.Seed != first.Info.Seed) {
		err = errors.New("it is damaged: its header does not match the plan in it")
	}
	if err == nil {
		to.Schedule, err = p.Schedule()
	}
	if err != nil {
		return to, fmt.Errorf("%s: %w", first.Name, err)
	}
	to.Info = results.Info{
		ID: first.Info.ID, Deployment: first.Info.Deployment, BaseURL: first.Info.BaseURL, Seed: first.Info.Seed,
		StartedAt: first.Info.StartedAt, Version: o.Version, Command: o.Command, File: first.Info.File,
		PlanHash: first.Info.PlanHash, Engine: first.Info.Engine, Shards: first.Info.Shards, Merged: true,
	}
	for _, s := range to.Shards { // whoever began knows the start
		if s.Began() {
			to.Info.StartedAt = s.Start
		}
	}
	return to, nil
}

// oneRun names both folders and what differs where records are not of one run.
func oneRun(shards []*results.ShardRecord) error {
	first, names := shards[0], map[int]string{}
	var began *results.ShardRecord
	for _, s := range shards {
		switch {
		case s.Info.Merged:
			return fmt.Errorf("%s is already a merged run; give the folders of the shards themselves", s.Name)
		case s.Info.Shards < 2:
			return fmt.Errorf("%s is a whole run, sent by one process; there is nothing to merge", s.Name)
		}
		for _, k := range []struct {
			key  string
			a, b any
		}{
			{"run.id", first.Info.ID, s.Info.ID},
			{"run.deployment", first.Info.Deployment, s.Info.Deployment},
			{"run.base_url", first.Info.BaseURL, s.Info.BaseURL},
			{"run.seed", first.Info.Seed, s.Info.Seed},
			{"run.shards", first.Info.Shards, s.Info.Shards},
		} {
			if k.a != k.b {
				return differ(first, s, k.key, k.a, k.b)
			}
		}
		if all := plan.Differences(first.Plan, s.Plan); first.Info.PlanHash != s.Info.PlanHash && len(all) > 0 {
			return differ(first, s, "plan."+all[0].Key, json.RawMessage(all[0].Before), json.RawMessage(all[0].After))
		} else if first.Info.PlanHash != s.Info.PlanHash {
			return differ(first, s, "run.plan_hash", first.Info.PlanHash, s.Info.PlanHash)
		}
		if other, twice := names[s.Info.Shard]; twice {
			return fmt.Errorf("%s and %s are both shard %d (run.shard); give each shard once", other, s.Name, s.Info.Shard)
		}
		names[s.Info.Shard] = s.Name
		if s.Began() {
			if began == nil {
				began = s
			}
			if !began.Start.Equal(s.Start) {
				return differ(began, s, "the start", began.Start, s.Start)
			}
		}
	}
	return nil
}

func differ(a, b *results.ShardRecord, key string, x, y any) error {
	return fmt.Errorf("%s and %s belong to different runs: %s is %s in the first and %s in the second",
		a.Name, b.Name, key, words(x), words(y))
}

func words(v any) string {
	data, err := json.Marshal(v)
	if err != nil { // of a key that is not there
		return "absent"
	}
	return printable.Clip(printable.Clean(string(data)), 120)
}
