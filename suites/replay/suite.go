// Package replay verifies the replay protection of the export operation: what of a request is compared with earlier
// ones, in each of the five spellings of the choice, for how long, and under concurrency.
//
// Every observation has requests of its own: a body that no other request shares, a fresh nonce and a fresh transaction
// ID. So neither other runs, nor other modes, nor the control can be what a repeat is blocked for.
package replay

import (
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of replay protection.
type Suite struct {
	*spec.Plan
	t *target.Target
	c *control.Controls

	blocked []*repetition // every repeat that has to be blocked
	exact   []*repetition // exact repeats, one a mode

	same   map[string][]*repetition // by mode: repeats of everything, whatever stands beside them
	groups map[string][]repeat      // by mode: those that repeat one request; never begun anew, as it is read meanwhile

	blocks429 atomic.Bool // the deployment was seen to block by 429
	throttles atomic.Bool // the deployment was seen to throttle, so that 429 is not a block

	mu     sync.Mutex
	firsts map[string][]*client.Exchange // by mode: every first request that got a clear answer
	beside map[string]map[string]bool    // by mode: the companies in which a first request was refused
}

type repetition = spec.Observation[repeated]

// New makes the suite.
func New(p *spec.Plan, t *target.Target, c *control.Controls) *Suite {
	return &Suite{
		Plan: p, t: t, c: c, groups: map[string][]repeat{}, firsts: map[string][]*client.Exchange{},
		beside: map[string]map[string]bool{},
	}
}

// Declare declares the rules. What the run sends first stands first, what it sends last is in Last.
func (s *Suite) Declare() {
	s.blocked, s.exact, s.same = nil, nil, map[string][]*repetition{}
	s.Describe("replay protection", spec.Label("replay"), func() {
		s.table()
		s.otherHeaders() // behind all exact repeats, which it looks at
		s.oneMode()
		s.oneUser()
		s.races()
		s.blocks()
		s.observed()
	})
}

// Last declares what rests on the run's last requests.
func (s *Suite) Last() {
	s.Describe("replay protection, at the end of the run", spec.Label("replay"), func() {
		s.late()
		s.lookedBack()
	})
}

// sighted notes how a first request ended, for the rule about first requests.
func (s *Suite) sighted(m rules.Mode, x *client.Exchange) {
	if x.Transient() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.firsts[m.Name] = append(s.firsts[m.Name], x)
}

func (s *Suite) firstsOf(m rules.Mode) []*client.Exchange {
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

// mode finds a mode by its name in rule IDs.
func mode(name string) rules.Mode {
	for _, m := range rules.Modes() {
		if m.Name == name {
			return m
		}
	}
	panic("replay: there is no mode " + name)
}

// tagged gives a request a query that no other has.
func tagged(c *target.ExportCall) { c.Query = url.Values{"gateassay": {target.UUID()}} }
