package create

import (
	"context"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) repeats() {
	s.Describe("repeats", func() {
		s.Group(spec.Names(headerKeys+"transaction_id"), s.repeated)

		s.Rule("create.repeat.other_transaction", Must, CreateOperation,
			"Two creations with different transaction IDs are two records.", func() {
				seen := s.sound(another())
				s.It("accepts a second creation under another transaction ID", func(ctx spec.Context) {
					base, other := s.c.Creation.Await(ctx), seen.Await(ctx)
					if other.Status == http.StatusConflict {
						ctx.Expect(other).To(BeAccepted())
					}
					if !other.Success() {
						ctx.Inconclusive("the second creation was not accepted: %s", target.Describe(other.Exchange))
					}
					needID(ctx, base.Exchange)
					needID(ctx, other.Exchange)
					ctx.Expect(Repetition{First: base.Exchange, Again: other.Exchange}).To(MakeAnotherRecord())
				})
				run := s.everything()
				s.It("gives each person of the run an ID", func(ctx spec.Context) {
					s.ownIDs(ctx, run.Await(ctx))
				})
			})
		s.Rule("create.repeat.same_body", Should, CreateOperation,
			"One body under two transaction IDs makes two records, where the second is not refused.", func() {
				seen := s.afterControl("The first creation's body under another transaction ID", target.Creation.Again)
				s.It("gives no transaction ID the record of another", func(ctx spec.Context) { s.ofAnother(ctx, seen) })
			})
	})
}

// byOtherUser is a valid creation of another user under the transaction ID of the control.
func (s *Suite) byOtherUser() repetitions {
	what := "Another user's creation under a transaction ID that was used"
	return s.afterControl(what, func(first target.Creation) target.Creation {
		other := s.t.Creation(what)
		s.otherUser().apply(&other)
		other.Transaction = first.Transaction
		return other
	}, accepting(s.sound(s.otherUser())))
}

// ofAnother asserts of a creation that followed the control's that its answer shows no record of the control's.
func (s *Suite) ofAnother(ctx spec.Context, seen repetitions) {
	switch r := seen.Await(ctx).list[0]; {
	case r.Again.Success():
		needID(ctx, r.First)
		needID(ctx, r.Again)
		ctx.Expect(r).To(MakeAnotherRecord())
	case !r.Again.Refusal():
		ctx.Inconclusive("neither accepted nor refused: %s", target.Describe(r.Again))
	}
}

// ownIDs asserts that no two of the records share an ID, of those that show the person whom their creation was for: an
// answer that shows another one may have gone astray.
func (s *Suite) ownIDs(ctx spec.Context, run []answered) {
	const number = "document.number"
	first := map[string]answered{}
	for _, a := range run {
		id, ok := RecordID(a.x)
		sent := a.sent.Get(logical(number))
		if !ok || a.record == nil || sent == nil {
			continue
		}
		if got, _ := a.record.Get(number); echoOf(number, sent, got).Likeness() != Alike {
			continue
		}
		if other, known := first[id]; known && other.sent.Get(logical(number)) != sent {
			ctx.Expect(Repetition{First: other.x, Again: a.x}).To(MakeAnotherRecord())
		}
		first[id] = a
	}
}

