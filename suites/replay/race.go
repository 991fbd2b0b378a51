package replay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

const maxRounds = 8 // in all

// racers are how many requests the rounds have that give a clear result, each round in another company.
func racers() []int { return []int{16, 2} }

// races: requests that are equal in everything and arrive together. One of them is the earlier one, whichever it is;
// the others repeat it. The document says nothing of requests at once, so that none gets through is not judged.
func (s *Suite) races() {
	s.Describe("identical requests at once", func() {
		s.race("replay.race.none", mode("none"))
		s.race("replay.race.nonce", mode("nonce"))
		s.race("replay.race.transaction", mode("transaction"))
		s.race("replay.race.transaction_nonce", mode("transaction_nonce"))
		s.race("replay.race.nonce_transaction", mode("nonce_transaction"))

		s.Rule("replay.observed.race", rules.Observe, rules.ExportOperation,
			"How many of identical requests at once are accepted.", spec.Asking("export"), func() {
				for _, m := range rules.Modes() {
					race := s.atOnce(m)
					s.It("counts those accepted with "+called(m), func(ctx spec.Context) {
						var counts []int
						for _, round := range race.Await(ctx) {
							counts = append(counts, Started(round))
						}
						ctx.Saw(record.Seen(called(m), fmt.Sprint(counts)))
					})
				}
			})
	})
}

func (s *Suite) race(id string, m rules.Mode) {
	spec.Helper()
	statement := with(m) + "of identical requests sent at once at most one is accepted."
	s.Rule(id, rules.Should, rules.ExportOperation, statement, spec.Security, func() {
		race, exact := s.atOnce(m), s.likeExact(control.First, m)
		s.It("accepts at most one of identical requests at once", func(ctx spec.Context) {
			all := race.Await(ctx)
			worst, failed := all[0], 0
			for _, round := range all {
				if Started(round) > 1 {
					failed++
					worst = round
				}
			}
			if failed > 0 {
				accepted := slices.IndexFunc(worst, LetThrough)
				if accepted < 0 { // none of them names its file
					accepted = slices.IndexFunc(worst, (*client.Exchange).Success)
				}
				exact(ctx, worst[accepted])
			}
			ctx.Attempts(len(all), failed)
			ctx.Expect(worst).To(AcceptAtMostOne(called(m)))
		})
	})
}

// atOnce declares the rounds of a mode.
func (s *Suite) atOnce(m rules.Mode) *spec.Observation[[][]*client.Exchange] {
	return spec.Observe(s.Plan, "identical requests at once, "+called(m),
		func(ctx context.Context) ([][]*client.Exchange, error) {
			return s.rounds(ctx, m)
		})
}

// rounds sends rounds of identical requests. Trouble can hide an acceptance but never make one, so a round in which two
// were accepted counts whatever the others got; any other round counts only when nothing is in doubt. Of a deployment
// that loses answers the more requests, the likelier one is lost: once most of a round was answered, and no two of it
// were accepted, half as many are sent until nothing is in doubt.
func (s *Suite) rounds(ctx context.Context, m rules.Mode) ([][]*client.Exchange, error) {
	s.t.Prepared(ctx)
	var counted [][]*client.Exchange
	var unclear []*client.Exchange
	size := racers()[0]
	for n := 0; n < maxRounds && len(counted) < len(racers()); n++ {
		in := control.Accompanied(client.Export)[len(counted)]
		call := s.request(m, "identical requests at once, "+called(m))
		accompany(&call, s.c.Company(ctx, client.Export, in))
		call.MayBlock = !s.throttles.Load()
		all := s.t.StartExportsTogether(ctx, slices.Repeat([]target.ExportCall{call}, size))
		s.t.Disown(all...) // one of them should be accepted; which one is not known
		if ctx.Err() != nil {
			return nil, spec.Interrupted
		}
		if len(all) < 2 {
			return nil, spec.Unmet("limits.in_flight", "at least two requests have to be in flight at once")
		}
		lost := lostOf(all)
		all, clear, err := s.round(ctx, m, call, all)
		if err != nil && !errors.Is(err, spec.ErrTransient) { // else this round is lost, and the others are not
			return nil, err
		}
		if !clear {
			unclear = append(unclear, all...)
			if number(all, throttle) > 0 && number(all, (*client.Exchange).Success) == 0 {
				s.throttles.Store(true) // nobody came first: from now on, throttles are waited out
			}
			if lost > 0 && lost*4 <= len(all) {
				size = max(2, size/2)
			}
			continue
		}
		counted = append(counted, all)
		if number(all, throttle) > 0 {
			break // every further round would slow down the whole run
		}
		size = racers()[min(len(counted), len(racers())-1)]
	}
	if len(counted) == 0 {
		return nil, spec.Unclear("no round of identical requests was free of trouble: %s", Outcomes(unclear))
	}
	return counted, nil
}

