package create

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// correction is a rejected creation, and the answer to its corrected form.
type correction struct {
	rejected *client.Exchange
	target.Answer
}

// repeatRequests returns the requests that show it again. The first is rejected.
func (c correction) repeatRequests() []spec.RepeatRequest {
	return []spec.RepeatRequest{{Exchange: c.rejected, AnyStatus: true}, {Exchange: c.Exchange}}
}

// declareCorrections declares the rule that a rejected creation leaves nothing behind. The
// document reserves 409 for conflicting identifiers, and a creation without a record conflicts
// with none.
func (s *Suite) declareCorrections() {
	const share = "participation_percentage"
	s.Rule("create.repeat.corrected", Should, SectionErrors,
		"A creation that was rejected leaves nothing behind: corrected, it is accepted under the same "+
			"transaction ID, as it is then.",
		spec.RestsOnNames(headerKeyPrefix+"transaction_id"), func() {
			seen := spec.ObserveAsCase(s.Plan, "a rejected creation, corrected",
				func(ctx spec.Context) correction {
					wrong, err := s.lab.SendInConfigurations(ctx, withAmount(share, "101"))
					ctx.StopOnError(err)
					if !wrong.IsClientError() {
						ctx.NotVerifiedf("",
							"a participation of 101 is not rejected, see create.participation.above_hundred")
					}
					a, err := s.lab.SendInConfigurations(ctx, lab.Probe{
						Operation: client.OperationCreate, Label: "a rejected creation, corrected",
						Expectation: lab.Expectation{
							Conclusive: answers.ConclusiveForCaller, Matcher: BeAccepted(),
						},
						Edit: func(r *target.Request) {
							nonce, label := r.Nonce, r.Label
							*r = wrong.Sent
							r.Nonce, r.Label = nonce, label
							r.SetField(share, json.Number("50"))
							r.MarkUnmodified()
						},
					})
					ctx.StopOnError(err)
					if a.IsClientError() && a.Status != http.StatusConflict {
						other, err := s.lab.SendInConfigurations(ctx, asValidProbe(forAnotherPerson()))
						ctx.StopOnError(err)
						if other.IsClientError() { // no representatives may be left
							ctx.Inconclusivef("refused (%s), and so was another person (%s)", a, other)
						}
					}
					return correction{wrong.Exchange, a}
				}, spec.PhaseAfterAcceptances)
			s.It("accepts a creation that was corrected", func(ctx spec.Context) {
				r := seen.Await(ctx)
				if !r.IsSuccess() && len(r.Attempts) > 1 {
					ctx.Inconclusivef("it was sent %d times, and an earlier attempt may have made the record: %s",
						len(r.Attempts), answers.Describe(r.Exchange))
				}
				flaw := FlawUnless(r.IsSuccess(), answers.Describe(r.Exchange),
					reproscript.ExpectStatus{Right: []string{"2xx"}})
				flaw.Evidence.Repeat = r.repeatRequests()
				ctx.Expect(flaw).To(BeFlawless("A creation that was corrected", "accepted"))
			})
			s.It("gives the record of the corrected one", func(ctx spec.Context) {
				r := seen.Await(ctx)
				if !r.IsSuccess() {
					ctx.NotVerifiedf("", "it is not accepted")
				}
				flaw, _ := s.changedValue(acceptedRecord(ctx, r.Answer), fieldByName(share))
				flaw.Evidence.Repeat = r.repeatRequests()
				ctx.Expect(flaw).To(BeFlawless("The participation of a creation that was corrected",
					"the corrected one"))
			})
		})
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
					if r := seen.Await(ctx); r.Repeat.IsSuccess() {
						stopWithoutRecordID(ctx, r.First)
						ctx.Expect(r).To(MakeNoSecondRecord())
					}
				}, spec.ThoroughOnly())
			}
		})
}

