package main

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/lab"
	"github.com/gateassay/gateassay/suites/target"
)

// declareHouseRules declares the rules of this house beside those of the API document, in the same
// words: an ID, a level, where the rule comes from and what it says; below it the requests that are
// sent and the specs that judge the answers. What they find is recorded and reported as every other
// rule is. An ID begins with the name of its suite, by which suites.Selection knows it.
func declareHouseRules(g *suites.RuleDeclarer) {
	const origin Section = "House rules"
	g.Rule("house.export.source", Must, origin,
		"An export that names the system it is for is accepted.", func() {
			for _, system := range []string{"ledger", "audit"} {
				export := lab.Probe{
					Operation: lab.OperationExport, Description: "X-Source: " + system, Valid: true,
					Edit: func(r *target.Request) { r.SetHeader("X-Source", system) },
				}
				g.Lab.ItAccepts(export, g.Lab.ObserveProbe(export))
			}
		})
}
