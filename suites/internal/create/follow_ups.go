package create

import (
	"cmp"
	"context"
	"net/http"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// followUp is a request that follows an accepted creation under the same transaction ID.
type followUp struct {
	description   string // a subject: "The same creation again"
	identicalBody bool   // it repeats the preceding body, so it gets 409 or the record
}

// The follow-ups.
var (
	followIdentical      = followUp{"The same creation again", true}
	followWithNewNonce   = followUp{"The same creation under another nonce", true}
	followWithOtherBody  = followUp{"Another body under a used transaction ID", false}
	followAfterOtherBody = followUp{"The same creation after another body", false}
)

// followUps returns the follow-ups in order. Those that may overwrite the record come last.
func followUps() []followUp {
	return []followUp{followIdentical, followWithNewNonce, followWithOtherBody, followAfterOtherBody}
}

// followUpRequest returns a follow-up of the first creation, in a configuration.
func (s *Suite) followUpRequest(
	f followUp, c target.Request, config design.Configuration,
) target.Request {
	if f == followWithOtherBody { // the other person does not depend on other chains
		other := s.target.NewCreation("another person, after " + c.Label)
		s.lab.ApplyConfiguration(&other, config)
		c.Draft = other.Draft
	}
	if f != followIdentical {
		c.Nonce = target.NewUUID()
	}
	c.Label, c.CreateReserve = f.description, client.ReserveForRepeat
	return c
}

func madeSecondRecord(a target.Answer) bool { _, other := CompareRecordIDs(a); return other }

// isExpected reports whether a repeat created no second record and did not change the first.
func (f followUp) isExpected(a target.Answer) bool {
	same, _ := CompareRecordIDs(a)
	known := same || a.Status == http.StatusConflict
	return len(ChangedFields(a)) == 0 && (known || !f.identicalBody) && !madeSecondRecord(a)
}

// observeFollowUp declares a follow-up among the others, without options and in configurations.
func (s *Suite) observeFollowUp(f followUp) lab.AnswerObservation {
	return spec.Observe(s.Plan, f.description, func(ctx context.Context) (target.Answer, error) {
		in := append([]design.Configuration{nil},
			s.lab.ConfigurationsCoveringEachValue(client.OperationCreate, "create.repeat")...)
		if found, err := s.observeFollowUps(nil).Get(ctx); err == nil &&
			!madeSecondRecord(found[f].Answer) {
			for _, config := range in { // concurrently, where they leave no records behind
				s.observeFollowUps(config).Start(ctx)
			}
		}
		return s.lab.FindFailingConfiguration(ctx, client.OperationCreate, in, f.isExpected,
			func(config design.Configuration) (target.Answer, error) {
				among, err := s.observeFollowUps(config).Get(ctx)
				return among[f].Answer, cmp.Or(err, among[f].err)
			})
	})
}

// followUpAnswer is the answer to a follow-up, or why there is none.
type followUpAnswer struct {
	target.Answer
	err error
}

// observeFollowUps declares a creation in a configuration and all its follow-ups.
func (s *Suite) observeFollowUps(
	config design.Configuration,
) *spec.Observation[map[followUp]followUpAnswer] {
	return spec.Observe(s.Plan, "a creation and its repeats, with "+config.String(),
		func(ctx context.Context) (map[followUp]followUpAnswer, error) {
			// it is one of the longest chains, which bound the duration of the run
			ctx = client.WithPriority(ctx, 0)
			first, err := s.createFirst(ctx, config)
			if err != nil {
				return nil, err
			}
			other, _ := s.lab.ControlCreation.Get(ctx) // some remember only the last request
			found := map[followUp]followUpAnswer{}
			for _, f := range followUps() {
				a, err := s.lab.SendUntilConclusive(ctx, answers.ConclusiveForField, func() *client.Exchange {
					return s.target.Send(ctx,
						func() target.Request { return s.followUpRequest(f, first.Sent, config) })
					// a new first creation, as the usual control is a repeat, too
				}, func(ctx context.Context) (*client.Exchange, bool) {
					a, err := s.createFirst(ctx, config)
					return a.Exchange, err == nil
				})
				a.Control = first.Exchange
				a.Preceding = []*client.Exchange{first.Exchange, other.Exchange}
				if f == followAfterOtherBody {
					a.Preceding = append(a.Preceding, found[followWithOtherBody].Exchange)
				}
				found[f] = followUpAnswer{a, err}
			}
			return found, nil
		})
}

// createFirst creates a new representative.
func (s *Suite) createFirst(
	ctx context.Context, config design.Configuration,
) (target.Answer, error) {
	a, err := s.lab.SendInConfigurations(ctx, lab.Probe{
		Operation: client.OperationCreate, Label: "a creation that is repeated", Valid: true,
		Edit: func(r *target.Request) { s.lab.ApplyConfiguration(r, config) },
	})
	if err == nil && !a.IsSuccess() {
		err = spec.Inconclusivef("the first creation was not accepted: %s", a)
	}
	return a, err
}

// observeAfterControl declares a creation that follows the control's at the end of the run. The
// control comes first in Preceding.
func (s *Suite) observeAfterControl(
	what string, follow func(r *target.Request, first target.Request),
	between ...lab.AnswerObservation,
) lab.AnswerObservation {
	return spec.ObserveAsCase(s.Plan, what, func(ctx spec.Context) target.Answer {
		base := s.lab.ControlCreation.Await(ctx)
		sent := []*client.Exchange{base.Exchange}
		for _, o := range between {
			other, _ := o.Get(ctx)
			sent = append(sent, other.Exchange)
		}
		a, err := s.lab.SendInConfigurations(ctx, lab.Probe{
			Operation: client.OperationCreate, Label: what,
			Expectation:   lab.Expectation{Conclusive: answers.ConclusiveForCaller},
			CreateReserve: client.ReserveForLate,
			Edit:          func(r *target.Request) { follow(r, base.Sent); r.Label = what },
		})
		ctx.StopOnError(err)
		a.Preceding = sent
		return a
	}, spec.PhaseLate)
}
