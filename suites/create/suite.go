// Package create verifies the creation of legal representatives: what a valid creation answers, what has to be
// rejected, repeats, the upload of documents, and what the API document leaves open.
package create

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/record"
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

// Declare declares the rules. Those that are judged on all records of a run stand at the end.
func (s *Suite) Declare() {
	s.Describe("creation", spec.Label("create"), func() {
		s.Group(spec.Needs("fixtures.shareholder_id"), spec.Using(s.c.Creation), func() {
			for _, topic := range []func(){
				s.defaults, s.required, s.types, s.shareholder, s.participation, s.money, s.cpf, s.dates, s.flags,
				s.qualification,
				s.email, s.wrongValues, s.ownFields, s.headers, s.products, s.together, s.permission, s.repeats, s.documents, s.bodies,
				s.observedRefusals, s.observedFields, s.observedValues, s.observedRepeats,
				s.success, s.response, s.echo,
			} {
				topic()
			}
		})
	})
}

// send declares a creation with a defect, settled as clear says.
func (s *Suite) send(clear target.Clear, e edit) answer {
	change, spares := edited(e), 0
	if s.Observing() {
		spares = evidenceTakes
	}
	return s.defective(label(e), e, func(ctx context.Context) (target.Answer, error) {
		return s.c.Creations(ctx, clear, nil, func(valid *target.Creation) {
			valid.Spares = spares
			change(valid)
		})
	})
}

// evidenceTakes is how many representatives what is only observed leaves to others: a rule that fails asks at the end
// of a run whether the deployment reads a name, with two creations (evidence).
const evidenceTakes = 2

// inCompany is send in rows of company, up to the first that does not reject the defect. What is sent plain is the
// request that others send as well.
func (s *Suite) inCompany(how rejection, e edit, in []control.Row) answer {
	if slices.Equal(in, []control.Row{control.Plain}) {
		return s.send(how.clear, e)
	}
	right := func(a target.Answer) bool {
		ok, err := how.matcher.Match(a)
		return ok && err == nil || e.fine != nil && e.fine(a)
	}
	var plain answer
	if slices.Contains(in, control.Plain) {
		plain = s.send(how.clear, e)
	}
	return s.defective(label(e)+fmt.Sprint(" in rows ", in), e, func(ctx context.Context) (target.Answer, error) {
		if plain != nil {
			if a, err := plain.Get(ctx); err != nil || !right(a) {
				return a, err
			}
			in = slices.DeleteFunc(slices.Clone(in), func(r control.Row) bool { return r == control.Plain })
		}
		return s.c.Answer(ctx, client.Create, in, right, func(with control.Company) (target.Answer, error) {
			if how.caller {
				with = with.Unscoped()
			}
			return s.c.Creations(ctx, how.clear, with, edited(e))
		})
	})
}

// defective declares what is sent with a defect, unless something keeps it back. It comes after what is meant to be
// accepted: a run may create few representatives, and a rejection that fails to happen uses one up. What is only
// observed comes last of all, and makes records of what the rules left.
func (s *Suite) defective(name string, e edit, send func(context.Context) (target.Answer, error)) answer {
	act := func(ctx context.Context) (target.Answer, error) {
		if e.before != nil {
			if err := e.before(ctx); err != nil {
				return target.Answer{}, err
			}
		}
		return send(ctx)
	}
	if s.Observing() {
		return spec.Observe(s.Plan, name, act, spec.AtEnd)
	}
	return spec.Observe(s.Plan, name, act, spec.Yielding)
}

// vary declares a valid creation. Where one of those that carry several sound things at once has this edit, it serves
// for it as well; only when that one was refused is the edit sent alone, so that the refusal of one thing hides nothing
// else.
func (s *Suite) vary(clear target.Clear, e edit) answer {
	var shared answer
	var others []edit
	for _, all := range s.bundles() {
		if i := slices.IndexFunc(all, func(one edit) bool { return one.name == e.name }); i >= 0 {
			shared = s.observeValid(clear, both(all...), nil)
			others = slices.Delete(slices.Clone(all), i, i+1)
		}
	}
	return s.observeValid(clear, e, shared, others...)
}

// observeValid declares a creation with an edit: the shared one that carries it beside others where that is accepted,
// and else one with nothing but the edit.
func (s *Suite) observeValid(clear target.Clear, e edit, shared answer, others ...edit) answer {
	seen := spec.Observe(s.Plan, label(e), func(ctx context.Context) (target.Answer, error) {
		send := func(e edit) (target.Answer, error) { return s.c.Creations(ctx, clear, nil, edited(e)) }
		if shared == nil {
			return send(e)
		}
		if a, err := shared.Get(ctx); err == nil && a.Success() {
			return a, nil
		}
		alone, err := send(e)
		if err != nil || !alone.Success() {
			return alone, err
		}
		for _, other := range others { // two sound things may be refused together
			pair, err := send(both(e, other))
			if err != nil || !pair.Refusal() {
				continue
			}
			if a, err := send(other); err == nil && a.Success() {
				pair.Condition = record.Only(other.name)
				return pair, nil
			}
		}
		return alone, nil
	})
	if !slices.Contains(s.valid, seen) { // the tree is built twice
		s.valid = append(s.valid, seen)
	}
	return seen
}

