package create

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) declareRepeatRules() {
	s.Describe("repeats", func() {
		s.GroupRules(spec.RestsOnNames(headerKeyPrefix+"transaction_id"), s.declareSameTransaction)
		s.declareOtherTransactions()
		s.declareCorrections()
		s.GroupRules(spec.RestsOnNames(headerKeyPrefix+"transaction_id"),
			s.declareOtherwiseSpelledRepeats)
	})
}

func (s *Suite) declareSameTransaction() {
	s.Rule("create.repeat.identical", Must, SectionErrors,
		"An identical creation sent again gets 409 or the existing record, never a second one.", func() {
			s.itIsFollowedBy("gives 409 or the record", followIdentical, MakeNoSecondRecord())
			s.itMatches("gives 409 or the record at the end of the run",
				s.observeAfterControl("A repeat of the first creation at the end of the run",
					func(r *target.Request, first target.Request) { *r = first },
					s.observeValid(withPlainCPF())), MakeNoSecondRecord())
		})
	s.Rule("create.repeat.new_nonce", Must, SectionErrors,
		"The same creation under another nonce gets 409 or the existing record, never a second one.",
		func() { s.itIsFollowedBy("gives 409 or the record", followWithNewNonce, MakeNoSecondRecord()) })
	s.Rule("create.repeat.unchanged", Should, SectionErrors,
		"A repeat leaves the existing record unchanged.", func() {
			for _, f := range []followUp{followIdentical, followWithNewNonce} {
				s.itIsFollowedBy("gives the record as it was", f, GiveTheRecordThatExists())
			}
		})
	s.Rule("create.repeat.other_body", Should, SectionErrors,
		"The same transaction ID with another body makes no second record, changes nothing in "+
			"the first, and gets no server error.",
		func() {
			plain := s.observeFollowUp(followWithNewNonce)
			answered := func(ctx spec.Context) {
				if plain.Await(ctx).IsServerError() {
					ctx.NotVerifiedf("", "a repeat with the same body gets a server error as well; see "+
						"create.repeat.new_nonce")
				}
			}
			recognised := func(ctx spec.Context) { stopUnlessRecognised(ctx, plain.Await(ctx)) }
			s.itIsFollowedBy("gets no server error", followWithOtherBody, GetNoServerError(), answered)
			s.itIsFollowedBy("makes no second record", followWithOtherBody, MakeNoOtherRecord(), recognised)
			s.itIsFollowedBy("changes nothing in the first", followWithOtherBody, GiveTheRecordThatExists(),
				recognised)
			s.itIsFollowedBy("gives the first as it was", followAfterOtherBody, GiveTheRecordThatExists(),
				recognised)
		})
	s.declareStrangersRepeats()
	s.Rule("create.repeat.race", Should, SectionErrors,
		"Of many identical creations at once, all that succeed return the same ID.", spec.Security,
		func() { s.itRacesCreations() })
}

func (s *Suite) declareOtherTransactions() {
	s.Rule("create.repeat.other_transaction", Must, SectionCreate,
		"Two creations with different transaction IDs are two records.", func() {
			seen := s.observeValid(withPlainCPF())
			s.It("accepts a second creation under another transaction ID", func(ctx spec.Context) {
				base, other := s.lab.ControlCreation.Await(ctx), seen.Await(ctx)
				if !other.IsSuccess() && other.Status != http.StatusConflict || s.lab.AcceptsNoMore(ctx, other) {
					ctx.Inconclusivef("the second creation was not accepted: %s", other)
				}
				ctx.Expect(other).To(BeAccepted())
				other.Subject, other.Control = "A creation under another transaction ID", base.Exchange
				other.Preceding = []*client.Exchange{base.Exchange}
				expectAnotherRecord(ctx, other)
			})
			underNonce := s.observeUsedNonce()
			s.It("gives no nonce the record of another",
				func(ctx spec.Context) { expectAnotherRecord(ctx, underNonce.Await(ctx)) })
			alike := s.observeAfterControl(
				"another person under a transaction ID that begins as the control's",
				func(r *target.Request, first target.Request) {
					const common = len("00000000-0000-4000-8000-")
					r.Transaction = first.Transaction[:common] + r.Transaction[common:]
				})
			s.It("tells transaction IDs apart that begin alike", func(ctx spec.Context) {
				a := alike.Await(ctx)
				if a.Status == http.StatusConflict && seen.Await(ctx).IsSuccess() {
					if s.lab.AcceptsNoMore(ctx, a) {
						ctx.Inconclusivef("refused (%s), as another creation is", a)
					}
					ctx.Expect(a).To(BeAccepted())
				}
				expectAnotherRecord(ctx, a)
			})
		})
	s.Rule("create.repeat.same_body", Should, SectionCreate,
		"The same body under two transaction IDs makes two records, unless the second is refused.",
		func() {
			seen := s.observeAfterControl("The first creation's body under another transaction ID",
				func(r *target.Request, first target.Request) {
					first.Transaction, first.Nonce = r.Transaction, r.Nonce
					*r = first
				})
			s.It("gives no transaction ID the record of another",
				func(ctx spec.Context) { expectAnotherRecord(ctx, seen.Await(ctx)) })
		})
}

