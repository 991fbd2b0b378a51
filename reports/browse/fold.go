package browse

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/recorded"
)

// shards are one run of load that several processes sent.
type shards struct {
	id, deployment string
	of             int
}

// fold puts the shards of a run under what they were merged to, each a run by itself else: under the latest merge, or,
// where there is none, under the first of them, which then stands for all.
func fold(list []Run) []Run {
	parts, merges := map[shards][]Run{}, map[shards]int{}
	var folded []Run
	for _, r := range list {
		switch {
		case r.Kind != recorded.OfLoad || r.Shards < 2:
			folded = append(folded, r)
		case r.Merged:
			if _, known := merges[r.of()]; !known { // the latest comes first
				merges[r.of()] = len(folded)
			}
			folded = append(folded, r)
		default:
			parts[r.of()] = append(parts[r.of()], r)
		}
	}
	for of, all := range parts {
		slices.SortFunc(all,
			func(a, b Run) int { return cmp.Or(cmp.Compare(a.Shard, b.Shard), cmp.Compare(a.Path, b.Path)) })
		if at, merged := merges[of]; merged {
			folded[at].Parts = all
			continue
		}
		folded = append(folded, unmerged(all))
	}
	slices.SortStableFunc(folded,
		func(a, b Run) int { return cmp.Or(b.at().Compare(a.at()), cmp.Compare(a.Path, b.Path)) })
	return folded
}

func (r Run) of() shards { return shards{r.ID, r.Deployment, r.Shards} }

// unmerged stands for shards that nobody merged yet. No figure of one shard is that of the run.
func unmerged(all []Run) Run {
	r := all[0]
	r.Parts, r.Partial, r.Verdict = all, true, "inconclusive"
	r.Reason = fmt.Sprintf("%d of %d shards are here, not merged yet: gateassay load merge %s",
		len(all), r.Shards, printable.Clean(path.Dir(r.Path)))
	r.Thresholds = nil
	for i, p := range all {
		if i > 0 {
			r.Requests.Sent += p.Requests.Sent
			r.Rate.Target, r.Rate.Achieved = r.Rate.Target+p.Rate.Target, r.Rate.Achieved+p.Rate.Achieved
		}
	}
	return r
}
