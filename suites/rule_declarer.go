package suites

import (
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// The operations that a Probe can name.
const (
	OperationCreate = client.OperationCreate // creates a legal representative
	OperationExport = client.OperationExport // starts an export
)

// RuleDeclarer declares rules of an importer's own: Rule, It and Observe of the plan, and ItAccepts
// and ItRejects for requests, which are sent as the run found out that the deployment wants them.
type RuleDeclarer struct {
	*spec.Plan
	Target *target.Target
	lab    *lab.Lab
}

// Probe is a request of an importer's own: a valid one with something special about it.
type Probe struct {
	Operation   client.Operation      // OperationCreate or OperationExport
	Description string                // completes "a creation with" and "an export with"; unique
	Edit        func(*target.Request) // makes it of a valid request; nil changes nothing
}

func (p Probe) inLab(valid bool) lab.Probe {
	return lab.Probe{
		Operation: p.Operation, Description: p.Description, Edit: p.Edit, Valid: valid,
	}
}

// ItAccepts declares the case that a request is accepted, in the rule that is being declared.
func (d *RuleDeclarer) ItAccepts(p Probe) {
	spec.Helper()
	valid := p.inLab(true)
	d.lab.ItAccepts(valid, d.lab.ObserveProbe(valid))
}

// ItRejects declares the case that a request is rejected with a 4xx, in the rule that is being
// declared. It is sent where the same request without the defect was accepted.
func (d *RuleDeclarer) ItRejects(p Probe) {
	spec.Helper()
	d.lab.ItRejects(p.inLab(false))
}
