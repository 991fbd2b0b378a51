package reference

import (
	"net/http"
	"slices"
	"time"
)

// memoryFaults are about forgetting, and about how a block is answered.
func memoryFaults() faults {
	blocked := func(name, statement string, change func(q *call, a *reply)) faults {
		return fault(name, "blocked_is_4xx", statement, answered(exporting, "replayed", change))
	}
	at := map[string]time.Time{}
	var newest []string
	return slices.Concat(
		fault("replay.forgets_after_a_second", "late", "forgets a request after a second",
			judged(func(q *call, earlier bool) bool {
				own := q.own()
				if earlier && q.g.now().Sub(at[own]) <= time.Second {
					return true
				}
				at[own] = q.g.now()
				return false
			})),
		fault("replay.keeps_the_last_50", "late", "remembers only the last fifty requests",
			judged(func(q *call, earlier bool) bool {
				own := q.own()
				if earlier && slices.Contains(newest, own) {
					return true
				}
				newest = append(newest, own)[max(0, len(newest)-49):]
				return false
			})),
		blocked("replay.block_answered_200", "answers a block with 200 and an error inside", status(http.StatusOK)),
		blocked("replay.block_answered_500", "answers a block with a server error", crash),
		blocked("replay.block_answered_302", "answers a block with a redirect", redirect),
		blocked("replay.block_drops_connection", "drops the connection of a request that it blocks", status(0)),
	)
}

// narrowReplays leave out a part of bodies in one mode only, or block once.
func narrowReplays() faults {
	beginning := func(name, rule, what string, part func(s *sighting) *string) faults {
		return fault(name, rule, "compares the first eight characters of "+what,
			on(func(_ *call, s *sighting) { *part(s) = (*part(s))[:min(8, len(*part(s)))] }))
	}
	passes := func(name, who string, when func(q *call) bool) faults {
		return fault(name, "none.same", "with no replay value, never blocks "+who,
			forgetting().when(spelling(0).sends).when(when))
	}
	return slices.Concat(
		eachMode(func(mode spelling, breaks func(end, rule, statement string, e effect) faults) faults {
			blocks := map[string]int{}
			return breaks("same.blocks_once", "MODE.same", "blocks a request once and lets it pass when it comes again",
				judged(func(q *call, earlier bool) bool {
					own := q.own()
					if earlier {
						blocks[own]++
					}
					return earlier && blocks[own] == 1
				}).when(mode.sends))
		}),
		passes("replay.none.same.passes_for_others", "users of another legal person",
			func(q *call) bool { return q.caller == q.g.data.other }),
		passes("replay.none.same.passes_empty", "a request with an empty body",
			func(q *call) bool { return len(q.body) == 0 }),
		beginning("replay.nonce.other_nonce.beginning", "nonce.other_nonce", "the nonce",
			func(s *sighting) *string { return &s.nonce }),
		beginning("replay.transaction.other_transaction.beginning", "transaction.other_transaction",
			"the transaction ID", func(s *sighting) *string { return &s.transaction }),
	)
}
