package results

import (
	"cmp"
	"maps"
	"slices"
)

// beside takes in what an interval of a shard holds beside its times.
func (b *bundle) beside(i *interval) {
	sum(&b.i.Statuses, i.Statuses)
	b.i.Slow = slowest(append(b.i.Slow, i.Slow...))
	b.i.want = b.i.most(i.want)
	for _, u := range i.Users {
		if b.users[u.Identity] == nil {
			b.users[u.Identity] = &userTotals{}
		}
		b.users[u.Identity].add(u)
	}
}

// besides writes it down.
func (b *bundle) besides() {
	for _, n := range slices.Sorted(maps.Keys(b.users)) {
		u := b.users[n]
		b.i.Users = append(b.i.Users, user{Identity: n, Classes: u.classes, HDR: b.encoder.Encode(&u.response)})
	}
	for len(b.stalls) > 0 && int64((b.stalls[0].FromMS+b.stalls[0].MS)*1e6) <= b.i.ToNS {
		b.i.Stalls, b.stalls = append(b.i.Stalls, b.stalls[0]), b.stalls[1:]
	}
}

// commonStalls are the stretches in which no shard had an answer.
func commonStalls(shards []*ShardRecord) []Stall {
	if len(shards) == 0 {
		return nil
	}
	common := shards[0].reading.totals.stalls
	for _, s := range shards[1:] {
		var both []Stall
		for _, a := range common {
			for _, b := range s.reading.totals.stalls {
				from, to := max(a.FromMS, b.FromMS), min(a.FromMS+a.MS, b.FromMS+b.MS)
				if to-from >= millis(shortestStall) {
					both = append(both, Stall{
						FromMS: from, MS: to - from, Waited: a.Waited + b.Waited,
						Failed: a.Failed + b.Failed, Open: a.Open && b.Open,
					})
				}
			}
		}
		common = both
	}
	return slices.SortedFunc(slices.Values(common), func(a, b Stall) int { return cmp.Compare(a.FromMS, b.FromMS) })
}
