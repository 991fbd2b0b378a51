package create

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/reproscript"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareStrangersRepeats declares the rules on transaction IDs that somebody else used.
func (s *Suite) declareStrangersRepeats() {
	s.Rule("create.repeat.other_user", Should, SectionCreate,
		"A transaction ID that one user used gives no other user the record.", spec.Security,
		spec.NeedsKeys("credentials.other_user", "fixtures.foreign_shareholder_id"), func() {
			what := "Another user's creation under a transaction ID that was used"
			valid, seen := s.observeValid(s.asOtherUser()), s.observeAfterControl(what,
				func(r *target.Request, first target.Request) {
					s.asOtherUser().Edit(r)
					r.Transaction = first.Transaction
				})
			s.It("gives another user no record of the first", func(ctx spec.Context) {
				if a := valid.Await(ctx); !a.IsSuccess() {
					ctx.NotVerifiedf("",
						"under a fresh transaction ID this user's creation is refused as well (%s)", a)
				}
				a := seen.Await(ctx)
				if a.IsClientError() {
					ctx.Expect(showsNothingOf(s.lab.ControlCreation.Await(ctx), a)).To(BeFlawless(what,
						"a refusal that shows nothing of the first user's record"))
				}
				// Where the identifier becomes the record's own, each user may have a record under it.
				if !slices.Contains(ChangedFields(a), "name") {
					expectAnotherRecord(ctx, a)
				}
			})
			s.itShowsNoRecordToOtherUsers()
		})
	s.Rule("create.repeat.anonymous", Must, SectionAuthentication,
		"Without a credential, a used transaction ID gives nobody the record.", spec.Security,
		func() {
			seen := s.observeAfterControl("The first creation, repeated without a credential",
				func(r *target.Request, first target.Request) {
					*r = first
					r.Credential = nil
				})
			// auth.missing judges the refusal itself
			s.It("gives a stranger no record", func(ctx spec.Context) {
				if a := seen.Await(ctx); a.IsSuccess() {
					ctx.Expect(a).To(HaveStatus(http.StatusUnauthorized))
				}
			})
		})
}

// showsNothingOf looks for the person of the first creation in the answer to one of another person.
func showsNothingOf(first, a target.Answer) (leak Flaw) {
	for _, field := range []string{"email", "document_number", "phone_number"} {
		sent, _ := first.Sent.Draft.Get(field).(string)
		if leak.Found == "" && sent != "" && strings.Contains(string(a.Body), sent) {
			leak = FlawUnless(false, fmt.Sprintf("%d with the first user's %s", a.Status, field),
				reproscript.ExpectStatus{Right: []string{"2xx", "4xx"}, Without: sent})
		}
	}
	return leak.ShownBy(first.Exchange, a.Exchange)
}

// itShowsNoRecordToOtherUsers declares a case that another user who repeats a creation, shareholder
// included, does not get its record. Users who share the shareholder may.
func (s *Suite) itShowsNoRecordToOtherUsers() {
	spec.Helper()
	const what = "The first creation, repeated by another user"
	theirs := s.declaredProbe(foreignShareholderText).Answer
	s.UseObservations(theirs)
	seen := s.observeAfterControl(what, func(r *target.Request, first target.Request) {
		*r = first
		r.Credential = s.target.Deployment.Credentials.OtherUser
	})
	s.It("gives another user who repeats the first no record", func(ctx spec.Context) {
		if a := theirs.Await(ctx); !a.IsClientError() {
			ctx.NotVerifiedf("", "the shareholder may belong to both users (%s)", a)
		}
		a := seen.Await(ctx)
		same, _ := CompareRecordIDs(a)
		flaw := FlawUnless(!a.IsSuccess() || !same, "the record of the first user",
			reproscript.ExpectStatus{Right: []string{"4xx"}})
		ctx.Expect(flaw.ShownBy(a.Preceding[0], a.Exchange)).To(BeFlawless(what, "a refusal"))
	})
}
