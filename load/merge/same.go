package merge

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
)

// oneRun reports whether records are of one run, each shard once. The error names both folders and what differs.
func oneRun(shards []*results.ShardRecord) error {
	for _, s := range shards {
		switch {
		case s.Info.Merged:
			return fmt.Errorf("%s is already a merged run; give the folders of the shards themselves", s.Name)
		case s.Info.Shards < 2:
			return fmt.Errorf("%s is a whole run, sent by one process; there is nothing to merge", s.Name)
		}
	}
	first := shards[0]
	names := map[int]string{}
	for _, s := range shards {
		if err := belongs(first, s); err != nil {
			return err
		}
		if other, twice := names[s.Info.Shard]; twice {
			return fmt.Errorf("%s and %s are both shard %d (run.shard); give each shard once",
				other, s.Name, s.Info.Shard)
		}
		names[s.Info.Shard] = s.Name
	}
	return began(shards)
}

func belongs(a, b *results.ShardRecord) error {
	for _, k := range []struct {
		key  string
		a, b any
	}{
		{"run.id", a.Info.ID, b.Info.ID},
		{"run.deployment", a.Info.Deployment, b.Info.Deployment},
		{"run.base_url", a.Info.BaseURL, b.Info.BaseURL},
		{"run.seed", a.Info.Seed, b.Info.Seed},
		{"run.shards", a.Info.Shards, b.Info.Shards},
	} {
		if k.a != k.b {
			return differ(a, b, k.key, k.a, k.b)
		}
	}
	if a.Info.PlanHash == b.Info.PlanHash {
		return nil
	}
	if all := plan.Differences(a.Plan, b.Plan); len(all) > 0 {
		return differ(a, b, "plan."+all[0].Key, json.RawMessage(all[0].Before), json.RawMessage(all[0].After))
	}
	return differ(a, b, "run.plan_hash", a.Info.PlanHash, b.Info.PlanHash)
}

// began reports whether all shards that sent anything counted from one moment.
func began(shards []*results.ShardRecord) error {
	var first *results.ShardRecord
	for _, s := range shards {
		switch {
		case !s.Began():
		case first == nil:
			first = s
		case !first.Start.Equal(s.Start):
			return differ(first, s, "the start", first.Start.Format(time.RFC3339Nano), s.Start.Format(time.RFC3339Nano))
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
