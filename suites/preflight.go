package suites

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/doctor"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

const (
	// preflightFor bounds how long the rest of a run waits for its controls: a slow deployment can be tested all the
	// same.
	preflightFor = 5 * time.Second
	// unconnected is how many attempts to connect have to fail: a deployment may be restarting.
	unconnected = 3
	// hopeless is how many requests in a row have to fail on the side of the deployment, once all controls gave up.
	hopeless = 4
)

// preflight keeps the answers that the controls get before anything else is sent.
type preflight struct {
	mu     sync.Mutex
	stop   func() // nil: it is not under way
	last   map[client.Operation]*client.Exchange
	failed int // attempts to connect, in a row
	broken int // requests that got no answer or a server error, in a row; one that does not pass counts twice
}

// heard takes note of an exchange.
func (p *preflight) heard(x *client.Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stop == nil {
		return
	}
	p.last[x.Operation] = x
	switch p.broken++; {
	case x.Err == nil && x.Status < 500:
		p.broken = 0
	case !x.Transient():
		p.broken++ // the controls do not try again: it is no trouble that passes
	}
	if !doctor.Unconnected(x) {
		p.failed = 0
		return
	}
	if p.failed++; p.failed == unconnected {
		p.stop()
	}
}

// dead reports whether as many attempts to connect failed as it takes to give up.
func (p *preflight) dead() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed >= unconnected
}

// mayBeTested sends the run's controls ahead of the rest, one after the other, and reports whether their answers leave
// anything to judge. If not, it ends the run with the obstacle.
func (s *session) mayBeTested(ctx context.Context) bool {
	wait, stop := context.WithTimeout(ctx, preflightFor)
	defer stop()
	p := &s.preflight
	p.mu.Lock()
	p.stop, p.last = stop, map[client.Operation]*client.Exchange{}
	p.mu.Unlock()
	acting := s.plan.Acting()
	creates := s.dep.Fixtures.ShareholderID != "" && slices.ContainsFunc(acting, func(r rules.Rule) bool {
		return r.Operation() == "create" || r.Operation() == "auth"
	})
	var awaited []client.Operation
	if slices.ContainsFunc(acting, func(r rules.Rule) bool { return r.Operation() != "create" }) {
		awaited = append(awaited, client.Export)
		s.controls.Export.Ended(wait)
	}
	if creates && !p.dead() {
		awaited = append(awaited, client.Create)
		s.controls.Creation.Ended(wait)
	}
	dead := p.dead()

	p.mu.Lock()
	p.stop = nil
	answers := make([]*client.Exchange, 0, len(awaited))
	for _, operation := range awaited {
		answers = append(answers, p.last[operation])
	}
	broken := p.broken >= hopeless
	p.mu.Unlock()
	if s.obstacle = doctor.Obstruct(s.dep, answers); s.obstacle == nil && broken {
		s.obstacle = doctor.OutOfOrder(s.dep, answers)
		dead = true
	}
	if s.obstacle == nil {
		if x := answers; len(x) > 0 && x[0] != nil && x[0].Operation == client.Export && doctor.NoRoute(x[0]) {
			if _, err := s.controls.Export.Get(ctx); err != nil {
				s.unserved = spec.Why(err)
			}
		}
		return true
	}
	if !dead && answers[0].Err != nil {
		s.obstacle = nil // the last attempt failed, and there will be others
		return true
	}
	s.silence.exhausted(s.obstacle)
	return false
}

// explained gives a check that rests on exports which nothing served that one cause, whatever the check was about.
func (s *session) explained(c *record.Check) {
	open := c.Verdict == record.Inconclusive || c.Verdict == record.NotVerified
	if s.unserved != "" && open && slices.ContainsFunc(c.Exchanges, func(seq int) bool {
		x := s.client.Exchange(seq)
		return x != nil && x.Operation == client.Export && doctor.NoRoute(x)
	}) {
		c.Verdict, c.Message, c.Need = record.Inconclusive, s.unserved, ""
	}
}

// signedIn reports whether every credential was obtained. If not, it ends the run with that obstacle.
func (s *session) signedIn(err error) bool {
	if err == nil {
		return true
	}
	s.obstacle = doctor.Unsigned(err)
	s.silence.exhausted(s.obstacle)
	return false
}
