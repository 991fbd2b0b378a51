package lab

import (
	"strings"

	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// As returns the probe under another description.
func (p Probe) As(description string) Probe { p.Description = description; return p }

// InAllConfigurations returns the probe tried in every configuration of its rule.
func (p Probe) InAllConfigurations() Probe { p.AllConfigurations = true; return p }

// AfterRejectionOf returns the probe held back unless a simpler one, given by its description,
// is answered correctly.
func (p Probe) AfterRejectionOf(simpler string) Probe { p.RequiresRejectionOf = simpler; return p }

// IgnoringControl returns the probe judged even where no valid request is accepted.
func (p Probe) IgnoringControl() Probe { p.IgnoresControl = true; return p }

// Expecting returns the probe with another expectation.
func (p Probe) Expecting(e Expectation) Probe { p.Expectation = e; return p }

// Sampled returns the probe tried in some runs only.
func (p Probe) Sampled(s spec.Sampling) Probe { p.Sampling = s; return p }

// CombineProbes returns one probe that makes the edits of several probes of one operation, in
// order. It drops their expectations.
func CombineProbes(probes ...Probe) Probe {
	var names, fields []string
	for _, p := range probes {
		names, fields = append(names, p.Description), append(fields, p.ChangedFields...)
	}
	return Probe{
		Operation: probes[0].Operation, Description: strings.Join(names, ", "), ChangedFields: fields,
		Edit: func(r *target.Request) {
			for _, p := range probes {
				p.Edit(r)
			}
		},
	}
}
