package replay

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// blocks: how a block looks, over every repeat and every loser of a race that had to be blocked.
func (s *Suite) blocks() {
	blocked, exact := s.blocked, s.exact

	s.Rule("replay.blocked_is_4xx", rules.Should, rules.ExportOperation, "A blocked request is answered with a 4xx.", func() {
		for _, o := range blocked {
			s.Uses(o)
		}
		var races []*spec.Observation[[][]*client.Exchange]
		for _, m := range rules.Modes() {
			races = append(races, s.atOnce(m))
		}
		// Neither a server error, nor a redirect, nor a 2xx that holds an error, nor a dropped connection. A repeat that was
		// let through is the finding of its own rule and left out here.
		It("answers every block with a 4xx", func(ctx SpecContext) {
			var blocks []*client.Exchange
			for _, o := range blocked {
				if r, ok := o.Settled(ctx); ok && !letThrough(r.First, r.Exchange) {
					blocks = append(blocks, r.Exchange)
				}
			}
			for _, o := range races {
				rounds, _ := o.Settled(ctx)
				for _, round := range rounds {
					blocks = append(blocks, losers(round)...)
				}
			}
			if len(blocks) == 0 {
				spec.Inconclusive("no repeat was blocked, so there is no block to look at")
			}
			spec.Attempts(len(blocks), len(blocks)-number(blocks, (*client.Exchange).Refusal))
			Expect(blocks).To(AllBeRefused())
		})
	})

	s.Rule("replay.observed.block_status", rules.Observe, rules.ExportOperation, "Status and body of a block.", func() {
		for _, o := range exact {
			s.Uses(o)
		}
		It("looks at exact repeats", func(ctx SpecContext) {
			var seen []string
			for _, o := range exact {
				r, ok := o.Settled(ctx)
				if !ok || letThrough(r.First, r.Exchange) {
					continue
				}
				if text := target.Describe(r.Exchange) + ", " + Shape(r.Exchange); !slices.Contains(seen, text) {
					seen = append(seen, text)
				}
			}
			if len(seen) == 0 {
				spec.Inconclusive("no repeat was blocked, so there is no block to look at")
			}
			slices.Sort(seen)
			spec.Note("%s", strings.Join(seen, "; "))
		})
	})
}

// letThrough reports whether a repeat started an export. A 2xx without the file that the first request got is a block in
// disguise.
func letThrough(first, again *client.Exchange) bool {
	if !again.Success() {
		return false
	}
	_, started := target.FileID(first)
	_, restarted := target.FileID(again)
	return restarted || !started
}

// losers are the requests of a race that were neither let through nor lost in the crowd.
func losers(round []*client.Exchange) []*client.Exchange {
	at := slices.IndexFunc(round, func(x *client.Exchange) bool {
		_, started := target.FileID(x)
		return x.Success() && started
	})
	if at < 0 {
		return nil
	}
	var all []*client.Exchange
	for _, x := range round {
		if !x.Transient() && !letThrough(round[at], x) {
			all = append(all, x)
		}
	}
	return all
}
