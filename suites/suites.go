// Package suites tests a deployment against every rule of the API document. One path serves every face: the gateassay
// command, go test and ginkgo on this folder, and other modules that call Run or Test from a release gate of their own.
package suites

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/auth"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/create"
	"github.com/gateassay/gateassay/suites/export"
	"github.com/gateassay/gateassay/suites/replay"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Build makes the plan of all suites for a target, and the function that declares their rules, own ones last. Replay
// protection comes first: its late rule repeats the first request of the run as the last.
func Build(t *target.Target, o spec.Options, own func(*Gateway)) (*spec.Plan, func()) {
	p, _, declare := build(t, o, own)
	return p, declare
}

func build(t *target.Target, o spec.Options, own func(*Gateway)) (*spec.Plan, *control.Controls, func()) {
	var creations *create.Suite
	o.Unmet = t.Unmet
	o.Redact = t.Client.Redactor().Text
	o.Evidence = func(name string) spec.AnyObservation { return creations.Evidence(name) }
	p := spec.New(o)
	c := control.New(p, t)
	replays, exports, identities := replay.New(p, t, c), export.New(p, t, c), auth.New(p, t, c)
	creations = create.New(p, t, c)
	return p, c, func() {
		replays.Describe()
		creations.Describe()
		exports.Describe()
		identities.Describe()
		if own != nil {
			Describe("rules of one's own", func() { own(&Gateway{Plan: p, Target: t, Controls: c}) })
		}
		replays.Last()
	}
}

// Catalogue lists the rules of all suites, as they are declared. It builds a tree of specs and previews it, so it is
// not for a process that has Ginkgo specs of its own: there, Test reads the catalogue itself. Handlers of os.Interrupt
// and SIGTERM are gone afterwards: who had some registers them again.
func Catalogue() []rules.Rule {
	dep := &deployment.File{BaseURL: "http://127.0.0.1:0"}
	c, err := client.New(dep, client.Options{})
	if err != nil {
		panic("a client of no deployment: " + err.Error())
	}
	defer c.Close()
	p, declare := Build(target.New(dep, c, 1), spec.Options{}, nil)
	if err := p.Prepare(spec.Order{}, declare); err != nil {
		panic("the suites cannot be read: " + err.Error())
	}
	return p.Catalogue()
}

// UsageError is a request that cannot be carried out as it was put.
type UsageError struct{ Text string }

func (e *UsageError) Error() string { return e.Text }

func usage(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// Gateway is what rules of one's own are declared with: Rule and Group of the plan, and requests that follow what the
// run found out about the deployment.
type Gateway struct {
	*spec.Plan
	Target   *target.Target
	Controls *control.Controls
}

// Create declares a creation that edit makes out of a valid one, once a valid one was accepted. clear says which
// answers speak about the request: target.AboutField or target.AboutCaller. The name is unique in the run.
func (g *Gateway) Create(name string, clear target.Clear, edit func(target.Creation) target.Creation,
) *spec.Observation[target.Answer] {
	return spec.Observe(g.Plan, name, func(ctx context.Context) (target.Answer, error) {
		return g.Controls.Creations(ctx, clear, nil, func(c *target.Creation) {
			c.Label = name
			*c = edit(*c)
		})
	})
}

// Export declares an export that edit makes out of a valid one, once a valid one was accepted.
func (g *Gateway) Export(name string, clear target.Clear, edit func(target.ExportCall) target.ExportCall,
) *spec.Observation[target.Answer] {
	return spec.Observe(g.Plan, name, func(ctx context.Context) (target.Answer, error) {
		return g.Controls.Exports(ctx, clear, nil, func(c *target.ExportCall) {
			c.Label = name
			*c = edit(*c)
		})
	})
}
