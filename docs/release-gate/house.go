package main

import (
	"context"
	"net/http"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// house declares the rules of this house beside those of the API document, in the same words: an ID, a level, where the
// rule comes from and what it says; below it the requests that are sent and the specs that judge the answers. What they
// find is recorded and reported as every other rule is. An ID begins with the name of its suite, by which
// suites.Selection knows it.
func house(g *suites.Gateway) {
	const origin Section = "House rules"
	g.Rule("house.export.source", Must, origin, "An export that names the system it is for is accepted.", func() {
		for _, system := range []string{"ledger", "audit"} {
			named := spec.Observe(g.Plan, "export for the "+system, func(ctx context.Context) (target.Answer, error) {
				return g.Controls.Send(ctx, target.OpExport, target.AboutField, nil, func(x control.Call) {
					x.Label, x.Header = "export for the "+system, http.Header{"X-Source": {system}}
				})
			})
			g.It("accepts X-Source: "+system, func(ctx spec.Context) { ctx.Expect(named.Await(ctx)).To(BeAccepted()) })
		}
	})
}
