package replay

import (
	"context"
	"slices"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// checkBlocks judges the form of a block, over every repeat and every loser of a race that had to be blocked.
func (s *suite) checkBlocks() {
	var deps []spec.Awaited
	for _, o := range s.blocked {
		deps = append(deps, o)
	}
	for _, o := range s.races {
		deps = append(deps, o)
	}
	// A blocked request is answered with a 4xx: not with a server error, a redirect, a 2xx that holds an error or a
	// dropped connection. A repeat that was let through is the finding of its own rule and left out here.
	s.p.It("replay.blocked_is_4xx", "every blocked request", deps, func(ctx context.Context) {
		var blocks []*client.Exchange
		for _, o := range s.blocked {
			if r, ok := o.Settled(ctx); ok && !letThrough(r.First, r.Exchange) {
				blocks = append(blocks, r.Exchange)
			}
		}
		for _, o := range s.races {
			rounds, _ := o.Settled(ctx)
			for _, round := range rounds {
				blocks = append(blocks, losers(round)...)
			}
		}
		if len(blocks) == 0 {
			s.p.Inconclusive("no repeat was blocked, so there is no block to look at")
		}
		s.p.Attempts(len(blocks), len(blocks)-number(blocks, (*client.Exchange).Refusal))
		Expect(blocks).To(AllBeRefused())
	})

	var exact []spec.Awaited
	for _, o := range s.same {
		exact = append(exact, o)
	}
	s.p.It("replay.observed.block_status", "exact repeats", exact, func(ctx context.Context) {
		var seen []string
		for _, o := range s.same {
			r, ok := o.Settled(ctx)
			if !ok || letThrough(r.First, r.Exchange) {
				continue
			}
			if text := target.Describe(r.Exchange) + ", " + Shape(r.Exchange); !slices.Contains(seen, text) {
				seen = append(seen, text)
			}
		}
		if len(seen) == 0 {
			s.p.Inconclusive("no repeat was blocked, so there is no block to look at")
		}
		slices.Sort(seen)
		s.p.Note("%s", strings.Join(seen, "; "))
	})
}

// letThrough tells a repeat that started an export. A 2xx without the file that the first request got is a block in
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
