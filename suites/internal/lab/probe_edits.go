package lab

import (
	"context"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// As returns the probe under another description.
func (p Probe) As(description string) Probe { p.Description = description; return p }

// InAllConfigurations returns the probe tried in every configuration of its rule.
func (p Probe) InAllConfigurations() Probe { p.AllConfigurations = true; return p }

// Requiring returns the probe held back where unmet returns why.
func (p Probe) Requiring(unmet func(context.Context, *Lab) error) Probe {
	p.Requires = append(slices.Clip(p.Requires), unmet)
	return p
}

// AfterRejectionOf returns the probe held back unless one with a simpler defect, given by its
// description, is answered correctly; empty: there is none. Once a rule is seen to be broken, more
// requests of the kind would only create records and break other rules.
func (p Probe) AfterRejectionOf(description string) Probe {
	if description == "" {
		return p
	}
	return p.Requiring(func(ctx context.Context, l *Lab) error {
		simpler, known := l.FindProbe(p.Operation, description)
		if !known {
			panic("lab: nobody sends what a probe comes after, " + description)
		}
		if simpler.Answer.Launched() {
			if a, err := simpler.Answer.Get(ctx); err == nil && !simpler.IsExpected(a) {
				return spec.NotVerifiedf("",
					"not sent: a request with a similar defect was not rejected: %s", simpler.requestLabel())
			}
		}
		return nil
	})
}

// AfterAcceptanceOf returns the probe held back unless the same request without the defect is
// accepted. Otherwise a refusal shows nothing.
func (p Probe) AfterAcceptanceOf(valid AnswerObservation) Probe {
	return p.Requiring(func(ctx context.Context, _ *Lab) error { return RequireAccepted(ctx, valid) })
}

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
