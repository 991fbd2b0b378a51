package main

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/target"
)

// declareHouseRules declares house rules next to those of the API document and in the same form:
// an ID, a level, a source and a statement, with the requests to send and the specs that judge
// the answers. Results are recorded and reported like those of all other rules. The ID begins
// with the name of its suite, for suites.Selection.
func declareHouseRules(g *suites.RuleDeclarer) {
	const origin Section = "House rules"
	g.Rule("house.export.source", Must, origin,
		"An export that names the system it is for is accepted.", func() {
			for _, system := range []string{"ledger", "audit"} {
				g.ItAccepts(suites.Probe{
					Operation: suites.OperationExport, Description: "X-Source: " + system,
					Edit: func(r *target.Request) { r.SetHeader("X-Source", system) },
				})
			}
		})
}
