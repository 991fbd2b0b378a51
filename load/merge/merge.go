// Package merge merges the records of all shards of a plan into one run.
package merge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/store"
	"github.com/gateassay/gateassay/load"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
)

// Options configures a merge.
type Options struct {
	Places  []string // folders or bucket URLs of shards, or that contain shards
	Buckets store.Buckets
	Out     string // folder of the merged run; empty: reports/runs/<UTC time>-load-merged
	Version string
	Command string
	Shards  int                       // to wait for; 0: a running shard is an error
	Silence time.Duration             // a shard silent for so long was killed; 0: 10 s
	Render  func(folder string) error // writes reports, see load.Options; nil: no reports
}

// Merge reads the records of shards and writes one run. It returns a *load.UsageError, and
// writes nothing, if they do not belong together. Shards without a record are missing in the
// run.
func Merge(ctx context.Context, o Options) (load.Result, error) {
	temp, err := os.MkdirTemp("", "gateassay-merge-*")
	if err != nil {
		return load.Result{}, err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	records, err := o.awaitRecords(ctx, temp)
	var of mergeInput
	if err == nil {
		of, err = o.readShards(records)
	}
	folder := ""
	if err == nil {
		folder, err = runfolder.Create(o.Out, "load-merged", time.Now())
	}
	if err != nil {
		return load.Result{}, &load.UsageError{Err: err}
	}
	merged, err := results.Merge(folder, of.info, of.schedule, of.shards, of.notes)
	if merged.Schema == "" {
		return load.Result{}, err
	}
	if o.Render != nil {
		err = errors.Join(err, o.Render(folder))
	}
	return load.Result{Run: merged, Folder: folder, Err: err}, nil
}

type mergeInput struct {
	info     results.RunInfo // what the shards have in common, with the start
	schedule *schedule.Schedule
	shards   []*results.Shard
	notes    []string
}

// readShards reads records. It returns an error unless they are different shards of one run.
func (o Options) readShards(records []shardRecord) (to mergeInput, err error) {
	for _, r := range records {
		s, err := results.ReadShard(r.dir)
		switch {
		case errors.Is(err, results.ErrEmpty):
			to.notes = append(to.notes,
				r.name+" holds no record of a shard: it was killed before it began to write one")
			continue
		case err != nil:
			return to, fmt.Errorf("%s cannot be merged: %w", r.name, err)
		case s.Info.Merged && !r.given:
			continue // a merged run next to the shards
		}
		s.Name = r.name
		to.shards = append(to.shards, s)
	}
	if len(to.shards) == 0 {
		return to, fmt.Errorf("%s: no record of a shard there", strings.Join(o.Places, ", "))
	}
	first := to.shards[0]
	p, err := plan.Decode(first.Plan)
	if err == nil {
		to.schedule, err = p.Schedule()
	}
	if err != nil {
		return to, fmt.Errorf("%s: %w", first.Name, err)
	}
	to.info = first.Info
	to.info.ID, to.info.Shards, to.info.Shard, to.info.Merged = p.RunID, p.Shards, 0, true
	to.info.Aborted, to.info.Version, to.info.Command = "", o.Version, o.Command
	begun := time.Time{} // known to shards that sent a request
	for _, s := range to.shards {
		begun = cmp.Or(begun, s.Start)
	}
	to.info.StartedAt = cmp.Or(begun, to.info.StartedAt)
	return to, checkSameRun(to.shards, begun)
}

func checkSameRun(shards []*results.Shard, begun time.Time) error {
	common := func(s *results.Shard) json.RawMessage {
		data, _ := json.Marshal(map[string]any{ // cannot fail: it was read from JSON
			"plan": json.RawMessage(s.Plan), "deployment": s.Info.Deployment,
			"base_url": s.Info.BaseURL, "start": cmp.Or(s.Start, begun),
			"version": s.Info.Version, // another version may send other requests
		})
		return data
	}
	first, names := shards[0], map[int]string{}
	for _, s := range shards {
		other, twice := names[s.Info.Shard]
		switch differs := exactjson.Differences(common(first), common(s)); {
		case s.Info.Merged:
			return fmt.Errorf("%s is already a merged run; give the folders of its shards", s.Name)
		case s.Info.Shards < 2:
			return fmt.Errorf("%s was sent by one process; there is nothing to merge", s.Name)
		case len(differs) > 0:
			return fmt.Errorf("%s and %s belong to different runs: %s is %s in the first and %s in the "+
				"second", first.Name, s.Name, differs[0].Key, shortValue(differs[0].Before),
				shortValue(differs[0].After))
		case twice:
			return fmt.Errorf("%s and %s are both shard %d (run.shard); give each shard once",
				other, s.Name, s.Info.Shard)
		}
		names[s.Info.Shard] = s.Name
	}
	return nil
}

// shortValue returns a value of a plan as messages show it.
func shortValue(value string) string {
	return printable.Truncate(printable.Clean(cmp.Or(value, "absent")), 120)
}
