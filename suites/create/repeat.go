package create

import (
	"context"
	"net/http"
	"slices"
	"strings"

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

func inCapitals(first target.Creation) target.Creation {
	first.Transaction = strings.ToUpper(first.Transaction)
	return newNonce(first)
}

func (s *Suite) identical() repetitions { return s.repeat("a creation and the same again", same) }

func (s *Suite) underNewNonce() repetitions {
	return s.repeat("a creation and the same again under another nonce", newNonce)
}

func (s *Suite) underOtherBody() repetitions {
	return s.repeat("a creation and another person under its transaction ID", s.otherBody, newNonce)
}

// otherBody is another person under the same transaction ID, and with the same beside it.
func (s *Suite) otherBody(first target.Creation) target.Creation {
	other := s.t.Creation("another person, after " + first.Label).Draft // who it is does not depend on other chains
	for _, name := range []string{"shareholder_id", "qualification", "pep", "is_public_server"} {
		other = other.With(name, first.Draft.Get(name))
	}
	if first.Draft.Get("relationship_end_date") == nil {
		other = other.Without("relationship_end_date")
	}
	first.Draft, first.Nonce = other, target.UUID()
	return first
}

func (s *Suite) repeats() {
	s.Describe("repeats", func() {
		s.Group(spec.Names(headerKeys+"transaction_id"), s.repeated)

		s.Rule("create.repeat.other_transaction", Must, CreateOperation,
			"Two creations with different transaction IDs are two records.", func() {
				seen := s.vary(target.AboutField, another())
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
	})
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
			s.oneRecord("gives the same again 409 or the record", "The same creation again", s.identical())
			inCompany := s.inCompanyAgain()
			s.It("gives the same again 409 or the record, whatever else is sent", func(ctx spec.Context) {
				found := sentAgain(ctx, inCompany, 0, "")
				ctx.Expect(found.list[0]).To(Given(MakeNoSecondRecord("The same creation again"), found.only))
			})
			s.oneRecord("gives 409 or the record when it comes again at the end of the run",
				"The first creation again at the end of the run", s.late())
		})

	s.Rule("create.repeat.new_nonce", Must, Errors,
		"The same creation under another nonce gets 409 or the existing record, never a second one.", func() {
			s.oneRecord("gives the same under another nonce 409 or the record", "The same creation under another nonce",
				s.underNewNonce())
			inCompany := s.inCompanyAgain()
			s.It("gives the same under another nonce 409 or the record, whatever else is sent", func(ctx spec.Context) {
				found := sentAgain(ctx, inCompany, 1, "nonce")
				ctx.Expect(found.list[1]).To(Given(MakeNoSecondRecord("The same creation under another nonce"), found.only))
			})
		})

	s.Rule("create.repeat.unchanged", Should, Errors, "A repeat leaves the existing record unchanged.", func() {
		s.unchanged("gives the same again the record as it was", s.identical())
		s.unchanged("gives the same under another nonce the record as it was", s.underNewNonce())
		inCompany := s.inCompanyAgain()
		s.It("gives the same again the record as it was, whatever else is sent", func(ctx spec.Context) {
			found := sentAgain(ctx, inCompany, 0, "")
			notASecond(ctx, found.list[:1])
			ctx.Expect(found.list[0]).To(Given(GiveTheRecordThatExists(), found.only))
		})
	})

	s.Rule("create.repeat.other_body", Should, Errors,
		"The same transaction ID with another body makes no second record, and changes nothing in the first.", func() {
			s.onceRecognised()
			seen := s.underOtherBody()
			s.It("makes no second record", func(ctx spec.Context) {
				r := seen.Await(ctx)[0]
				needID(ctx, r.First)
				ctx.Expect(r).To(MakeNoOtherRecord())
			})
			inCompany := s.inCompanyAgain()
			s.It("makes no second record, whatever else is sent", func(ctx spec.Context) {
				found := sentAgain(ctx, inCompany, 2, "body")
				ctx.Expect(found.list[2]).To(Given(MakeNoOtherRecord(), found.only))
			})
			s.unchanged("changes nothing in the first", seen)
			s.It("changes nothing in the first, whatever else is sent", func(ctx spec.Context) {
				found := sentAgain(ctx, inCompany, 2, "body")
				notASecond(ctx, found.list[2:3])
				ctx.Expect(found.list[2]).To(Given(GiveTheRecordThatExists(), found.only))
			})
		})

	s.Rule("create.repeat.same_object", Should, Errors,
		"A transaction ID names the same object in capital letters, by the other method of authentication, "+
			"and when a product or a language is named.", func() {
			s.onceRecognised()
			ways, names, byKey := s.ways()
			differently := s.repeatIn("a creation and the same again in other ways", []control.Row{control.Third}, 0,
				ways...)
			// The file does not say whose the key is: objects of another user's are apart.
			oneUser := spec.Observe(s.Plan, "whether a second record by the API key is the same user's",
				func(ctx context.Context) (bool, error) {
					found, err := differently.Get(ctx)
					if err != nil || len(found.list) <= byKey {
						return false, err
					}
					if _, other := found.list[byKey].Kept(); !other {
						return true, nil
					}
					return s.c.OneUser(ctx)
				})
			s.It("makes no second record", func(ctx spec.Context) {
				found := sentAgain(ctx, differently, 0, "")
				for i, r := range found.list {
					r.What = "A creation again " + names[i]
					if _, other := r.Kept(); other && i == byKey && !oneUser.Await(ctx) {
						ctx.NotVerified("", "nothing shows that the token and the API key belong to one user, and "+
							"objects of another user may be separate")
					}
					ctx.Expect(r).To(Given(MakeNoOtherRecord(), found.only))
				}
			})
			inCompany := s.inCompanyAgain()
			s.It("makes no second record in capital letters, whatever else is sent", func(ctx spec.Context) {
				found := sentAgain(ctx, inCompany, 3, "transaction ID in capitals")
				r := found.list[3]
				r.What = "A creation again with its transaction ID in capitals"
				ctx.Expect(r).To(Given(MakeNoOtherRecord(), found.only))
			})
		})

	s.Rule("create.repeat.race", Should, Errors,
		"Of many identical creations at once, all that succeed return the same ID.", spec.Security, func() {
			row := func(n int) control.Row { return s.c.Row(client.Create, "create.repeat.race", n) }
			s.racing("gives 16 at once one record", s.race("16 identical creations at once", row(0), 16, same))
			for i, where := range []string{"", " once more"} { // unclear answers count as records
				s.racing("gives 4 at once under nonces of their own one record"+where,
					s.race("4 creations at once that differ in their nonces"+where, row(i+1), 4, newNonce, spec.Yielding))
			}
		})
}

// onceRecognised judges a rule only where a plain repeat is recognised.
func (s *Suite) onceRecognised() {
	plain := s.underNewNonce()
	s.Given(func(ctx spec.Context) {
		r := plain.Await(ctx)[0]
		if _, other := r.Kept(); other || len(r.Changed()) > 0 {
			ctx.NotVerified("",
				"a repeat with the same body is not recognised, or changes the record; see %s", spec.Ref("create.repeat.unchanged"))
		}
	})
}

func (s *Suite) oneRecord(text, what string, seen repetitions) {
	spec.Helper()
	s.It(text, func(ctx spec.Context) {
		list := seen.Await(ctx)
		needIDs(ctx, list)
		for _, r := range list {
			ctx.Expect(r).To(MakeNoSecondRecord(what))
		}
	})
}

func (s *Suite) unchanged(text string, seen repetitions) {
	spec.Helper()
	s.It(text, func(ctx spec.Context) {
		list := seen.Await(ctx)
		notASecond(ctx, list)
		for _, r := range list {
			ctx.Expect(r).To(GiveTheRecordThatExists())
		}
	})
}

// notASecond ends the spec where a repeat made a second record, which is another rule's matter. One that is refused
// changes nothing.
func notASecond(ctx spec.Context, list []Repetition) {
	for _, r := range list {
		if _, other := r.Kept(); other {
			ctx.NotApplicable("the repeat made a second record, which another rule judges")
		}
	}
}

func (s *Suite) racing(text string, race *spec.Observation[[]*client.Exchange]) {
	spec.Helper()
	s.It(text, func(ctx spec.Context) {
		needID(ctx, s.c.Creation.Await(ctx).Exchange)
		ctx.Expect(slices.DeleteFunc(race.Await(ctx), s.t.Stray)).To(MakeOneRecord())
	})
}

// ways are other forms of a request for the same object, as far as the deployment file has what they need, and the
// place of the one by the API key, which is the last.
func (s *Suite) ways() (all []next, names []string, byKey int) {
	in := func(name string, change func(c *target.Creation)) {
		names = append(names, name)
		all = append(all, func(first target.Creation) target.Creation {
			change(&first)
			return newNonce(first)
		})
	}
	in("in another language", func(c *target.Creation) { c.Language = "en-US" })
	if product := s.t.Deployment.Fixtures.ProductID; product != "" {
		in("with "+target.HeaderProduct, func(c *target.Creation) { c.Product = product })
	}
	byKey = len(all)
	if both := s.t.Deployment.Credentials; both.PlatformToken != nil && both.APIKey != nil {
		in("by the API key", func(c *target.Creation) { c.Credential = both.APIKey })
	}
	return all, names, byKey
}

// sentAgain waits for creations that were sent again in company, and ends the spec where the one at a place, the first
// under another nonce or body, was not sent.
func sentAgain(ctx spec.Context, seen *spec.Observation[repeatedIn], at int, under string) repeatedIn {
	found := seen.Await(ctx)
	needIDs(ctx, found.list)
	if len(found.list) <= at {
		ctx.Inconclusive("the same creation again made a second record already, so no other %s was sent", under)
	}
	return found
}

func needIDs(ctx spec.Context, list []Repetition) {
	for _, r := range list {
		if r.Again.Success() {
			needID(ctx, r.First)
		}
	}
}

// needID ends the spec where a record cannot be distinguished from others.
func needID(ctx spec.Context, x *client.Exchange) {
	if _, ok := RecordID(x); !ok {
		ctx.NotVerified("", "the record has no usable id, see %s", spec.Ref("create.response.id"))
	}
}
