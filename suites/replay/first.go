package replay

import (
	"context"
	"time"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// early is what the run sent first in one mode. The accepted calls are repeated when the run ends.
type early struct {
	target.Answer
	accepted []target.ExportCall
	at       time.Time
}

// spares is how many early requests each mode has: when trouble spoils the late repeat of one, the next one serves.
const spares = 2

// observeEarly declares the first requests of the run. They go ahead of everything else at the gate.
func (s *suite) observeEarly() {
	for _, m := range rules.Modes() {
		s.early[m.Name] = spec.Observe(s.p, "the first request of the run, "+called(m), func(ctx context.Context) (early, error) {
			ctx = client.WithRank(ctx, 0)
			var e early
			var sent target.ExportCall
			var err error
			send := func() *client.Exchange {
				x := s.t.StartExport(ctx, func() target.ExportCall {
					sent = s.request(m, "first request of the run, "+called(m))
					return sent
				})
				s.sighted(m, x)
				if x.Success() {
					e.accepted = append(e.accepted, sent)
				}
				return x
			}
			e.Answer, err = s.t.Settle(ctx, target.AboutCaller, send, s.c.ExportAlive)
			for range spares - 1 {
				if err == nil && e.Success() {
					send()
				}
			}
			e.at = time.Now()
			return e, err
		})
	}
}

// checkFirsts judges the requests that repeat nothing. Every observation of a mode begins with one, and all of them
// count. Whether the refusal is about replay protection at all shows in the other modes: where no export is accepted in
// any of them, the credential or the fixtures are to blame.
func (s *suite) checkFirsts() {
	for _, m := range rules.Modes() {
		var deps []spec.Awaited
		for _, other := range rules.Modes() {
			deps = append(deps, s.early[other.Name])
		}
		for _, o := range s.table[m.Name] {
			deps = append(deps, o)
		}
		// What equals no earlier request in the compared values passes.
		s.p.It("replay."+m.Name+".first", "every first request", deps, func(ctx context.Context) {
			for _, o := range s.table[m.Name] {
				o.Settled(ctx)
			}
			s.early[m.Name].Settled(ctx)
			firsts := s.firstsOf(m)
			if len(firsts) == 0 { // never answered: there is an observation only if a valid export was, meanwhile
				firsts = append(firsts, s.early[m.Name].Await(ctx).Exchange)
			}
			refused := 0
			for _, x := range firsts {
				if !x.Success() {
					refused++
				}
			}
			if refused == len(firsts) && !s.anyAccepted(ctx, m) {
				s.p.Inconclusive("no export was accepted in any mode (%s): check the credential", Outcomes(firsts))
			}
			s.p.Attempts(len(firsts), refused)
			Expect(firsts).To(AllBeAccepted())
		})
	}
}

// anyAccepted tells whether the first request of the run was accepted in some other mode.
func (s *suite) anyAccepted(ctx context.Context, but rules.Mode) bool {
	for _, m := range rules.Modes() {
		if e, ok := s.early[m.Name].Settled(ctx); ok && m.Name != but.Name && e.Success() {
			return true
		}
	}
	return false
}
