// Package replay verifies the replay protection of the export operation: what of a request is compared with earlier
// ones, in each of the five spellings of the choice, for how long, and under concurrency.
//
// Every observation has requests of its own: a body that no other request shares, a fresh nonce and a fresh transaction
// ID. So neither other runs, nor other modes, nor the control can be what a repeat is blocked for.
package replay

import (
	"slices"
	"sync/atomic"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of replay protection.
type Suite struct {
	*spec.Plan
	t   *target.Target
	lab *lab.Lab

	table     []change
	blocks429 atomic.Bool // the deployment was seen to block by 429
	throttles atomic.Bool // the deployment was seen to throttle, so that 429 is not a block
}

// New makes the suite.
func New(p *spec.Plan, t *target.Target, l *lab.Lab) *Suite {
	s := &Suite{Plan: p, t: t, lab: l}
	s.table = slices.Concat(s.same(), identifiers(), s.queries(), s.bodies(), s.users())
	return s
}

// Declare declares the rules.
func (s *Suite) Declare() {
	s.Describe("replay protection", func() {
		for _, topic := range []func(){s.firstRequests, s.cells, s.unlisted, s.races, s.blocks, s.late, s.observed} {
			topic()
		}
	})
}

// called names a mode in labels and messages.
func called(m rules.ReplayMode) string {
	if m.Header == "" {
		return "no replay value"
	}
	return m.Header
}

// with begins the statement about a mode.
func with(m rules.ReplayMode) string {
	if m.Header == "" {
		return "Without a replay protection value, "
	}
	return "With " + m.Header + ", "
}

// mode finds a mode by its name in rule IDs.
func mode(name string) rules.ReplayMode {
	all := rules.ReplayModes()
	return all[slices.IndexFunc(all, func(m rules.ReplayMode) bool { return m.Name == name })]
}

// contexts are those in which a change is tried, beside the plain one. The group that is compared is the same in all
// modes, so what passes is tried in contexts without a value.
func (s *Suite) contexts(m rules.ReplayMode, c change) []design.Configuration {
	if !c.everywhere || !c.blocks(m) && m.Header != "" {
		return nil
	}
	return slices.DeleteFunc(s.lab.AssignConfigurations(lab.Export, "replay."+m.Name, 1)[0],
		func(with design.Configuration) bool { return len(with) == 0 })
}

// request makes a first request in a context: nothing in it was ever sent before.
func (s *Suite) request(m rules.ReplayMode, label string, with design.Configuration) target.Request {
	call := s.t.NewExport(label, s.t.UniqueBounds(label))
	call.Mode, call.Transaction = m.Header, target.NewUUID()
	s.lab.ApplyConfiguration(&call, with.Without(target.HeaderReplay))
	return call
}
