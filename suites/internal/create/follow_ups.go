package create

import (
	"context"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// followUp is what comes after a creation that was accepted, under the same transaction ID.
type followUp struct {
	description   string // as a subject: "The same creation again"
	identicalBody bool   // it repeats the body: it gets 409 or the record
	change        func(*target.Request)
}

// What follows a creation.
const (
	followIdentical      = "The same creation again"
	followWithNewNonce   = "The same creation under another nonce"
	followWithOtherBody  = "Another body under a used transaction ID"
	followAfterOtherBody = "The same creation after another body"
)

// followUps lists them for a context, what may overwrite the record last.
func (s *Suite) followUps(with design.Configuration) []followUp {
	anew := func(c *target.Request) { c.Nonce = target.NewUUID() }
	return []followUp{
		{followIdentical, true, func(*target.Request) {}},
		{followWithNewNonce, true, anew},
		{followWithOtherBody, false, func(c *target.Request) {
			// who it is does not depend on other chains
			other := s.target.NewCreation("another person, after " + c.Label)
			s.lab.ApplyConfiguration(&other, with)
			anew(c)
			c.Draft = other.Draft
		}},
		{followAfterOtherBody, false, anew},
	}
}

// followUpResult is a creation that was accepted with what came after it.
type followUpResult struct {
	RepeatedCreation
	err error // why nothing can be said of it
}

type followUpObservation = *spec.Observation[followUpResult]

func (r followUpResult) madeSecondRecord() bool { _, other := r.CompareRecordIDs(); return other }

// isExpected reports whether a repeat made no second record, and did not change the first.
func (f followUp) isExpected(r followUpResult) bool {
	same, _ := r.CompareRecordIDs()
	known := same || r.Repeat.Status == http.StatusConflict
	return len(r.ChangedFields()) == 0 && (known || !f.identicalBody) && !r.madeSecondRecord()
}

// observeFollowUp declares what follows a creation, plain and in the contexts of repeats, among
// others that follow it.
func (s *Suite) observeFollowUp(words string) followUpObservation {
	all := s.followUps(nil)
	f := all[slices.IndexFunc(all, func(f followUp) bool { return f.description == words })]
	return spec.Observe(s.Plan, words, func(ctx context.Context) (followUpResult, error) {
		in := append([]design.Configuration{nil},
			s.lab.ConfigurationsCoveringEachValue(lab.OperationCreate, "create.repeat")...)
		if found, err := s.observeFollowUps(nil).Get(ctx); err == nil &&
			!found[words].madeSecondRecord() {
			for _, with := range in { // side by side, where they leave no records behind
				s.observeFollowUps(with).Start(ctx)
			}
		}
		r, condition, err := lab.FindFailingConfiguration(ctx, s.lab, lab.OperationCreate, in,
			f.isExpected, func(with design.Configuration) (followUpResult, error) {
				among, err := s.observeFollowUps(with).Get(ctx)
				if err == nil {
					err = among[words].err
				}
				return among[words], err
			})
		r.Condition = condition
		return r, err
	})
}

// observeFollowUps declares a creation in a context and all that follows it, by its words.
func (s *Suite) observeFollowUps(
	with design.Configuration,
) *spec.Observation[map[string]followUpResult] {
	return spec.Observe(s.Plan, "a creation and its repeats, with "+with.String(),
		func(ctx context.Context) (map[string]followUpResult, error) {
			ctx = client.WithPriority(ctx, 0) // few others are as long, and a run is as long as they are
			first, err := s.createFirst(ctx, with)
			if err != nil {
				return nil, err
			}
			other, _ := s.lab.ControlCreation.Get(ctx) // in between: the last one alone may be remembered
			found := map[string]followUpResult{}
			for _, f := range s.followUps(with) {
				a, err := s.lab.SendUntilConclusive(ctx, answers.ConclusiveForField, func() *client.Exchange {
					return s.target.Send(ctx, func() target.Request {
						c := first.Sent
						f.change(&c)
						c.Label, c.CreateReserve = f.description, client.ReserveForRepeat
						return c
					})
					// another first one: the usual control is a repeat as well
				}, func(ctx context.Context) (*client.Exchange, bool) {
					a, err := s.createFirst(ctx, with)
					return a.Exchange, err == nil
				})
				r := RepeatedCreation{
					First: first.Exchange, Repeat: a.Exchange, Description: f.description,
					Between: []*client.Exchange{other.Exchange},
				}
				if f.description == followAfterOtherBody {
					r.Between = append(r.Between, found[followWithOtherBody].Repeat)
				}
				found[f.description] = followUpResult{r, err}
			}
			return found, nil
		})
}

// createFirst makes a new representative.
func (s *Suite) createFirst(ctx context.Context, with design.Configuration) (target.Answer, error) {
	a, err := s.lab.SendInConfigurations(ctx, lab.Probe{
		Operation: lab.OperationCreate, Label: "a creation that is repeated", Valid: true,
		Edit: func(r *target.Request) { s.lab.ApplyConfiguration(r, with) },
	})
	if err == nil && !a.IsSuccess() {
		err = spec.Inconclusivef("the first creation was not accepted: %s", a)
	}
	return a, err
}

// observeAfterControl declares a creation that follows the control's, and those that are sent in
// between, when everything else of the run has ended.
func (s *Suite) observeAfterControl(
	what string, follow func(r *target.Request, first target.Request), between ...answerObservation,
) followUpObservation {
	return spec.Observe(s.Plan, what, func(ctx context.Context) (r followUpResult, err error) {
		base, err := s.lab.ControlCreation.Get(ctx)
		if err != nil {
			return r, err
		}
		for _, o := range between {
			other, _ := o.Get(ctx)
			r.Between = append(r.Between, other.Exchange)
		}
		a, err := s.lab.SendInConfigurations(ctx, lab.Probe{
			Operation: lab.OperationCreate, Label: what,
			Expectation:   lab.Expectation{Conclusive: answers.ConclusiveForCaller},
			CreateReserve: client.ReserveForLate,
			Edit:          func(r *target.Request) { follow(r, base.Sent); r.Label = what },
		})
		r.First, r.Repeat, r.Description = base.Exchange, a.Exchange, what
		return r, err
	}, spec.PhaseLate)
}
