package main

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/target"
)

// declareHouseRules declares the rules of this house next to those of the API document, in the same
// words: an ID, a level, where the rule comes from and what it says; in it the requests that are
// sent, each with the spec that judges its answer. What they find is recorded and reported as that
// of every other rule. An ID begins with the name of its suite, by which suites.Selection knows it.
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