// observeUsedNonce declares a creation under the nonce of the first, which identifies no object.
func (s *Suite) observeUsedNonce() lab.AnswerObservation {
	return s.observeAfterControl("another person under the control's nonce",
		func(r *target.Request, first target.Request) { r.Nonce = first.Nonce })
}

// itIsFollowedBy declares a case that a follow-up is right. Doubts may end it first.
func (s *Suite) itIsFollowedBy(
	text string, f followUp, right Matcher, doubts ...func(spec.Context),
) {
	spec.Helper()
	s.itMatches(text+": "+f.description, s.observeFollowUp(f), right, doubts...)
}

// itMatches declares a case that a following creation is right. Doubts may end it first.
func (s *Suite) itMatches(
	text string, seen lab.AnswerObservation, right Matcher, doubts ...func(spec.Context),
) {
	spec.Helper()
	s.It(text, func(ctx spec.Context) {
		for _, doubt := range doubts {
			doubt(ctx)
		}
		a := seen.Await(ctx)
		if a.IsSuccess() {
			stopWithoutRecordID(ctx, a.Preceding[0])
		}
		if a.Status != http.StatusConflict && s.lab.IsRefusedLikeValid(ctx, a) {
			ctx.Inconclusivef("refused (%s), as another valid creation is", a)
		}
		a.GivesOtherCreation = s.givesOtherCreation(a)
		ctx.Expect(a).To(right)
	})
}

// givesOtherCreation reports whether the run got the record of an answer under another transaction
// ID as well.
func (s *Suite) givesOtherCreation(a target.Answer) bool {
	id, named := answers.RecordID(a.Exchange)
	header := s.target.Deployment.LegalRepresentative.Headers.TransactionID
	transaction := func(x *client.Exchange) string { // Get would look for X-Transaction-Uuid
		return strings.Join(x.Recorded.RequestHeader[header], "")
	}
	return named && slices.ContainsFunc(s.target.Client.AcceptedExchanges(client.OperationCreate),
		func(x *client.Exchange) bool {
			other, _ := answers.RecordID(x)
			return other == id && transaction(x) != transaction(a.Exchange)
		})
}

// stopUnlessRecognised ends the case where a plain repeat is not recognised.
func stopUnlessRecognised(ctx spec.Context, plain target.Answer) {
	if len(plain.Condition) == 0 && (madeSecondRecord(plain) || len(ChangedFields(plain)) > 0) {
		ctx.NotVerifiedf("", "a repeat with the same body is not recognised, or changes the record; see "+
			"create.repeat.unchanged")
	}
}

// expectAnotherRecord asserts that a following creation did not get the record of the first.
func expectAnotherRecord(ctx spec.Context, a target.Answer) {
	switch {
	case a.IsSuccess():
		stopWithoutRecordID(ctx, a.Preceding[0])
		stopWithoutRecordID(ctx, a.Exchange)
		ctx.Expect(a).To(MakeAnotherRecord())
	case !a.IsClientError():
		ctx.Inconclusivef("neither accepted nor refused: %s", a)
	}
}

// itRacesCreations declares a case that identical creations at once create one record.
func (s *Suite) itRacesCreations() {
	spec.Helper()
	const what = "identical creations at once"
	race := spec.ObserveAsCase(s.Plan, what, func(ctx spec.Context) []*client.Exchange {
		config := s.lab.ConfigurationsCoveringEachValue(client.OperationCreate, "create.repeat.race")[0]
		valid := s.lab.ObserveControl(client.OperationCreate, config).Await(ctx)
		one := s.target.NewCreation("one of some " + what)
		s.lab.ApplyConfiguration(&one, valid.Configuration)
		raced := s.target.SendConcurrently(ctx, one, s.target.RaceSize())
		usable := slices.DeleteFunc(slices.Clone(raced),
			func(x *client.Exchange) bool { return s.lab.TransientError(ctx, x) != nil })
		switch {
		case ctx.Err() != nil:
			ctx.StopOnError(spec.ErrInterrupted)
		case len(raced) < 2:
			ctx.NotVerifiedf("limits.in_flight", "a race needs at least 2 requests in flight")
		case len(usable) < 2:
			ctx.StopOnError(cmp.Or(s.lab.TransientError(ctx, raced[0]),
				s.lab.TransientError(ctx, raced[1])))
		case !slices.ContainsFunc(usable,
			func(x *client.Exchange) bool { return x.IsSuccess() || x.IsServerError() }):
			ctx.Inconclusivef("of %d creations at once under one transaction ID none was accepted",
				len(raced))
		}
		return usable
	})
	run := s.observeAllAccepted()
	s.It("gives identical creations at once one record", func(ctx spec.Context) {
		stopWithoutRecordID(ctx, s.lab.ControlCreation.Await(ctx).Exchange)
		raced := race.Await(ctx)
		if slices.ContainsFunc(raced, (*client.Exchange).IsServerError) {
			// the whole run shows whether such errors are intermittent, in which case this rule
			// ignores them
			run.TryGet(ctx)
		}
		ctx.Expect(slices.DeleteFunc(slices.Clone(raced), s.lab.IsTransient)).To(MakeOneRecord())
	})
}

// stopWithoutRecordID ends the case where a record has no usable ID.
func stopWithoutRecordID(ctx spec.Context, x *client.Exchange) {
	if _, ok := answers.RecordID(x); !ok {
		ctx.NotVerifiedf("", "the record has no usable id, see create.response.id")
	}
}
