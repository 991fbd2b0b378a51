package results

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
)

// move is a request whose class was found out by looking at what other shards saw.
type move struct {
	shardCrossing
	stage    int
	from, to judge.Class
	rule     string
	other    shardCrossing // that makes it so
}

// reconcile judges the requests that carry the same and went out through different shards: one of them may be accepted.
// That two were is certain whatever is missing; that all were blocked needs every record whole.
func reconcile(shards []*ShardRecord, s *schedule.Schedule, whole bool) (CrossingCounts, []move) {
	var all []shardCrossing
	for i, shard := range shards {
		for _, c := range shard.crossed {
			c.shard = i
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b shardCrossing) int { return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.K, b.K)) })
	var counts CrossingCounts
	var moves []move
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Of == all[0].Of {
			n++
		}
		group := all[:n]
		all = all[n:]
		counts.Groups++
		found, judged := settle(group, whole)
		if judged {
			counts.Judged++
		}
		for _, m := range found {
			m.stage = s.StageOf(m.K)
			if m.to == judge.MissedBlock {
				counts.Missed++
			} else {
				counts.False++
			}
			moves = append(moves, m)
		}
	}
	return counts, moves
}

// settle judges requests of one content, in the order of the schedule.
func settle(group []shardCrossing, whole bool) (moves []move, judged bool) {
	var accepted, blocked []shardCrossing
	odd := false
	for _, c := range group {
		switch c.Class {
		case judge.Accepted.String():
			accepted = append(accepted, c)
		case judge.Blocked.String():
			blocked = append(blocked, c)
			odd = odd || c.Odd
		}
	}
	switch {
	case len(accepted) > 1:
		for _, c := range accepted[1:] {
			m := move{
				shardCrossing: c, from: judge.Accepted, to: judge.MissedBlock,
				rule: "replay." + c.Mode + ".same", other: accepted[0],
			}
			if time.Duration(c.BegunNS) < accepted[0].done() && time.Duration(accepted[0].BegunNS) < c.done() {
				m.rule = "replay.race." + c.Mode // both were under way at once
			}
			moves = append(moves, m)
		}
		return moves, true
	case len(accepted) == 1:
		return nil, len(blocked) > 0
	case len(blocked) == len(group) && len(group) > 1 && whole && !odd:
		first := blocked[0]
		return []move{{
			shardCrossing: first, from: judge.Blocked, to: judge.FalseBlock,
			rule: "replay." + first.Mode + ".first", other: blocked[1],
		}}, true
	}
	return nil, false
}

// evidence is what is kept of a request that was found out.
func (m move) evidence(shards []*ShardRecord, info Info) Exchange {
	nonce, transaction := traffic.Identifiers(info.Seed, info.ID, m.Of)
	did := "accepted"
	if m.from == judge.Blocked {
		did = "blocked"
	}
	of := m.Of
	x := Exchange{
		K: m.K, Class: m.to.String(), Rule: m.rule, At: info.StartedAt.Add(time.Duration(m.BegunNS)).UTC(),
		Method: "POST", URL: info.BaseURL,
		Detail: fmt.Sprintf("sent by shard %d and %s, as was request %d of shard %d, which carries the same "+
			"identifiers and body; the shards kept no answer, as each alone saw nothing wrong",
			shards[m.shard].Info.Shard, did, m.other.K, shards[m.other.shard].Info.Shard),
		RequestHeader: []Header{{"nonce", nonce}, {"x-transaction-uuid", transaction}},
		ServiceMS:     millis(time.Duration(m.ServiceNS)), ResponseMS: millis(time.Duration(m.ResponseNS)),
	}
	if of != m.K {
		x.RepeatOf = &of
	}
	return x
}
