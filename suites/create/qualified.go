package create

import (
	"context"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// represents declares that a qualification is accepted, whoever the creation is made for.
func (s *Suite) represents(id, qualification string) {
	spec.Helper()
	e := qualified(qualification)
	s.Rule(id, Must, RequestTable, qualification+" is accepted as qualification.", func() {
		s.acceptedAnywhere(e)
		s.accepted("accepts a "+label(e)+beside, s.inRows(qualification))
		if f := s.t.Deployment.Fixtures; f.ProductID == "" || f.TargetUserID == "" {
			return
		}
		user := s.onBehalf()
		alone, together := s.vary(target.AboutCaller, user), s.vary(target.AboutCaller, both(e, user))
		plain := s.vary(target.AboutField, e)
		s.It("accepts a "+label(e)+", whoever it is for", func(ctx spec.Context) {
			if a := alone.Await(ctx); !a.Success() {
				ctx.NotVerified("", "%s is not accepted, see %s", user.name, spec.Ref("create.header.on_behalf_of.accepted"))
			}
			a := together.Await(ctx)
			notAboutIdentifiers(ctx, a)
			if plain.Await(ctx).Success() {
				a.Condition = record.Only(s.t.Deployment.LegalRepresentative.Headers.OnBehalfOf)
			}
			ctx.Expect(a).To(BeAccepted())
		})
	})
}

// swapped is a creation that carries a bundle in company, with another qualification than the row's.
type swapped struct {
	answer
	value string
}

// exchanged are the creations that carry a bundle in company, a row each, where the rows have exchanged their
// qualifications: over all bundles, each qualification stands beside each partner. The first bundle's have their own.
func (s *Suite) exchanged(bundle int) []swapped {
	if bundle == 0 {
		return nil
	}
	all, rows := both(s.accompaniedBundles()[bundle]...), control.Accompanied(client.Create)
	seen := make([]swapped, len(rows))
	for i, r := range rows {
		value := s.c.Qualification(rows[(i+bundle)%len(rows)])
		name := fmt.Sprintf("%s in row %d, which has the qualification of another", label(all), r)
		seen[i] = swapped{spec.Observe(s.Plan, name, func(ctx context.Context) (target.Answer, error) {
			with := s.c.Company(ctx, client.Create, r)
			return s.c.Creations(ctx, target.AboutField, with, edited(both(all, qualified(value))))
		}), value}
	}
	return seen
}

// wrongFor finds a creation with another qualification that is wrong, and not for its qualification alone.
func (s *Suite) wrongFor(ctx context.Context, exchanged []swapped) (a target.Answer, found bool) {
	for i, x := range exchanged {
		a, err := x.Get(ctx)
		if err != nil || s.intact(a) {
			continue
		}
		if a.Refusal() {
			with := s.c.Company(ctx, client.Create, control.Accompanied(client.Create)[i])
			alone, err := s.c.Creations(ctx, target.AboutField, with, edited(qualified(x.value)))
			if err != nil || !alone.Success() {
				continue
			}
		}
		a.Condition = []record.Setting{control.Qualified(x.value)}
		return a, true
	}
	return a, false
}

// inRows declares a creation with a qualification in one row of company after the other, up to the first in which it is
// refused and another is accepted. Where something else with it was accepted there, nothing more is sent.
func (s *Suite) inRows(value string) answer {
	rows := control.Accompanied(client.Create)
	at := slices.IndexFunc(rows, func(r control.Row) bool { return s.c.Qualification(r) == value })
	carried := make([]answer, len(rows))
	for bundle := range s.accompaniedBundles() {
		if bundle > 0 {
			i := (at - bundle + len(rows)) % len(rows)
			carried[i] = s.exchanged(bundle)[i].answer
		}
	}
	plain, joint := s.vary(target.AboutField, qualified(value)), s.c.Joint(client.Create, rows[at])
	s.Uses(joint)
	name := label(qualified(value)) + ", with other options"
	return spec.Observe(s.Plan, name, func(ctx context.Context) (a target.Answer, err error) {
		if a, err = plain.Get(ctx); err != nil || !a.Success() {
			return a, err // it is not a matter of what stands beside it
		}
		for i, r := range rows {
			if carried[i] == nil {
				if company := s.c.Company(ctx, client.Create, r); company.Qualified() {
					continue // it was accepted with the rest of the row
				}
			} else if a, err = carried[i].Get(ctx); err == nil && a.Success() {
				continue
			}
			a, err = s.c.Answer(ctx, client.Create, []control.Row{r}, target.Answer.Success,
				func(with control.Company) (target.Answer, error) {
					return s.c.Creations(ctx, target.AboutField, with, edited(qualified(value)))
				})
			if err != nil || !a.Success() {
				return a, err
			}
		}
		return a, nil
	})
}

// partnersAnywhere declares the spec that PARTNER, which an ordinary creation has, is accepted whoever it is made by
// and for: it is to blame where the creation is accepted once another qualification takes its place.
func (s *Suite) partnersAnywhere() {
	spec.Helper()
	f, all := s.t.Deployment.Fixtures, s.t.Deployment.Credentials
	type caller struct {
		edit
		partner string
		alone   answer
	}
	var callers []caller
	add := func(e edit, partner string) {
		callers = append(callers, caller{e, partner, s.vary(target.AboutCaller, e)})
	}
	if f.ProductID != "" && f.TargetUserID != "" {
		add(s.onBehalf(), s.t.Deployment.LegalRepresentative.Headers.OnBehalfOf)
	}
	if all.PlatformToken != nil && all.APIKey != nil {
		add(s.apiKey(), control.ByKey)
	}
	partner := qualified("PARTNER")
	send := func(ctx context.Context, e edit) (target.Answer, error) {
		return s.c.Creations(ctx, target.AboutCaller, nil, edited(e))
	}
	s.accepted("accepts a "+label(partner)+beside, spec.Observe(s.Plan, label(partner)+", by and for others",
		func(ctx context.Context) (a target.Answer, err error) {
			for _, who := range callers {
				if a, err = who.alone.Get(ctx); err != nil || !a.Refusal() {
					continue // another rule's matter, unless it was accepted
				}
				other, err := send(ctx, both(qualified("OTHER"), who.edit))
				if err != nil || !other.Success() {
					continue
				}
				// Once more as it was, so that a passing trouble is not taken for a refusal.
				if a, err = send(ctx, who.edit); err == nil && a.Refusal() {
					a.Condition = record.Only(who.partner)
					return a, nil
				}
			}
			return s.c.Creation.Get(ctx)
		}))
}
