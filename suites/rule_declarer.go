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

// RuleDeclarer declares an importer's own rules: with Rule, It and Observe of the plan, and with
// ItAccepts and ItRejects for requests. The requests have the form that the deployment accepted
// earlier in the run.
type RuleDeclarer struct {
	*spec.Plan
	Target *target.Target
	lab    *lab.Lab
}

// Probe is an importer's own request: a valid one with a change.
type Probe struct {
	Operation   client.Operation      // OperationCreate or OperationExport
	Description string                // completes "a creation with" and "an export with"; unique
	Edit        func(*target.Request) // changes a valid request; nil: no change
}

func (p Probe) inLab(valid bool) lab.Probe {
	return lab.Probe{
		Operation: p.Operation, Description: p.Description, Edit: p.Edit, Valid: valid,
	}
}

// ItAccepts declares a case of the current rule: the request is accepted.
func (d *RuleDeclarer) ItAccepts(p Probe) {
	spec.Helper()
	valid := p.inLab(true)
	d.lab.ItAccepts(valid, d.lab.ObserveProbe(valid))
}

// ItRejects declares a case of the current rule: the request is rejected with a 4xx. It is sent
// only if the same request without the defect was accepted.
func (d *RuleDeclarer) ItRejects(p Probe) {
	spec.Helper()
	d.lab.ItRejects(p.inLab(false))
}
