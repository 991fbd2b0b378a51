package suites

import (
	"context"

	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Gateway is what rules of one's own are declared with: Rule and Group of the plan, and requests that follow what the run
// found out about the deployment.
type Gateway struct {
	*spec.Plan
	Target   *target.Target
	Controls *control.Controls
}

// Create declares a creation that edit makes out of a valid one, once a valid one was accepted. clear says which answers
// speak about the request: target.AboutField or target.AboutCaller. The name is unique in the run.
func (g *Gateway) Create(name string, clear target.Clear, edit func(target.Creation) target.Creation) *spec.Observation[target.Answer] {
	return spec.Observe(g.Plan, name, func(ctx context.Context) (target.Answer, error) {
		return g.Controls.Creations(ctx, clear, func(valid target.Creation) target.Creation {
			valid.Label = name
			return edit(valid)
		})
	})
}

// Export declares an export that edit makes out of a valid one, once a valid one was accepted.
func (g *Gateway) Export(name string, clear target.Clear, edit func(target.ExportCall) target.ExportCall) *spec.Observation[target.Answer] {
	return spec.Observe(g.Plan, name, func(ctx context.Context) (target.Answer, error) {
		return g.Controls.Exports(ctx, clear, func(valid target.ExportCall) target.ExportCall {
			valid.Label = name
			return edit(valid)
		})
	})
}
