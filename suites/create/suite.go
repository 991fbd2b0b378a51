// Package create checks the creation of legal representatives: what a valid creation answers, what has to be rejected,
// repeats, the upload of documents, and what the API document leaves open.
package create

import (
	"context"
	"net/http"
	"strings"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// suite is the plan under construction.
type suite struct {
	p *plan.Plan
	t *target.Target
	c *control.Controls

	made []variation // valid creations other than the control
}

// made is a creation that is meant to be accepted, and what it got.
type made struct {
	target.Answer
	Sent target.Creation
}

// variation is a valid creation that differs from the control in a few things.
type variation struct {
	what string // "a creation with ..."
	seen *plan.Observation[made]
}

// Add declares the suite. What expects acceptance comes first: a run may create few representatives, and a rejection
// that fails to happen uses one up as well.
func Add(p *plan.Plan, t *target.Target, c *control.Controls) {
	p.Suite("create")
	s := &suite{p: p, t: t, c: c}
	v := s.variations()

	s.success()
	s.response()
	s.echo(v)
	s.defaults(v)
	s.participationAccepted(v)
	s.moneyAccepted(v)
	s.cpfAccepted(v)
	s.datesAccepted(v)
	s.qualificationsAccepted(v)
	s.headersAccepted(v)
	repeats := s.repeats(v)
	s.documents()
	s.echoOfOddities(v)
	s.wholeRun()

	r := s.rejections(v)
	s.observed(r, repeats)
	s.raceOfNonces() // where answers are unclear, each of them counts as a representative
}

// rejections declares everything that has to be refused, and returns one refusal of each kind for the record.
func (s *suite) rejections(v variations) []kind {
	var kinds []kind
	for _, family := range []func() []kind{
		s.required, s.wrongTypes, s.shareholder, s.participationRejected, s.moneyRejected, s.cpfRejected, s.datesRejected,
		s.flagsRejected, s.qualificationsRejected, s.emailRejected, func() []kind { return s.headersRejected(v) }, s.permission, s.bodies,
	} {
		kinds = append(kinds, family()...)
	}
	return kinds
}

// kind is one representative refusal of a kind, whose status is recorded.
type kind struct {
	name string
	key  string // deployment file key without which it is never sent; empty: none
	seen *plan.Observation[target.Answer]
}

// change makes a request out of a valid one.
type change func(valid target.Creation) target.Creation

// send declares a creation that a check or an observation is about, settled as clear says.
func (s *suite) send(label string, clear target.Clear, edit change) *plan.Observation[target.Answer] {
	return plan.Observe(s.p, label, func(ctx context.Context) (target.Answer, error) {
		return s.c.Creations(ctx, clear, labelled(label, edit))
	})
}

func labelled(label string, edit change) change {
	return func(valid target.Creation) target.Creation {
		valid.Label = label
		return edit(valid)
	}
}

// vary declares a valid creation.
func (s *suite) vary(what string, clear target.Clear, edit change) *plan.Observation[made] {
	seen := plan.Observe(s.p, what, func(ctx context.Context) (made, error) {
		var sent target.Creation
		a, err := s.c.Creations(ctx, clear, func(valid target.Creation) target.Creation {
			sent = labelled(what, edit)(valid)
			return sent
		})
		return made{a, sent}, err
	})
	s.made = append(s.made, variation{what, seen})
	return seen
}

// accepts declares the check that a valid creation is accepted.
func (s *suite) accepts(rule, name string, seen *plan.Observation[made]) {
	s.p.It(rule, name, plan.After(seen), func(ctx context.Context) {
		m := seen.Await(ctx)
		if m.Status == http.StatusConflict {
			s.p.Inconclusive("answered 409, which is about identifiers, and these were fresh; see create.repeat.other_transaction")
		}
		gomega.Expect(m.Answer).To(matchers.BeAccepted())
	})
}

// rejects declares the check that a defect is rejected by a 4xx that speaks about it.
func (s *suite) rejects(rule, name string, edit change) *plan.Observation[target.Answer] {
	return s.rejected(rule, name, s.send(label(rule, name), target.AboutField, edit))
}

func (s *suite) rejected(rule, name string, seen *plan.Observation[target.Answer]) *plan.Observation[target.Answer] {
	s.p.It(rule, name, plan.After(seen), func(ctx context.Context) {
		gomega.Expect(seen.Await(ctx)).To(matchers.BeRejected())
	})
	return seen
}

// refuses declares the check that something about the caller, a header or ownership is refused: any 4xx.
func (s *suite) refuses(rule, name string, edit change) *plan.Observation[target.Answer] {
	seen := s.send(label(rule, name), target.AboutCaller, edit)
	s.p.It(rule, name, plan.After(seen), func(ctx context.Context) {
		gomega.Expect(seen.Await(ctx)).To(matchers.BeRefused())
	})
	return seen
}

// rejectsType declares the check that a field given as a JSON type (string, number) is rejected, unless the deployment
// file says that this is how the field is sent.
func (s *suite) rejectsType(rule, name, field, jsonType string, edit change) *plan.Observation[target.Answer] {
	what := label(rule, name)
	return s.rejected(rule, name, plan.Observe(s.p, what, func(ctx context.Context) (target.Answer, error) {
		if s.t.Deployment.LegalRepresentative.FieldTypes[field] == jsonType {
			return target.Answer{}, plan.Unmet("", "legal_representative.field_types has %s sent as a %s", field, jsonType)
		}
		return s.c.Creations(ctx, target.AboutField, labelled(what, edit))
	}))
}

// label tells what a request of a check is: the rule without the operation, and the check's name.
func label(rule, name string) string {
	return strings.TrimPrefix(rule, "create.") + ": " + name
}

// with changes one logical field.
func with(field string, value any) change {
	return func(valid target.Creation) target.Creation { return valid.With(field, value) }
}

// without leaves out logical fields.
func without(fields ...string) change {
	return func(valid target.Creation) target.Creation { return valid.Without(fields...) }
}
