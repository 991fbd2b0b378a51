// Package replay verifies the replay protection of the export operation: what of a request is compared with earlier
// ones, in each of the five spellings of the choice, for how long, and under concurrency.
//
// Every observation has requests of its own: a body that no other request shares, a fresh nonce and a fresh transaction
// ID. So neither other runs, nor other modes, nor the control can be what a repeat is blocked for.
package replay

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of replay protection.
type Suite struct {
	*spec.Plan
	t *target.Target
	c *control.Controls

	blocks429 atomic.Bool // the deployment was seen to block by 429
	throttles atomic.Bool // the deployment was seen to throttle, so that 429 is not a block

	mu     sync.Mutex
	firsts map[string][]*client.Exchange // by mode: every first request that got a clear answer
	// by mode: the contexts in which one was refused
	refused map[string][]design.Context

	table []change
}

// New makes the suite.
func New(p *spec.Plan, t *target.Target, c *control.Controls) *Suite {
	return &Suite{Plan: p, t: t, c: c, firsts: map[string][]*client.Exchange{}, refused: map[string][]design.Context{}}
}

// Declare declares the rules.
func (s *Suite) Declare() {
	s.Describe("replay protection", spec.Label("replay"), func() {
		for _, topic := range []func(){
			s.firstRequests, s.cells, s.unlisted, s.races, s.blocks, s.late, s.memory, s.values,
		} {
			topic()
		}
	})
}

// sighted notes how a first request ended, for the rule about first requests. A crash is only noted once it was settled
// that it comes each time.
func (s *Suite) sighted(m rules.Mode, x *client.Exchange, settled bool) {
	if x == nil || x.Transient() || x.Crashed() && !settled {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.firsts[m.Name] = append(s.firsts[m.Name], x)
}

func (s *Suite) firstsOf(m rules.Mode) []*client.Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.firsts[m.Name])
}

// refusedIn notes that a first request was refused in a context, though it has a query of its own where that is allowed,
// so that nothing earlier is like it.
func (s *Suite) refusedIn(m rules.Mode, with design.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused[m.Name] = append(s.refused[m.Name], with)
}

func (s *Suite) contextsRefused(m rules.Mode) []design.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.refused[m.Name])
}

// called names a mode in labels and messages.
func called(m rules.Mode) string {
	if m.Header == "" {
		return "no replay value"
	}
	return m.Header
}

// with begins the statement about a mode.
func with(m rules.Mode) string {
	if m.Header == "" {
		return "Without a replay protection value, "
	}
	return "With " + m.Header + ", "
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

// in gives a request the options of a context, but for those of replay protection.
func (s *Suite) in(call *target.ExportCall, with design.Context) {
	s.c.ChangeExport(call, with.Without(target.HeaderReplay))
}

// request makes a first request: nothing in it was ever sent before.
func (s *Suite) request(m rules.Mode, label string) target.ExportCall {
	call := s.t.Export(label, s.t.Unique(label))
	call.Mode, call.Transaction = m.Header, target.UUID()
	return call
}
