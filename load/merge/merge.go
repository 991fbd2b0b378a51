// Package merge makes one run of what the shards of a plan recorded, each on a machine of its own.
package merge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/load/driver"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
)

// Options say what to merge.
type Options struct {
	Paths   []string // folders of shards, archives of them, or folders that hold some
	Out     string   // folder of the merged run; empty: reports/runs/<UTC time>-load-merged
	Version string
	Command string
	Wait    bool                            // until no shard writes any more; otherwise one that does is an error
	Refresh func(ctx context.Context) error // brings what Paths hold up to date before each look; nil: it is
	Name    func(path string) string        // what messages and the merged run call a path; nil: itself
	// writes what people read into the folder of the run; nil: nothing is rendered
	Render  func(folder string) error
	Silence time.Duration // after which a shard that did not come to its end was killed; 0: 8 s
}

// Result is a merged run.
type Result struct {
	Run    results.Run
	Folder string
	Errors []error // what could not be written; the run itself is whole
}

// ExitCode is that of the command: as that of a run that one process sent, and 3 where anything is missing.
func (r Result) ExitCode() int { return driver.Result{Run: r.Run, Errors: r.Errors}.ExitCode() }

// Merge reads the records of shards, holds them against each other, and writes one run. A *driver.UsageError means that
// they do not make one; nothing is written then. Shards without a record are not an error: they are in the run as
// missing.
func Merge(ctx context.Context, o Options) (Result, error) {
	usage := func(err error) (Result, error) { return Result{}, &driver.UsageError{Err: err} }
	if o.Name == nil {
		o.Name = func(path string) string { return path }
	}
	if o.Refresh == nil {
		o.Refresh = func(context.Context) error { return nil }
	}
	if o.Render == nil {
		o.Render = func(string) error { return nil }
	}
	paths, err := settled(ctx, o)
	if err != nil {
		return usage(err)
	}
	var shards []*results.ShardRecord
	var notes []string
	for _, path := range paths {
		dir, done, err := archive.Open(path)
		if err != nil {
			return usage(err)
		}
		defer done()
		name := o.Name(path)
		s, err := open(name, dir)
		if errors.Is(err, errNothing) {
			notes = append(notes, fmt.Sprintf("%s holds no record of a shard: it was killed before it began to "+
				"write one", name))
			continue
		}
		if err != nil {
			return usage(err)
		}
		shards = append(shards, s)
	}
	if len(shards) == 0 {
		var names []string
		for _, path := range o.Paths {
			names = append(names, o.Name(path))
		}
		return usage(fmt.Errorf("%s: no record of a shard in any of them", strings.Join(names, ", ")))
	}
	if err := oneRun(shards); err != nil {
		return usage(err)
	}
	p, err := plan.Decode(shards[0].Plan)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", shards[0].Name, err))
	}
	if info := shards[0].Info; p.Shards != info.Shards || p.RunID != info.ID || p.Seed != info.Seed {
		return usage(fmt.Errorf("%s is damaged: its header does not match the plan in it", shards[0].Name))
	}
	schedule, err := p.Schedule()
	if err != nil {
		return usage(fmt.Errorf("%s: %w", shards[0].Name, err))
	}
	folder, publish, err := place(o.Out, shards[0].Info)
	if err != nil {
		return usage(err)
	}
	merged, err := results.Merge(results.MergeOptions{
		Dir: folder, Info: common(shards, o), Schedule: schedule, Shards: shards,
		Notes: append(notes, versions(shards)...),
	})
	if merged.Schema == "" {
		return Result{}, err
	}
	errs := []error{err, o.Render(folder)}
	folder, err = publish()
	r := Result{Run: merged, Folder: folder}
	r.Errors = slices.DeleteFunc(append(errs, err), func(err error) bool { return err == nil })
	return r, nil
}

// common is what the merged run says of itself.
func common(shards []*results.ShardRecord, o Options) results.Info {
	info := shards[0].Info
	for _, s := range shards { // whoever began knows the start
		if s.Began() {
			info.StartedAt = s.Start
			break
		}
	}
	info.Shard, info.Merged, info.Partial, info.Aborted, info.Requests = 0, true, false, "", 0
	info.FinishedAt = time.Time{}
	info.Command, info.Version = o.Command, o.Version
	return info
}

// versions notes shards that different versions sent.
func versions(shards []*results.ShardRecord) []string {
	var all []string
	for _, s := range shards {
		if !slices.Contains(all, s.Info.Version) {
			all = append(all, s.Info.Version)
		}
	}
	if len(all) == 1 {
		return nil
	}
	return []string{"the shards come from different versions of gateassay, which may send different requests: " +
		strings.Join(all, ", ")}
}