// edit changes a valid creation. Its name is all that reports and labels say of it.
type edit struct {
	name   string
	apply  func(c *target.Creation)
	before func(ctx context.Context) error // why it is not sent; nil: nothing keeps it back
	fine   func(target.Answer) bool        // of a defect: an acceptance that is right all the same; nil: none is
	often  bool                            // of a defect: it goes in every row
	plain  bool                            // of a defect: nothing more stands beside it
	doubts []doubt                         // of what must be accepted
}

// doubt ends a spec where a refusal may not be the deployment's fault.
type doubt func(ctx spec.Context, refused target.Answer)

// with changes one logical field. Values that may be personal are named by the caller (see changed).
func with(field string, value any) edit {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("a value of our own is not JSON: %v", err))
	}
	return changed(field+" "+string(text), func(c *target.Creation) { *c = c.With(field, value) })
}

// raw is with for a value that goes out as it is written.
func raw(field, value string) edit { return with(field, representative.Raw(value)) }

func without(fields ...string) edit {
	return changed("no "+strings.Join(fields, ", no "), func(c *target.Creation) { *c = c.Without(fields...) })
}

// changed is an edit of any kind.
func changed(name string, apply func(c *target.Creation)) edit { return edit{name: name, apply: apply} }

func both(all ...edit) edit {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.name
	}
	return changed(strings.Join(names, ", "), func(c *target.Creation) {
		for _, e := range all {
			e.apply(c)
		}
	})
}

func label(e edit) string { return "creation with " + e.name }

// edited makes a request out of a valid one.
func edited(e edit) func(valid *target.Creation) {
	return func(valid *target.Creation) {
		valid.Label = label(e)
		e.apply(valid)
	}
}

// typed is raw for a value of a JSON type (string, number), unless the deployment file says that the field is sent so.
func (s *Suite) typed(field, jsonType, value string) edit {
	return s.unlessSentAs(jsonType, field, raw(field, value))
}

func (s *Suite) unlessSentAs(jsonType, field string, e edit) edit {
	return e.after(func(context.Context) error {
		if s.t.Deployment.LegalRepresentative.FieldTypes[field] == jsonType {
			return spec.Unmet("", "legal_representative.field_types says that %s is sent as a %s", field, jsonType)
		}
		return nil
	})
}

// unless keeps a defect back where one like it was not rejected. Once a rule is seen to be broken, more of the same
// would only make representatives, and break other rules for the same reason.
func unless(alike answer, e edit) edit {
	return e.after(func(ctx context.Context) error {
		a, err := alike.Get(ctx)
		if err == nil && !a.Refusal() {
			return spec.Unmet("", "not sent: a request with a similar defect was not rejected")
		}
		return err
	})
}

// beside adds a defect to something valid that the control does not carry: where that alone was not accepted, a refusal
// says nothing about the defect.
func (s *Suite) beside(valid, defect edit) edit {
	twin := s.vary(target.AboutCaller, valid)
	e := both(valid, defect)
	e.name = defect.name
	if !strings.HasSuffix(defect.name, " as product") || !strings.HasPrefix(valid.name, "a product") {
		e.name += ", beside " + valid.name // which it does not replace
	}
	return e.after(func(ctx context.Context) error {
		a, err := twin.Get(ctx)
		if err == nil && a.Refusal() && a.Status != http.StatusTooManyRequests {
			return spec.Unmet("", "the same request without the defect is refused as well (%s)",
				target.Describe(a.Exchange))
		}
		if err == nil && !a.Success() {
			return spec.Unclear(
				"the same request without the defect was not accepted (%s), so a refusal would prove nothing",
				target.Describe(a.Exchange))
		}
		return err
	})
}

func (s *Suite) besides(valid edit, defects []edit) (all []edit) {
	for _, defect := range defects {
		all = append(all, s.beside(valid, defect))
	}
	return all
}

// after adds a reason not to send the edit.
func (e edit) after(reason func(ctx context.Context) error) edit {
	earlier := e.before
	e.before = func(ctx context.Context) error {
		if earlier != nil {
			if err := earlier(ctx); err != nil {
				return err
			}
		}
		return reason(ctx)
	}
	return e
}
