package replay

import (
	"context"
	"net/http"
	"slices"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

const (
	racers    = 16
	rounds    = 3 // that gave a clear result
	maxRounds = 8 // in all
)

func (s *suite) observeRaces() {
	for _, m := range rules.Modes() {
		s.races = append(s.races, spec.Observe(s.p, "identical requests at once, "+called(m), func(ctx context.Context) ([][]*client.Exchange, error) {
			return s.race(ctx, m)
		}))
	}
}

// race sends rounds of identical requests. Trouble can hide an acceptance but never make one, so a round in which two
// were accepted counts whatever the others got; any other round counts only when nothing is in doubt.
func (s *suite) race(ctx context.Context, m rules.Mode) ([][]*client.Exchange, error) {
	s.t.Prepared(ctx)
	var counted [][]*client.Exchange
	var unclear []*client.Exchange
	for n := 0; n < maxRounds && len(counted) < rounds; n++ {
		call := s.request(m, "identical requests at once, "+called(m))
		call.MayBlock = !s.throttles.Load()
		all := s.t.StartExportsTogether(ctx, slices.Repeat([]target.ExportCall{call}, racers))
		s.t.Disown(all...) // one of them should be accepted; which one is not known
		if ctx.Err() != nil {
			return nil, spec.Interrupted
		}
		if len(all) < 2 {
			return nil, spec.Unmet("limits.in_flight", "at least two requests have to be in flight at once")
		}
		all, clear, err := s.round(ctx, m, call, all)
		if err != nil {
			return nil, err
		}
		if !clear {
			unclear = append(unclear, all...)
			if number(all, throttle) > 0 && number(all, (*client.Exchange).Success) == 0 {
				s.throttles.Store(true) // nobody came first: from now on, throttles are waited out
			}
			continue
		}
		counted = append(counted, all)
		if number(all, throttle) > 0 {
			break // every further round would slow down the whole run
		}
	}
	if len(counted) == 0 {
		return nil, spec.Unclear("no round of identical requests was free of trouble: %s", Outcomes(unclear))
	}
	return counted, nil
}

// round tells whether a round shows something. When all that kept the others out was a throttle, the request is sent
// once more by itself: if it is throttled still while other exports are accepted, that is how this deployment blocks.
func (s *suite) round(ctx context.Context, m rules.Mode, call target.ExportCall, all []*client.Exchange) ([]*client.Exchange, bool, error) {
	accepted := number(all, (*client.Exchange).Success)
	throttled := number(all, throttle)
	lost := number(all, (*client.Exchange).Transient) - throttled
	switch {
	case accepted > 1:
		return all, true, nil
	case lost > 0 || accepted == 0 && throttled > 0:
		return all, false, nil
	case accepted == 0:
		// Nobody came first: a finding, provided that a request by itself is accepted.
		_, _, err := s.first(ctx, m, repeat{})
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

// checkRaces judges requests that are equal in everything and arrive together. One of them is the earlier one, whichever
// it is; the others repeat it.
func (s *suite) checkRaces() {
	for i, m := range rules.Modes() {
		// Of identical requests at once exactly one is accepted.
		s.p.It("replay.race."+m.Name, "rounds of identical requests", spec.After(s.races[i]), func(ctx context.Context) {
			all := s.races[i].Await(ctx)
			worst, failed := all[0], 0
			for _, round := range all {
				if Started(round) != 1 {
					failed++
					worst = round
				}
			}
			s.p.Attempts(len(all), failed)
			Expect(worst).To(AcceptExactlyOne())
		})
	}
}
