package lab

import (
	"strings"

	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// As is the probe under another description.
func (p Probe) As(description string) Probe { p.Description = description; return p }

// InAllConfigurations is the probe in every context of its rule.
func (p Probe) InAllConfigurations() Probe { p.AllConfigurations = true; return p }

// AfterRejectionOf is the probe kept back where a simpler one, by its description, is not answered
// right.
func (p Probe) AfterRejectionOf(simpler string) Probe { p.RequiresRejectionOf = simpler; return p }

// IgnoringControl is the probe judged by itself: it does not rest on another valid request.
func (p Probe) IgnoringControl() Probe { p.IgnoresControl = true; return p }

// Expecting is the probe with what it should get.
func (p Probe) Expecting(e Expectation) Probe { p.Expectation = e; return p }

// Sampled is the probe tried by some runs only.
func (p Probe) Sampled(s spec.Sampling) Probe { p.Sampling = s; return p }

// CombineProbes is one probe, of one operation, that makes the edits of some, one after another.
// What these should get is left out.
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
