// Package create verifies the creation of legal representatives: what a valid creation answers, what has to be
// rejected, repeats, the upload of documents, and what the API document leaves open.
package create

import (
	"context"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of creations.
type Suite struct {
	*spec.Plan
	t *target.Target
	c *control.Controls

	valid []answer // valid creations other than the control; filled when the tree is built first
}

type answer = *spec.Observation[target.Answer]

// New makes the suite.
func New(p *spec.Plan, t *target.Target, c *control.Controls) *Suite {
	return &Suite{Plan: p, t: t, c: c}
}

// Describe declares the rules. Those that are judged on all records of a run stand at the end.
func (s *Suite) Describe() {
	Describe("creation", Label("create"), func() {
		s.Group(spec.Needs("fixtures.shareholder_id"), spec.Using(s.c.Creation), func() {
			for _, topic := range []func(){
				s.defaults, s.required, s.types, s.shareholder, s.participation, s.money, s.cpf, s.dates, s.flags, s.qualification,
				s.email, s.headers, s.products, s.permission, s.repeats, s.documents, s.bodies,
				s.observedRefusals, s.observedFields, s.observedValues, s.observedRepeats,
				s.success, s.response, s.echo,
			} {
				topic()
			}
		})
	})
}

// send declares a creation with a defect, settled as clear says. It comes after those that are meant to be accepted: a
// run may create few representatives, and a rejection that fails to happen uses one up.
func (s *Suite) send(clear target.Clear, e edit) answer {
	return spec.Observe(s.Plan, label(e), func(ctx context.Context) (target.Answer, error) {
		if e.before != nil {
			if err := e.before(ctx); err != nil {
				return target.Answer{}, err
			}
		}
		return s.c.Creations(ctx, clear, edited(e))
	}).Postpone()
}

// vary declares a valid creation. Where one of those that carry several sound things at once has this edit, it serves
// for it as well; only when that one was refused is the edit sent alone, so that the refusal of one thing hides nothing
// else.
func (s *Suite) vary(clear target.Clear, e edit) answer {
	var shared answer
	for _, all := range s.together() {
		if slices.ContainsFunc(all, func(one edit) bool { return one.name == e.name }) {
			shared = s.observeValid(clear, both(all...), nil)
		}
	}
	return s.observeValid(clear, e, shared)
}

func (s *Suite) observeValid(clear target.Clear, e edit, shared answer) answer {
	seen := spec.Observe(s.Plan, label(e), func(ctx context.Context) (target.Answer, error) {
		if shared != nil {
			if a, err := shared.Get(ctx); err == nil && a.Success() {
				return a, nil
			}
		}
		return s.c.Creations(ctx, clear, edited(e))
	})
	if !slices.Contains(s.valid, seen) { // the tree is built twice
		s.valid = append(s.valid, seen)
	}
	return seen
}
