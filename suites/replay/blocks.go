package replay

import (
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// blocks: how a block looks, over every repeat and every loser of a race that had to be blocked.
func (s *Suite) blocks() {
	s.Rule("replay.blocked_is_4xx", rules.Should, rules.ExportOperation, "A blocked request is answered with a 4xx.",
		func() {
			repeats := s.toBeBlocked()
			var races []*spec.Observation[[][]*client.Exchange]
			for _, m := range rules.Modes() {
				races = append(races, s.atOnce(m))
			}
			// Neither a server error, nor a redirect, nor a 2xx that holds an error, nor a dropped connection. A repeat
			// that was let through is the finding of its own rule and left out here.
			s.It("answers every block with a 4xx", func(ctx spec.Context) {
				blocks := blocksOf(ctx, repeats)
				for _, o := range races {
					rounds, _ := o.Settled(ctx)
					for _, round := range rounds {
						blocks = append(blocks, s.losers(round)...)
					}
				}
				if len(blocks) == 0 {
					ctx.Inconclusive("no repeat was blocked, so there is no block to judge")
				}
				ctx.Attempts(len(blocks), len(blocks)-number(blocks, (*client.Exchange).Refusal))
				ctx.Expect(blocks).To(AllBeRefused("Blocked repeats"))
			})
		})

	s.Rule("replay.observed.block_status", rules.Observe, rules.ExportOperation, "Status and body of a block.",
		spec.Asking("export"), func() {
			var exact []repetition
			for _, m := range rules.Modes() {
				exact = append(exact, s.exact(m))
			}
			s.It("looks at exact repeats", func(ctx spec.Context) {
				var seen []string
				for _, x := range blocksOf(ctx, exact) {
					seen = append(seen, target.Describe(x)+", "+Shape(x))
				}
				if len(seen) == 0 {
					ctx.Inconclusive("no repeat was blocked, so there is no block to judge")
				}
				slices.Sort(seen)
				ctx.Saw(record.Each(slices.Compact(seen))...)
			})
		})
}

// toBeBlocked are the repeats of the table that have to be blocked.
func (s *Suite) toBeBlocked() (all []repetition) {
	for _, m := range rules.Modes() {
		for _, c := range s.changes() {
			if c.tried(m) && c.blocks(m) && !c.user {
				all = append(all, s.repeat(m, c))
			}
		}
	}
	return all
}

func blocksOf(ctx spec.Context, repeats []repetition) (blocks []*client.Exchange) {
	for _, o := range repeats {
		if r, ok := o.Settled(ctx); ok && !letThrough(r.First, r.Exchange) {
			blocks = append(blocks, r.Exchange)
		}
	}
	return blocks
}

// letThrough reports whether a repeat started an export. A 2xx without the file that the first request got is a block
// in disguise.
func letThrough(first, again *client.Exchange) bool {
	if !again.Success() {
		return false
	}
	_, started := target.FileID(first)
	_, restarted := target.FileID(again)
	return restarted || !started
}

// losers are the requests of a race that were neither let through nor lost in the crowd.
func (s *Suite) losers(round []*client.Exchange) []*client.Exchange {
	at := slices.IndexFunc(round, LetThrough)
	if at < 0 {
		return nil
	}
	first := round[at]
	return slices.DeleteFunc(slices.Clone(round), func(x *client.Exchange) bool {
		return s.t.Stray(x) || letThrough(first, x)
	})
}