// lostOf counts the requests of a round whose answers do not come from the deployment, or did not come.
func lostOf(all []*client.Exchange) int {
	return number(all, (*client.Exchange).Transient) - number(all, throttle) + number(all, page)
}

func page(x *client.Exchange) bool { return target.WebPage(x) != nil }

// round reports whether a round shows something. When all that kept the others out was a throttle, the request is sent
// once more by itself: if it is throttled still while other exports are accepted, that is how this deployment blocks.
func (s *Suite) round(ctx context.Context, m rules.Mode, call target.ExportCall, all []*client.Exchange,
) ([]*client.Exchange, bool, error) {
	accepted := number(all, (*client.Exchange).Success) - number(all, page)
	throttled := number(all, throttle)
	switch {
	case accepted > 1:
		return all, true, nil
	case lostOf(all) > 0 || accepted == 0 && throttled > 0:
		return all, false, nil
	case accepted == 0:
		// Nobody came first: a finding, provided that a request by itself is accepted.
		_, _, err := s.send(ctx, m, repeat{})
		return all, err == nil, err
	case accepted+throttled < len(all): // somebody was blocked
		return all, true, nil
	}
	x := s.t.StartExport(ctx, func() target.ExportCall { return call })
	s.t.Disown(x)
	if ctx.Err() != nil {
		return nil, false, spec.Interrupted
	}
	all = append(all, x)
	if x.Status == http.StatusTooManyRequests {
		_, alive := s.c.ExportAlive(ctx)
		return all, alive, nil
	}
	return all, x.Success(), nil
}

func throttle(x *client.Exchange) bool { return x.Status == http.StatusTooManyRequests }

func number(all []*client.Exchange, is func(*client.Exchange) bool) int {
	n := 0
	for _, x := range all {
		if is(x) {
			n++
		}
	}
	return n
}

// blocks: how a block looks, over every repeat and every loser of a race that had to be blocked.
func (s *Suite) blocks() {
	blocked, exact := s.blocked, s.exact

	s.Rule("replay.blocked_is_4xx", rules.Should, rules.ExportOperation, "A blocked request is answered with a 4xx.",
		func() {
			for _, o := range blocked {
				s.Uses(o)
			}
			var races []*spec.Observation[[][]*client.Exchange]
			for _, m := range rules.Modes() {
				races = append(races, s.atOnce(m))
			}
			// Neither a server error, nor a redirect, nor a 2xx that holds an error, nor a dropped connection. A repeat
			// that was let through is the finding of its own rule and left out here.
			s.It("answers every block with a 4xx", func(ctx spec.Context) {
				var blocks []*client.Exchange
				for _, o := range blocked {
					if r, ok := o.Settled(ctx); ok && !letThrough(r.First, r.Exchange) {
						blocks = append(blocks, r.Exchange)
					}
				}
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
			for _, o := range exact {
				s.Uses(o)
			}
			s.It("looks at exact repeats", func(ctx spec.Context) {
				var seen []string
				for _, o := range exact {
					if r, ok := o.Settled(ctx); ok && !letThrough(r.First, r.Exchange) {
						seen = append(seen, target.Describe(r.Exchange)+", "+Shape(r.Exchange))
					}
				}
				if len(seen) == 0 {
					ctx.Inconclusive("no repeat was blocked, so there is no block to judge")
				}
				slices.Sort(seen)
				ctx.Saw(record.Each(slices.Compact(seen))...)
			})
		})
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
