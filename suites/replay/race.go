package replay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

const maxRounds = 8 // in all

// racers is how many requests the first round has. The others, in other contexts, have two.
const racers = 16

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
		race, excused := s.atOnce(m), s.unlessExact(m)
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
				excused(ctx, worst[accepted])
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
	contexts := s.contexts(m, s.changes()[0])
	size := racers
	for n := 0; n < maxRounds && len(counted) <= max(0, len(contexts)-1); n++ {
		call := s.request(m, "identical requests at once, "+called(m))
		if len(contexts) > 0 {
			with, _ := s.c.In(client.Export, contexts[len(counted)]).Get(ctx)
			s.in(&call, with.Context)
		}
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
		counted, size = append(counted, all), 2
		if number(all, throttle) > 0 {
			break // every further round would slow down the whole run
		}
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
		_, _, err := s.first(ctx, m, nil)
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
