// Package ruleset declares the rules of all suites.
package ruleset

import (
	"github.com/gateassay/gateassay/suites/internal/auth"
	"github.com/gateassay/gateassay/suites/internal/create"
	"github.com/gateassay/gateassay/suites/internal/export"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/internal/replay"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Declare declares the rules of all suites for a target, then those of additional, which may be
// nil. It keeps the cases that run at the target's depth and seed. Declaring needs no client of
// the target, but launching the plan does.
func Declare(
	t *target.Target, o spec.Options, additional func(*spec.Plan, *lab.Lab),
) (*spec.Plan, *lab.Lab) {
	var creations *create.Suite
	o.Unmet = t.MissingSettings
	if t.Client != nil {
		o.LatePhaseLimit = t.Client.InFlightLimit() - 1
	}
	o.Redact = func(text string) string { return t.Client.Redactor().Text(text) }
	o.Evidence = func(name string) spec.AnyObservation { return creations.EvidenceOfName(name) }
	p := spec.New(o)
	l := lab.New(p, t)
	creations = create.New(p, t, l)
	replay.New(p, t, l).Declare()
	creations.Declare()
	export.New(p, t, l).Declare()
	auth.New(p, t, l).Declare()
	if additional != nil {
		additional(p, l)
	}
	p.SampleCases(t.Depth, t.Seed)
	return p, l
}
