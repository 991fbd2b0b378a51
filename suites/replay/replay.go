// Package replay tests the replay protection of the export operation: what of a request is compared with earlier ones,
// in each of the five spellings of the choice, for how long, and under concurrency.
//
// Every observation has requests of its own: a body that no other request shares, a fresh nonce and a fresh transaction
// ID. So neither other runs, nor other modes, nor the control can be what a repeat is blocked for.
package replay

import (
	"sync"
	"sync/atomic"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// suite is what the topics share.
type suite struct {
	p *spec.Plan
	t *target.Target
	c *control.Controls

	query   *spec.Observation[*client.Exchange] // an unknown query parameter is accepted
	early   map[string]*spec.Observation[early] // by mode
	table   map[string][]*spec.Observation[repeated]
	blocked []*spec.Observation[repeated] // repeats that have to be blocked
	same    []*spec.Observation[repeated] // exact repeats, one a mode
	further []further
	races   []*spec.Observation[[][]*client.Exchange]

	blocks429 atomic.Bool // the deployment was seen to block by 429
	throttles atomic.Bool // the deployment was seen to throttle, so that 429 is no block

	mu     sync.Mutex
	firsts map[string][]*client.Exchange // by mode: every first request that got a clear answer
}

// Add declares the observations and checks of all replay rules.
func Add(p *spec.Plan, t *target.Target, c *control.Controls) {
	p.Suite("replay")
	s := &suite{
		p: p, t: t, c: c,
		early:  map[string]*spec.Observation[early]{},
		table:  map[string][]*spec.Observation[repeated]{},
		firsts: map[string][]*client.Exchange{},
	}
	s.observeEarly()
	s.observeTable()
	s.observeFurther()
	s.observeRaces()
	s.checkFirsts()
	s.checkTable()
	s.checkFurther()
	s.checkRaces()
	s.checkBlocks()
	s.checkObserved()
	s.checkLate()
}

// sighted notes how a first request ended, for the rule about first requests.
func (s *suite) sighted(m rules.Mode, x *client.Exchange) {
	if x.Transient() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.firsts[m.Name] = append(s.firsts[m.Name], x)
}

func (s *suite) firstsOf(m rules.Mode) []*client.Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*client.Exchange(nil), s.firsts[m.Name]...)
}

// called names a mode in labels and messages.
func called(m rules.Mode) string {
	if m.Header == "" {
		return "no replay value"
	}
	return m.Header
}
