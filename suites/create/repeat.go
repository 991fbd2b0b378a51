package create

import (
	"context"
	"net/http"
	"slices"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// repeats are the two ways in which a creation is repeated.
type repeats struct {
	identical, newNonce *plan.Observation[matchers.Repetition]
}

// racers is how many creations are sent at one instant.
const racers = 16

func (s *suite) repeats(v variations) repeats {
	r := repeats{
		identical: s.repeat("a creation and the same again", func(first target.Creation) target.Creation { return first }),
		newNonce: s.repeat("a creation and the same again under another nonce", func(first target.Creation) target.Creation {
			first.Nonce = target.UUID()
			return first
		}),
	}

	// A creation repeated to the letter gets 409 or the record that exists; never another record, never a failure.
	s.repeated("create.repeat.identical", "the same again", r.identical)

	// However late: the run's first creation, repeated at its end.
	late := plan.ObserveLast(s.p, "the control's creation again, at the end of the run", s.late)
	s.repeated("create.repeat.identical", "the same again at the end of the run", late)

	// What a repeat is given is the record that exists, not one like it.
	for _, again := range []struct {
		name string
		seen *plan.Observation[matchers.Repetition]
	}{{"the same again", r.identical}, {"the same under another nonce", r.newNonce}} {
		s.p.It("create.repeat.same_record", again.name, plan.After(again.seen), func(ctx context.Context) {
			gomega.Expect(again.seen.Await(ctx)).To(matchers.GiveTheRecordThatExists())
		})
	}

	// A new nonce makes a new request, not a new representative.
	s.repeated("create.repeat.new_nonce", "the same under another nonce", r.newNonce)

	// All at once, the successes still are one record.
	s.racing("16 at once make one record", "16 identical creations at once", func(one target.Creation) []target.Creation {
		return slices.Repeat([]target.Creation{one}, racers)
	})

	// Another transaction ID is another representative.
	s.p.It("create.repeat.other_transaction", "two transaction IDs make two records", plan.After(v.another, s.c.Creation), func(ctx context.Context) {
		base, other := s.c.Creation.Await(ctx), v.another.Await(ctx)
		if other.Status == http.StatusConflict {
			gomega.Expect(other.Answer).To(matchers.BeAccepted())
		}
		if !other.Success() {
			s.p.Inconclusive("the second creation was not accepted: %s", target.Describe(other.Exchange))
		}
		s.needID(base.Exchange)
		s.needID(other.Exchange)
		gomega.Expect(matchers.Repetition{First: base.Exchange, Again: other.Exchange}).To(matchers.MakeAnotherRecord())
	})
	return r
}

// raceOfNonces: nor does it matter that each of them is a request of its own.
func (s *suite) raceOfNonces() {
	s.racing("16 at once under nonces of their own make one record", "16 creations at once that differ in their nonces", func(one target.Creation) []target.Creation {
		all := slices.Repeat([]target.Creation{one}, racers)
		for i := range all {
			all[i].Nonce = target.UUID()
		}
		return all
	})
}

func (s *suite) repeated(rule, name string, seen *plan.Observation[matchers.Repetition]) {
	s.p.It(rule, name, plan.After(seen), func(ctx context.Context) {
		r := seen.Await(ctx)
		if r.Again.Success() {
			s.needID(r.First)
		}
		gomega.Expect(r).To(matchers.MakeNoSecondRecord())
	})
}

// needID ends the check where a record cannot be told from others.
func (s *suite) needID(x *client.Exchange) {
	if _, ok := matchers.RecordID(x); !ok {
		s.p.NotVerified("", "the record carries no usable id, see create.response.id")
	}
}

// chains is how often an observation is started anew, at most (package plan decides that).
const chains = 5

// repeat declares a creation that is accepted, followed by another under the same transaction ID or nonce. The first
// one and the repeat belong together: when either gets no answer, both are made anew.
func (s *suite) repeat(what string, again change) *plan.Observation[matchers.Repetition] {
	tried, died := 0, 0
	return plan.Observe(s.p, what, func(ctx context.Context) (matchers.Repetition, error) {
		tried++
		sent, first, err := s.first(ctx, what+": the first")
		if err != nil {
			return matchers.Repetition{}, err
		}
		next := again(sent)
		next.Label = what + ": the repeat"
		x := s.t.Create(ctx, func() target.Creation { return next })
		if x.Status == http.StatusUnauthorized || x.Status == http.StatusForbidden {
			// About the caller, who was let in a moment ago: is that so in general, or for this request alone?
			if twin, alive := s.c.CreationAlive(ctx); !alive {
				return matchers.Repetition{}, plan.Unclear("the repeat got %s, and so did another request: %s", target.Describe(x), target.Describe(twin))
			}
			x = s.t.Create(ctx, func() target.Creation { return next })
		}
		r := matchers.Repetition{First: first, Again: x}
		if err := s.t.Usable(ctx, x); err != nil {
			if brokeDown(x) {
				died++
			}
			if tried == chains && died == chains {
				r.Died = died // the first was answered each time: it is the repeat that breaks the deployment
				return r, nil
			}
			return r, err
		}
		return r, nil
	})
}

// late repeats the control's creation, to the letter, when everything else of the run has ended.
func (s *suite) late(ctx context.Context) (matchers.Repetition, error) {
	base, err := s.c.Creation.Get(ctx)
	if err != nil {
		return matchers.Repetition{}, err
	}
	again := base.Sent
	again.Label = "the run's first creation again, at its end"
	x := s.t.Create(ctx, func() target.Creation { return again })
	if x.Status == http.StatusUnauthorized || x.Status == http.StatusForbidden {
		return matchers.Repetition{}, plan.Unclear("the repeat got %s, which is about the caller", target.Describe(x))
	}
	return matchers.Repetition{First: base.Exchange, Again: x}, s.t.Usable(ctx, x)
}

// brokeDown tells that the deployment gave no usable answer, for reasons other than our pace or an interrupt.
func brokeDown(x *client.Exchange) bool {
	if x.Err != nil {
		return x.Err.Kind == client.Reset || x.Err.Kind == client.TimedOut || x.Err.Kind == client.Garbled
	}
	return x.Status >= 500
}

// first makes a new representative, once the control was accepted.
func (s *suite) first(ctx context.Context, label string) (target.Creation, *client.Exchange, error) {
	var sent target.Creation
	if _, err := s.c.Creation.Get(ctx); err != nil {
		return sent, nil, err
	}
	x := s.t.Create(ctx, func() target.Creation {
		sent = s.t.Creation(label)
		return sent
	})
	if err := s.t.Usable(ctx, x); err != nil {
		return sent, x, err
	}
	if !x.Success() {
		return sent, x, plan.Unclear("the first creation was not accepted: %s", target.Describe(x))
	}
	return sent, x, nil
}

// racing declares creations under one transaction ID that arrive at one instant.
func (s *suite) racing(name, what string, all func(one target.Creation) []target.Creation) {
	race := plan.Observe(s.p, what, func(ctx context.Context) ([]*client.Exchange, error) {
		if _, err := s.c.Creation.Get(ctx); err != nil {
			return nil, err
		}
		return s.race(ctx, all(s.t.Creation("one of "+what)))
	})
	s.p.It("create.repeat.race", name, plan.After(race, s.c.Creation), func(ctx context.Context) {
		s.needID(s.c.Creation.Await(ctx).Exchange)
		gomega.Expect(race.Await(ctx)).To(matchers.MakeOneRecord())
	})
}

// race sends creations at one instant.
func (s *suite) race(ctx context.Context, all []target.Creation) ([]*client.Exchange, error) {
	answers := s.t.CreateTogether(ctx, all)
	if len(answers) < 2 {
		return answers, plan.Unmet("limits.in_flight", "a race needs at least 2 requests in flight")
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
		return answers, plan.Unclear("of %d creations at once under one transaction ID none was accepted", len(answers))
	}
	return answers, nil
}
