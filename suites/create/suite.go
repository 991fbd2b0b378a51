// Package create verifies the creation of legal representatives: what a valid creation answers, what has to be rejected,
// repeats, the upload of documents, and what the API document leaves open.
package create

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

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

	valid []answer // valid creations other than the control
}

// answer is a creation and what it got.
type answer = *spec.Observation[target.Answer]

// New makes the suite.
func New(p *spec.Plan, t *target.Target, c *control.Controls) *Suite {
	return &Suite{Plan: p, t: t, c: c}
}

// Describe declares the rules, in the order in which the document speaks of them.
func (s *Suite) Describe() {
	s.valid = nil
	Describe("creation", Label("create"), func() {
		s.Group(spec.Needs("fixtures.shareholder_id"), spec.Using(s.c.Creation), func() {
			s.participation()
		})
	})
}

// edit changes a valid creation in one thing. Its name is all that reports and labels say of it.
type edit struct {
	name  string
	apply func(valid target.Creation) target.Creation
}

// with changes one logical field. Values that may be personal are named by the caller (see named).
func with(field string, value any) edit {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("a value of our own that is not JSON: %v", err))
	}
	return edit{field + " " + string(text), func(valid target.Creation) target.Creation { return valid.With(field, value) }}
}

// without leaves out logical fields.
func without(fields ...string) edit {
	return edit{"no " + strings.Join(fields, ", no "), func(valid target.Creation) target.Creation { return valid.Without(fields...) }}
}

// named is an edit of any kind.
func named(name string, apply func(valid target.Creation) target.Creation) edit {
	return edit{name, apply}
}

func label(edits []edit) string {
	names := make([]string, len(edits))
	for i, e := range edits {
		names[i] = e.name
	}
	return "creation with " + strings.Join(names, ", ")
}

// edited makes a request out of a valid one.
func edited(edits []edit) func(valid target.Creation) target.Creation {
	return func(valid target.Creation) target.Creation {
		valid.Label = label(edits)
		for _, e := range edits {
			valid = e.apply(valid)
		}
		return valid
	}
}

// send declares a creation with a defect, settled as clear says. It comes after those that are meant to be accepted: a run
// may create few representatives, and a rejection that fails to happen uses one up.
func (s *Suite) send(clear target.Clear, edits ...edit) answer {
	return spec.Observe(s.Plan, label(edits), func(ctx context.Context) (target.Answer, error) {
		return s.c.Creations(ctx, clear, edited(edits))
	}).Postpone()
}

// sendUnless is send for a defect that is sent only where one like it was rejected. Once a rule is seen to be broken, more
// of the same would only make representatives.
func (s *Suite) sendUnless(accepted answer, clear target.Clear, edits ...edit) answer {
	return spec.Observe(s.Plan, label(edits), func(ctx context.Context) (target.Answer, error) {
		a, err := accepted.Get(ctx)
		switch {
		case err != nil:
			return target.Answer{}, err
		case a.Success():
			return target.Answer{}, spec.Unmet("", "not sent, since a value with a defect alike was accepted")
		}
		return s.c.Creations(ctx, clear, edited(edits))
	}).Postpone()
}

// sendTyped is send for a field given as a JSON type (string, number), unless the deployment file says that this is how
// the field is sent.
func (s *Suite) sendTyped(field, jsonType string, edits ...edit) answer {
	return spec.Observe(s.Plan, label(edits), func(ctx context.Context) (target.Answer, error) {
		if s.t.Deployment.LegalRepresentative.FieldTypes[field] == jsonType {
			return target.Answer{}, spec.Unmet("", "legal_representative.field_types has %s sent as a %s", field, jsonType)
		}
		return s.c.Creations(ctx, target.AboutField, edited(edits))
	}).Postpone()
}

// vary declares a valid creation.
func (s *Suite) vary(clear target.Clear, edits ...edit) answer {
	seen := spec.Observe(s.Plan, label(edits), func(ctx context.Context) (target.Answer, error) {
		return s.c.Creations(ctx, clear, edited(edits))
	})
	s.valid = append(s.valid, seen)
	return seen
}
