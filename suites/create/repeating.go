package create

import (
	"context"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

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
			if _, other := r.Kept(); other && with != nil {
				return list, nil // what follows could only leave more representatives behind
			}
		}
		return list, nil
	}
}

// repeatedIn is a repeat that needs a partner to go wrong, or any.
type repeatedIn struct {
	list []Repetition
	only []record.Setting
}

// inCompanyAgain repeats a creation in each row of company, to the letter, under another nonce, and with its transaction
// ID in capitals, and puts another person under its transaction ID.
func (s *Suite) inCompanyAgain() *spec.Observation[repeatedIn] {
	const what = "a creation, the same again, and another person under its transaction ID, with other options"
	return s.repeatIn(what, control.Accompanied(client.Create), 2, same, newNonce, s.otherBody, inCapitals)
}

// repeatIn declares a creation that is repeated in some rows of company, up to the first in which a repeat makes a
// second record, or changes the first. The first few repeats are of the same creation.
func (s *Suite) repeatIn(what string, in []control.Row, equal int, all ...next) *spec.Observation[repeatedIn] {
	right := func(list []Repetition) bool {
		for i, r := range list {
			_, other := r.Kept()
			known := r.Again.Status == http.StatusConflict || r.Again.Success()
			if other || len(r.Changed()) > 0 || i < equal && !known {
				return false
			}
		}
		return true
	}
	return spec.Observe(s.Plan, what, func(ctx context.Context) (r repeatedIn, err error) {
		r.list, r.only, err = control.Beside(ctx, s.c, client.Create, in, right,
			func(with control.Company) ([]Repetition, error) { return s.repeating(what, with, all...)(ctx) })
		return r, err
	})
}

// afterControl declares a creation that follows the control's when everything else of the run has ended.
func (s *Suite) afterControl(what string, follow next) repetitions {
	return spec.Observe(s.Plan, what, func(ctx context.Context) ([]Repetition, error) {
		base, err := s.c.Creation.Get(ctx)
		if err != nil {
			return nil, err
		}
		x := s.t.Create(ctx, func() target.Creation {
			again := follow(*base.Creation)
			again.Label = what
			return again
		})
		if aboutCaller(x) {
			return nil, spec.Unclear("the repeat got %s, which concerns the caller and not the repeat", target.Describe(x))
		}
		return []Repetition{{First: base.Exchange, Again: x}}, s.t.Usable(ctx, x)
	}, spec.AtEnd)
}

// late repeats the control's creation, to the letter.
func (s *Suite) late() repetitions {
	return s.afterControl("the run's first creation again, at its end", func(first target.Creation) target.Creation {
		first.Repeats = true
		return first
	})
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
func (s *Suite) first(ctx context.Context, label string, with control.Company) (target.Creation, *client.Exchange,
	error,
) {
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
	if x.Crashed() {
		return sent, x, spec.Transient("the first creation got %s", target.Describe(x))
	}
	if !x.Success() {
		return sent, x, spec.Unclear("the first creation was not accepted: %s", target.Describe(x))
	}
	return sent, x, nil
}

// race declares creations in company, under one transaction ID, that arrive at one instant.
func (s *Suite) race(what string, in control.Row, racers int, each next, when ...spec.Timing,
) *spec.Observation[[]*client.Exchange] {
	return spec.Observe(s.Plan, what, func(ctx context.Context) ([]*client.Exchange, error) {
		if _, err := s.c.Creation.Get(ctx); err != nil {
			return nil, err
		}
		company := s.c.Company(ctx, client.Create, in)
		all := slices.Repeat([]target.Creation{s.t.Creation("one of " + what).Beside(company.Create)}, racers)
		for i := range all {
			all[i] = each(all[i])
		}
		return s.raced(ctx, s.t.CreateTogether(ctx, all))
	}, when...)
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