func (s *Suite) repeated() {
	s.Rule("create.repeat.identical", Must, Errors,
		"An identical creation sent again gets 409 or the existing record, never a second one.", func() {
			s.again("gives the same again 409 or the record", s.repeat(identical()), MakeNoSecondRecord(""))
			s.again("gives 409 or the record when it comes again at the end of the run", s.late(), MakeNoSecondRecord(""))
		})

	s.Rule("create.repeat.new_nonce", Must, Errors,
		"The same creation under another nonce gets 409 or the existing record, never a second one.", func() {
			s.again("gives the same under another nonce 409 or the record", s.repeat(underNewNonce()), MakeNoSecondRecord(""))
		})

	s.Rule("create.repeat.unchanged", Should, Errors, "A repeat leaves the existing record unchanged.", func() {
		for _, f := range []follow{identical(), underNewNonce()} {
			s.unlessSecond(s.repeat(f))
			s.again("gives the record as it was: "+f.words, s.repeat(f), GiveTheRecordThatExists())
		}
	})

	s.Rule("create.repeat.other_body", Should, Errors,
		"The same transaction ID with another body makes no second record, and changes nothing in the first.", func() {
			s.onceRecognised()
			seen := s.repeat(s.underOtherBody())
			s.again("makes no second record", seen, MakeNoOtherRecord())
			s.unlessSecond(seen)
			s.again("changes nothing in the first", seen, GiveTheRecordThatExists())
		})

	s.Rule("create.repeat.same_object", Should, Errors,
		"A transaction ID names the same object in capital letters, by the other method of authentication, "+
			"and when a product or a language is named.", func() {
			s.onceRecognised()
			for _, way := range s.ways() {
				if way.words != byTheKey {
					s.again("makes no second record: "+way.words, s.repeat(way), MakeNoOtherRecord())
					continue
				}
				// The file does not say whose the key is: objects of another user's are apart.
				seen := s.repeat(way)
				oneUser := s.oneUser(seen)
				s.It("makes no second record by the API key", func(ctx spec.Context) {
					if !oneUser.Await(ctx) {
						ctx.NotVerified("", "nothing shows that the token and the API key belong to one user, and "+
							"objects of another user may be separate")
					}
					ctx.Expect(seen.Await(ctx).list[0]).To(MakeNoOtherRecord())
				})
			}
		})

	s.Rule("create.repeat.other_user", Should, CreateOperation,
		"A transaction ID that another user used gives nobody that user's record.", spec.Security,
		spec.Needs("credentials.other_user", "fixtures.foreign_shareholder_id"), func() {
			seen := s.byOtherUser()
			s.It("gives another user no record of the first", func(ctx spec.Context) { s.ofAnother(ctx, seen) })
		})

	s.Rule("create.repeat.race", Should, Errors,
		"Of many identical creations at once, all that succeed return the same ID.", spec.Security, func() {
			s.racing("gives 16 at once one record", s.race("16 identical creations at once", 0, 16, same))
			for i, where := range []string{"", " once more"} { // unclear answers count as records
				s.racing("gives 4 at once under nonces of their own one record"+where,
					s.race("4 creations at once that differ in their nonces"+where, i+1, 4, newNonce, spec.Yielding))
			}
		})
}

// oneUser reports whether a second record by the API key is the same user's.
func (s *Suite) oneUser(seen repetitions) *spec.Observation[bool] {
	return spec.Observe(s.Plan, "whether the token and the API key are one user's", func(ctx context.Context) (bool, error) {
		if found, err := seen.Get(ctx); err != nil || !found.secondRecord() {
			return true, err
		}
		return s.c.OneUser(ctx)
	})
}

// onceRecognised judges a rule only where a plain repeat is recognised.
func (s *Suite) onceRecognised() {
	plain := s.repeat(underNewNonce())
	s.Given(func(ctx spec.Context) {
		r := plain.Await(ctx)
		if len(r.condition) == 0 && (r.secondRecord() || len(r.list[0].Changed()) > 0) {
			ctx.NotVerified("",
				"a repeat with the same body is not recognised, or changes the record; see %s", spec.Ref("create.repeat.unchanged"))
		}
	})
}

// again declares the case that each repeat is right.
func (s *Suite) again(text string, seen repetitions, right Matcher) {
	spec.Helper()
	s.It(text, func(ctx spec.Context) {
		found := seen.Await(ctx)
		for _, r := range found.list {
			if r.Again.Success() {
				needID(ctx, r.First)
			}
			ctx.Expect(r).To(Given(right, found.condition))
		}
	})
}

// unlessSecond ends the cases behind it where a repeat made a second record, which is another rule's matter.
func (s *Suite) unlessSecond(seen repetitions) {
	s.Given(func(ctx spec.Context) {
		if seen.Await(ctx).secondRecord() {
			ctx.NotApplicable("the repeat made a second record, which another rule judges")
		}
	})
}

func (s *Suite) racing(text string, race *spec.Observation[[]*client.Exchange]) {
	spec.Helper()
	s.It(text, func(ctx spec.Context) {
		needID(ctx, s.c.Creation.Await(ctx).Exchange)
		ctx.Expect(slices.DeleteFunc(race.Await(ctx), s.t.Stray)).To(MakeOneRecord())
	})
}

// needID ends the case where a record cannot be distinguished from others.
func needID(ctx spec.Context, x *client.Exchange) {
	if _, ok := RecordID(x); !ok {
		ctx.NotVerified("", "the record has no usable id, see %s", spec.Ref("create.response.id"))
	}
}
