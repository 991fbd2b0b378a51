package create

import (
	"context"
	"net/http"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// repetitions are a creation that was accepted and what came after it, each beside the first.
type repetitions = *spec.Observation[[]Repetition]

type next func(first target.Creation) target.Creation

func same(first target.Creation) target.Creation { return first }

func newNonce(first target.Creation) target.Creation {
	first.Nonce = target.UUID()
	return first
}

func (s *Suite) identical() repetitions { return s.repeat("a creation and the same again", same) }

func (s *Suite) underNewNonce() repetitions {
	return s.repeat("a creation and the same again under another nonce", newNonce)
}

func (s *Suite) underOtherBody() repetitions {
	otherBody := func(first target.Creation) target.Creation {
		other := s.t.Creation("another person under its transaction ID")
		other.Transaction = first.Transaction
		return other
	}
	return s.repeat("a creation and another person under its transaction ID", otherBody, newNonce)
}

func (s *Suite) repeats() {
	Describe("repeats", func() {
		s.Group(spec.Names(headerKeys+"transaction_id"), s.repeated)

		s.Rule("create.repeat.other_transaction", Must, CreateOperation,
			"Two creations with different transaction IDs are two records.", func() {
				seen := s.vary(target.AboutField, another())
				It("accepts a second creation under another transaction ID", func(ctx SpecContext) {
					base, other := s.c.Creation.Await(ctx), seen.Await(ctx)
					if other.Status == http.StatusConflict {
						Expect(other).To(BeAccepted())
					}
					if !other.Success() {
						spec.Inconclusive("the second creation was not accepted: %s", target.Describe(other.Exchange))
					}
					needID(base.Exchange)
					needID(other.Exchange)
					Expect(Repetition{First: base.Exchange, Again: other.Exchange}).To(MakeAnotherRecord())
				})
			})
	})
}

func (s *Suite) repeated() {
	s.Rule("create.repeat.identical", Must, Errors,
		"The same creation again, to the letter, gets 409 or the record that exists; never a second record.", func() {
			s.oneRecord("gives the same again 409 or the record", "The same creation again", s.identical())
			inCompany := s.identicalIn()
			It("does so whatever stands beside it", func(ctx SpecContext) {
				found := inCompany.Await(ctx)
				for _, r := range found.list {
					if r.Again.Success() {
						needID(r.First)
					}
					Expect(r).To(MakeNoSecondRecord("The same creation again"), found.only)
				}
			})
			late := spec.ObserveLast(s.Plan, "the control's creation again, at the end of the run", s.late)
			s.oneRecord("does so at the end of the run", "The first creation again at the end of the run", late, Serial)
		})

	s.Rule("create.repeat.new_nonce", Must, Errors,
		"The same creation under another nonce gets 409 or the record that exists; never a second record.", func() {
			s.oneRecord("gives the same under another nonce 409 or the record", "The same creation under another nonce", s.underNewNonce())
		})

	s.Rule("create.repeat.unchanged", Should, Errors, "The record that exists is unchanged by a repeat.", func() {
		s.unchanged("gives the same again the record as it was", s.identical())
		s.unchanged("gives the same under another nonce the record as it was", s.underNewNonce())
	})

	s.Rule("create.repeat.other_body", Should, Errors,
		"The same transaction ID under another body makes no second record, and changes nothing of the first.", func() {
			plain, seen := s.underNewNonce(), s.underOtherBody()
			BeforeEach(func(ctx SpecContext) {
				r := plain.Await(ctx)[0]
				if _, other := r.Kept(); other || len(r.Changed()) > 0 {
					spec.NotVerified("",
						"a repeat with the same body is not recognised, or changes the record; see create.repeat.unchanged")
				}
			})
			It("makes no second record", func(ctx SpecContext) {
				r := seen.Await(ctx)[0]
				needID(r.First)
				Expect(r).NotTo(MakeAnotherRecord())
			})
			s.unchanged("changes nothing of the first", seen)
		})

	s.Rule("create.repeat.race", Should, Errors,
		"Of many identical creations at once, all that succeed carry one and the same ID.", spec.Security, func() {
			s.racing("gives 16 at once one record", s.race("16 identical creations at once", same))
			s.racing("gives 16 at once under nonces of their own one record",
				s.race("16 creations at once that differ in their nonces", newNonce).Postpone()) // unclear answers count as records
		})
}

func (s *Suite) oneRecord(text, what string, seen repetitions, decorators ...any) {
	It(text, types.NewCodeLocation(1), decorators, func(ctx SpecContext) {
		for _, r := range seen.Await(ctx) {
			if r.Again.Success() {
				needID(r.First)
			}
			Expect(r).To(MakeNoSecondRecord(what))
		}
	})
}

func (s *Suite) unchanged(text string, seen repetitions) {
	It(text, types.NewCodeLocation(1), func(ctx SpecContext) {
		for _, r := range seen.Await(ctx) {
			Expect(r).To(GiveTheRecordThatExists())
		}
	})
}

func (s *Suite) racing(text string, race *spec.Observation[[]*client.Exchange]) {
	It(text, types.NewCodeLocation(1), func(ctx SpecContext) {
		needID(s.c.Creation.Await(ctx).Exchange)
		Expect(race.Await(ctx)).To(MakeOneRecord())
	})
}

// needID ends the spec where a record cannot be told from others.
func needID(x *client.Exchange) {
	if _, ok := RecordID(x); !ok {
		spec.NotVerified("", "the record carries no usable id, see create.response.id")
	}
}

// chains is how often an observation is started anew, at most (package spec decides that).
const chains = 5

// repeat declares a creation that is accepted, followed by others of the same transaction ID, nonce or person. They
// belong together: when one of them gets no answer, all are made anew.
func (s *Suite) repeat(what string, all ...next) repetitions {
	return spec.Observe(s.Plan, what, s.repeating(what, nil, all...))
}

// repeating makes the act of repeat, in company.
func (s *Suite) repeating(what string, with control.Company, all ...next) func(context.Context) ([]Repetition, error) {
	tried, died := 0, 0
	return func(ctx context.Context) ([]Repetition, error) {
		tried++
		sent, first, err := s.first(ctx, what+": the first", with)
		if err != nil {
			return nil, err
		}
		var list []Repetition
		for _, follow := range all {
			again := follow(sent)
			again.Label = what + ": the repeat"
			send := func() *client.Exchange { return s.t.Create(ctx, func() target.Creation { return again }) }
			x := send()
			if aboutCaller(x) { // who was let in a moment ago: is that so in general, or for this request alone?
				if twin, alive := s.c.CreationAlive(ctx); !alive {
					return nil, spec.Unclear("the repeat got %s, and so did another request: %s", target.Describe(x),
						target.Describe(twin))
				}
				x = send()
			}
			r := Repetition{First: first, Again: x}
			if err := s.t.Usable(ctx, x); err != nil {
				if len(list) > 0 && x.Err != nil && x.Err.Kind == client.Budget {
					return list, nil
				}
				if broke(x) {
					died++
				}
				if tried < chains || died < chains {
					return nil, err
				}
				r.Died = died // the first was answered each time: it is the repeat that breaks the deployment
				return append(list, r), nil
			}
			list = append(list, r)
		}
		return list, nil
	}
}

// repeatedIn is a repeat that needs a partner to go wrong, or any.
type repeatedIn struct {
	list []Repetition
	only string
}

// identicalIn repeats a creation in company.
func (s *Suite) identicalIn() *spec.Observation[repeatedIn] {
	const what = "a creation and the same again, in company"
	right := func(list []Repetition) bool {
		return !slices.ContainsFunc(list, func(r Repetition) bool {
			ok, err := MakeNoSecondRecord("").Match(r)
			return !ok || err != nil
		})
	}
	return spec.Observe(s.Plan, what, func(ctx context.Context) (r repeatedIn, err error) {
		r.list, r.only, err = control.Beside(ctx, s.c, client.Create, []control.Row{control.First, control.Second}, right,
			func(with control.Company) ([]Repetition, error) { return s.repeating(what, with, same)(ctx) })
		return r, err
	})
}

// late repeats the control's creation, to the letter, when everything else of the run has ended.
func (s *Suite) late(ctx context.Context) ([]Repetition, error) {
	base, err := s.c.Creation.Get(ctx)
	if err != nil {
		return nil, err
	}
	again := *base.Creation
	again.Label = "the run's first creation again, at its end"
	x := s.t.Create(ctx, func() target.Creation { return again })
	if aboutCaller(x) {
		return nil, spec.Unclear("the repeat got %s, which is about the caller", target.Describe(x))
	}
	return []Repetition{{First: base.Exchange, Again: x}}, s.t.Usable(ctx, x)
}

func aboutCaller(x *client.Exchange) bool {
	return x.Status == http.StatusUnauthorized || x.Status == http.StatusForbidden
}

// broke reports that the deployment gave no usable answer, for reasons other than our pace or an interrupt.
func broke(x *client.Exchange) bool {
	if x.Err != nil {
		return x.Err.Kind == client.Reset || x.Err.Kind == client.TimedOut || x.Err.Kind == client.Garbled
	}
	return x.Status >= 500
}

// first makes a new representative, once the control was accepted.
func (s *Suite) first(ctx context.Context, label string, with control.Company) (target.Creation, *client.Exchange, error) {
	var sent target.Creation
	if _, err := s.c.Creation.Get(ctx); err != nil {
		return sent, nil, err
	}
	x := s.t.Create(ctx, func() target.Creation {
		sent = s.t.Creation(label).Beside(with.Create)
		return sent
	})
	if err := s.t.Usable(ctx, x); err != nil {
		return sent, x, err
	}
	if !x.Success() {
		return sent, x, spec.Unclear("the first creation was not accepted: %s", target.Describe(x))
	}
	return sent, x, nil
}

// racers is how many creations are sent at one instant.
const racers = 16

// race declares creations under one transaction ID that arrive at one instant.
func (s *Suite) race(what string, each next) *spec.Observation[[]*client.Exchange] {
	return spec.Observe(s.Plan, what, func(ctx context.Context) ([]*client.Exchange, error) {
		if _, err := s.c.Creation.Get(ctx); err != nil {
			return nil, err
		}
		all := slices.Repeat([]target.Creation{s.t.Creation("one of " + what)}, racers)
		for i := range all {
			all[i] = each(all[i])
		}
		return s.raced(ctx, s.t.CreateTogether(ctx, all))
	})
}

// raced looks for a reason to judge nothing by what a race got.
func (s *Suite) raced(ctx context.Context, answers []*client.Exchange) ([]*client.Exchange, error) {
	if len(answers) < 2 {
		return answers, spec.Unmet("limits.in_flight", "a race needs at least 2 requests in flight")
	}
	usable, created, broken := 0, 0, 0
	var trouble error
	for _, x := range answers {
		switch err := s.t.Usable(ctx, x); {
		case err != nil:
			trouble = err
			continue
		case x.Success():
			created++
		case x.Status >= 500:
			broken++
		}
		usable++
	}
	switch {
	case usable < 2 && trouble != nil:
		return answers, trouble
	case created == 0 && broken == 0:
		return answers, spec.Unclear("of %d creations at once under one transaction ID none was accepted", len(answers))
	}
	return answers, nil
}