// differentUserError returns why the API key may belong to another user, or nil if it belongs to
// the same one.
func (s *Suite) differentUserError(ctx context.Context) error {
	if s.target.Deployment.Credentials.APIKey == nil {
		return spec.NotVerifiedf("credentials.api_key", "")
	}
	if one, err := s.lab.TokenAndKeyShareUser(ctx); err != nil || !one {
		return spec.NotVerifiedf("", "nothing shows that the token and the API key belong to one user")
	}
	return nil
}

// itKeepsNoLanguage declares a case that a request without a language is not answered in the
// language of earlier ones.
func (s *Suite) itKeepsNoLanguage(pt, en lab.AnswerObservation) {
	spec.Helper()
	seen := spec.ObserveAsCase(s.Plan, "refusals without a language, after many in English",
		func(ctx spec.Context) (all []target.Answer) {
			refused := func(preferred string) target.Request {
				r := s.target.NewValid(client.OperationCreate, "no email, after others in English")
				r.RemoveFields("email")
				r.Language, r.Invalid = preferred, true
				return r
			}
			const tries = 4
			for range tries { // each instance of the deployment may keep its own
				english := s.target.SendConcurrently(ctx, refused("en-US"), s.target.RaceSize())
				x := s.target.Send(ctx, func() target.Request { return refused("") })
				s.lab.MarkInvalid(append(english, x)...)
				ctx.StopOnError(s.lab.TransientError(ctx, x))
				all = append(all, target.Answer{Exchange: x, Preceding: english[len(english)-1:]})
			}
			return all
		}, spec.PhaseLate)
	s.It("keeps no language of requests before", func(ctx spec.Context) {
		_, english := distinctMessages(ctx, pt.Await(ctx), en.Await(ctx))
		var tally RuleTally
		for _, none := range seen.Await(ctx) {
			flaw := FlawUnless(messagesIn(none.Body) != english, "those of en-US",
				reproscript.ExpectSameMessages{})
			tally.AddAnswer(none.Exchange,
				flaw.ShownBy(none.Preceding[0], none.Exchange, pt.Await(ctx).Exchange))
		}
		ctx.Expect(tally).
			To(HoldForEveryAnswer("Messages without a preferred language, after others in English",
				"those of pt-BR"))
	}, spec.ThoroughOnly())
}

// declareOwnParts declares the rule that the parts of different records do not share IDs.
func (s *Suite) declareOwnParts() {
	s.Rule("create.response.own_parts", Should, SectionRecord,
		"Documents with different numbers have different IDs, and so have addresses that differ.",
		func() {
			run := s.observeAllAccepted()
			s.It("has no ID for two that differ", func(ctx spec.Context) {
				var tally RuleTally
				for _, part := range []string{"document", "address"} {
					first := map[string]acceptedCreation{}
					for _, a := range run.Await(ctx) {
						id, _ := a.record.Get(part + ".id")
						other, known := first[fmt.Sprint(id)]
						if uuid.Validate(fmt.Sprint(id)) != nil { // another rule judges that
							continue
						}
						if known && s.sentValueOf(other, part) == s.sentValueOf(a, part) {
							continue
						}
						first[fmt.Sprint(id)] = a
						tally.AddAnswer(a.exchange, FlawUnless(!known, "the "+part+" ID of another",
							reproscript.ExpectDifferent{Path: part + ".id"}).ShownBy(other.exchange, a.exchange))
					}
				}
				if tally.Judged == 0 {
					ctx.NotVerifiedf("", "no record shows the ID of its document or address")
				}
				ctx.Expect(tally).To(HoldForEveryAnswer("record", "parts of its own"))
			})
		})
	s.declareLeftOut()
}

// sentValueOf returns what was sent of a part.
func (s *Suite) sentValueOf(a acceptedCreation, part string) string {
	var values []string
	for _, f := range fieldsWhere(func(f field) bool { return strings.HasPrefix(f.Path, part+".") }) {
		values = append(values, fmt.Sprint(a.sent.Get(f.Name)))
	}
	slices.Sort(values)
	return strings.Join(values, "\n")
}
