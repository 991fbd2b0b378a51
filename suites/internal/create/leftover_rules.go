package create

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// correctedField is the field whose value is corrected.
const correctedField = "participation_percentage"

// declareCorrections declares the rule that a rejected creation leaves nothing behind. The
// document reserves 409 for conflicting identifiers, and a creation without a record conflicts
// with none.
func (s *Suite) declareCorrections() {
	s.Rule("create.repeat.corrected", Should, SectionErrors,
		"A rejected creation leaves nothing behind: corrected, it is accepted under the same "+
			"transaction ID and recorded as corrected.",
		spec.RestsOnNames(headerKeyPrefix+"transaction_id"), func() {
			seen := spec.ObserveAsCase(s.Plan, "a rejected creation, corrected", s.sendCorrection,
				spec.PhaseAfterAcceptances)
			s.itAcceptsUnderIDOf("a creation that was corrected", seen)
			s.itForgetsAnonymousCreations()
			s.It("gives the record of the corrected one", func(ctx spec.Context) {
				a := seen.Await(ctx)
				if !a.IsSuccess() {
					ctx.NotVerifiedf("", "it is not accepted")
				}
				flaw, _ := s.changedValue(acceptedRecord(ctx, a), fieldByName(correctedField))
				flaw.Evidence.Repeat = repeatCorrection(a)
				ctx.Expect(flaw).To(BeFlawless("The participation of a creation that was corrected",
					"the corrected one"))
			})
		})
}

// itForgetsAnonymousCreations declares a case that a creation refused for want of a credential does
// not use up its transaction ID.
func (s *Suite) itForgetsAnonymousCreations() {
	spec.Helper()
	seen := spec.ObserveAsCase(s.Plan, "a creation refused without a credential, sent with it",
		func(ctx spec.Context) target.Answer {
			var who *deployment.Credential
			refused, err := s.lab.SendInConfigurations(ctx, lab.Probe{
				Operation: client.OperationCreate, Label: "a creation without its credential",
				Expectation: lab.Expectation{Conclusive: answers.ConclusiveForCaller},
				Edit:        func(r *target.Request) { who, r.Credential = r.Credential, nil },
			})
			ctx.StopOnError(err)
			if !refused.IsClientError() || refused.PerformedMember() != "" {
				ctx.NotVerifiedf("", "it is not refused, see auth.missing")
			}
			return s.sendUnderIDOf(ctx, refused, "a creation refused before, with its credential",
				func(r *target.Request) { r.Credential = who })
		}, spec.PhaseAfterAcceptances)
	s.itAcceptsUnderIDOf("a creation that was refused before for want of a credential", seen)
}

// itAcceptsUnderIDOf declares a case that a creation is accepted under the transaction ID of a refused
// one.
func (s *Suite) itAcceptsUnderIDOf(what string, seen lab.AnswerObservation) {
	spec.Helper()
	s.It("accepts "+what, func(ctx spec.Context) {
		a := seen.Await(ctx)
		flaw := FlawUnless(a.IsSuccess(), a.String(),
			reproscript.ExpectStatus{Right: []string{"2xx"}})
		flaw.Evidence.Repeat = repeatCorrection(a)
		ctx.Expect(flaw).To(BeFlawless("A"+what[1:], "2xx"))
	})
}

// sendCorrection sends a creation that is rejected and, under the same transaction ID, the
// corrected one. It returns the answer to the latter.
func (s *Suite) sendCorrection(ctx spec.Context) target.Answer {
	wrong, err := s.lab.SendInConfigurations(ctx, withAmount(correctedField, "101"))
	ctx.StopOnError(err)
	if !wrong.IsClientError() {
		ctx.NotVerifiedf("",
			"a participation of 101 is not rejected, see create.participation.above_hundred")
	}
	return s.sendUnderIDOf(ctx, wrong, "a rejected creation, corrected",
		func(r *target.Request) { r.SetField(correctedField, json.Number("50")) })
}

// sendUnderIDOf sends a refused creation again, corrected, under another nonce.
func (s *Suite) sendUnderIDOf(
	ctx spec.Context, refused target.Answer, label string, correct func(*target.Request),
) target.Answer {
	a, err := s.lab.SendInConfigurations(ctx, lab.Probe{
		Operation: client.OperationCreate, Label: label,
		Expectation: lab.Expectation{
			Conclusive: answers.ConclusiveForCaller, Matcher: BeAccepted(),
		},
		Edit: func(r *target.Request) {
			nonce, label := r.Nonce, r.Label
			*r = refused.Sent
			r.Nonce, r.Label = nonce, label
			correct(r)
			r.MarkUnmodified()
		},
	})
	ctx.StopOnError(err)
	switch {
	case !a.IsSuccess() && len(a.Attempts) > 1:
		ctx.Inconclusivef("it was sent %d times, and an earlier attempt may have made the record: %s",
			len(a.Attempts), a)
	case s.lab.AcceptsNoMore(ctx, a):
		ctx.Inconclusivef("refused (%s), as another creation is", a)
	}
	a.Preceding = []*client.Exchange{refused.Exchange}
	return a
}

// repeatCorrection returns the requests that show it again: the rejected one and the corrected one.
func repeatCorrection(a target.Answer) []spec.RepeatRequest {
	return []spec.RepeatRequest{{Exchange: a.Preceding[0], AnyStatus: true}, {Exchange: a.Exchange}}
}

// declareOtherwiseSpelledRepeats declares the rule that a repeat is recognised in any language,
// by either method of authentication, and however its transaction ID is written.
func (s *Suite) declareOtherwiseSpelledRepeats() {
	s.Rule("create.repeat.otherwise", Should, SectionErrors,
		"A repeat in another language, by the other method of authentication, or with its transaction "+
			"ID in capitals, makes no second record.",
		func() {
			plain := s.observeFollowUp(followWithNewNonce)
			for _, o := range []struct {
				words string
				edit  func(*target.Request)
				unmet func(context.Context) error
			}{
				{"in another language", func(r *target.Request) { r.Language = "en-US" }, nil},
				{
					"with its transaction ID in capitals",
					func(r *target.Request) { r.Transaction = strings.ToUpper(r.Transaction) }, nil,
				},
				{"by the API key", func(r *target.Request) {
					r.Credential = s.target.Deployment.Credentials.APIKey
				}, s.differentUserError},
			} {
				seen := s.observeAfterControl("The first creation, repeated "+o.words,
					func(r *target.Request, first target.Request) {
						first.Nonce = r.Nonce
						*r = first
						o.edit(r)
					})
				s.It("makes no second record of a repeat "+o.words, func(ctx spec.Context) {
					stopUnlessRecognised(ctx, plain.Await(ctx))
					if o.unmet != nil {
						ctx.StopOnError(o.unmet(ctx))
					}
					if a := seen.Await(ctx); a.IsSuccess() {
						stopWithoutRecordID(ctx, a.Preceding[0])
						ctx.Expect(a).To(MakeNoSecondRecord())
					}
				}, spec.ThoroughOnly())
			}
		})
}

// differentUserError returns why the API key may belong to another user; nil: it does not.
func (s *Suite) differentUserError(ctx context.Context) error {
	if s.target.Deployment.Credentials.APIKey == nil {
		return spec.NotVerifiedf("credentials.api_key", "")
	}
	if one, err := s.lab.TokenAndKeyShareUser(ctx); err != nil || !one {
		return spec.NotVerifiedf("", "nothing shows that the token and the API key belong to one user")
	}
	return nil
}
