package create

import (
	"context"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// follow is what comes after a creation that was accepted, under the same transaction ID.
type follow struct {
	words  string // as a subject: "The same creation again"
	equal  bool   // it repeats the body: it gets 409 or the record
	change func(*target.Request)
}

// What follows a creation.
const (
	identical     = "The same creation again"
	underNewNonce = "The same creation under another nonce"
	otherBody     = "Another body under a used transaction ID"
	afterOther    = "The same creation after another body"
)

// follows lists them for a context, what may overwrite the record last.
func (s *Suite) follows(with design.Configuration) []follow {
	anew := func(c *target.Request) { c.Nonce = target.NewUUID() }
	return []follow{
		{identical, true, func(*target.Request) {}},
		{underNewNonce, true, anew},
		{otherBody, false, func(c *target.Request) {
			other := s.t.NewCreation("another person, after " + c.Label) // who it is does not depend on other chains
			s.lab.ApplyConfiguration(&other, with)
			anew(c)
			c.Draft = other.Draft
		}},
		{afterOther, false, anew},
	}
}

// repeated is a creation that was accepted with what came after it.
type repeated struct {
	Repetition
	err error // why nothing can be said of it
}

type repetition = *spec.Observation[repeated]

func (r repeated) secondRecord() bool { _, other := r.Kept(); return other }

// right reports whether a repeat made no second record, and did not change the first.
func (f follow) right(r repeated) bool {
	same, _ := r.Kept()
	known := same || r.Again.Status == http.StatusConflict
	return len(r.Changed()) == 0 && (known || !f.equal) && !r.secondRecord()
}

// repeat declares what follows a creation, plain and in the contexts of repeats, among others that follow it.
func (s *Suite) repeat(words string) repetition {
	all := s.follows(nil)
	f := all[slices.IndexFunc(all, func(f follow) bool { return f.words == words })]
	return spec.Observe(s.Plan, words, func(ctx context.Context) (repeated, error) {
		in := append([]design.Configuration{nil}, s.lab.CoverEachValue(lab.Create, "create.repeat")...)
		if found, err := s.followed(nil).Get(ctx); err == nil && !found[words].secondRecord() {
			for _, with := range in { // side by side, where they leave no records behind
				s.followed(with).Start(ctx)
			}
		}
		r, condition, err := lab.FindFailingConfiguration(ctx, s.lab, lab.Create, in, f.right, func(with design.Configuration) (repeated, error) {
			among, err := s.followed(with).Get(ctx)
			if err == nil {
				err = among[words].err
			}
			return among[words], err
		})
		r.Condition = condition
		return r, err
	})
}

// followed declares a creation in a context and all that follows it, by its words.
func (s *Suite) followed(with design.Configuration) *spec.Observation[map[string]repeated] {
	return spec.Observe(s.Plan, "a creation and its repeats, with "+with.String(),
		func(ctx context.Context) (map[string]repeated, error) {
			ctx = client.WithRank(ctx, 0) // few others are as long, and a run is as long as they are
			first, err := s.first(ctx, with)
			if err != nil {
				return nil, err
			}
			found := map[string]repeated{}
			for _, f := range s.follows(with) {
				a, err := s.lab.SendUntilConclusive(ctx, target.ConclusiveForField, func() *client.Exchange {
					return s.t.Send(ctx, func() target.Request {
						c := first.Sent
						f.change(&c)
						c.Label, c.CreateReserve = f.words, target.ReserveForRepeat
						return c
					})
				}, func(ctx context.Context) (*client.Exchange, bool) { // another first one: the usual control is a repeat as well
					a, err := s.first(ctx, with)
					return a.Exchange, err == nil
				})
				r := Repetition{First: first.Exchange, Again: a.Exchange, What: f.words}
				if f.words == afterOther {
					r.Between = []*client.Exchange{found[otherBody].Again}
				}
				found[f.words] = repeated{r, err}
			}
			return found, nil
		})
}

// first makes a new representative.
func (s *Suite) first(ctx context.Context, with design.Configuration) (target.Answer, error) {
	a, err := s.lab.SendInConfigurations(ctx, lab.Probe{
		Operation: lab.Create, Label: "a creation that is repeated", Valid: true, Edit: func(r *target.Request) { s.lab.ApplyConfiguration(r, with) },
	})
	if err == nil && !a.Success() {
		err = spec.Inconclusivef("the first creation was not accepted: %s", a)
	}
	return a, err
}

// afterControl declares a creation that follows the control's when everything else of the run has ended.
func (s *Suite) afterControl(what string, follow func(r *target.Request, first target.Request)) repetition {
	return spec.Observe(s.Plan, what, func(ctx context.Context) (r repeated, err error) {
		base, err := s.lab.ControlCreation.Get(ctx)
		if err != nil {
			return r, err
		}
		a, err := s.lab.SendInConfigurations(ctx, lab.Probe{
			Operation: lab.Create, Label: what, Expectation: lab.Expectation{Conclusive: target.ConclusiveForCaller}, CreateReserve: target.ReserveForLate,
			Edit: func(r *target.Request) { follow(r, base.Sent); r.Label = what },
		})
		r.Repetition = Repetition{First: base.Exchange, Again: a.Exchange, What: what}
		return r, err
	}, spec.PhaseLate)
}
