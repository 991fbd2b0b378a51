package create

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
)

// defaults: what fills in for what the request leaves out.
func (s *suite) defaults(v variations) {
	const country, registration = "document.country_of_issue", "registration_update_date"

	// A document without a country of issue is a Brazilian one.
	s.accepts("create.default.country_of_issue", "a creation without it is accepted", v.noCountry)
	s.p.It("create.default.country_of_issue", "the record says BRA", plan.After(v.noCountry, s.c.Creation), func(ctx context.Context) {
		a := s.recorded(ctx, "no country of issue", v.noCountry)
		s.filledIn(a, country, "BRA", "BRA, since the request gave none")
	})

	// Wherever the representative lives.
	s.p.It("create.default.country_of_issue", "the record says BRA for an address abroad", plan.After(v.abroad, s.c.Creation), func(ctx context.Context) {
		a := s.recorded(ctx, "an address abroad and no country of issue", v.abroad)
		s.filledIn(a, country, "BRA", "BRA, since the request gave none")
	})

	// A country of issue that was given stays.
	s.p.It("create.default.country_of_issue_kept", "ARG stays ARG", plan.After(v.otherCountry, s.c.Creation), func(ctx context.Context) {
		s.variationComesBack(ctx, "country of issue ARG", v.otherCountry, country)
	})

	// Without a registration update date the start of the relationship takes its place.
	s.accepts("create.default.registration_update_date", "a creation without it is accepted", v.noRegistration)
	s.p.It("create.default.registration_update_date", "the record shows the start of the relationship",
		plan.After(v.noRegistration, s.c.Creation), func(ctx context.Context) {
			a := s.recorded(ctx, "no registration update date", v.noRegistration)
			s.filledIn(a, registration, a.sent.Get("relationship_start_date"), "the relationship_start_date of the request, since it gave none")
		})

	// A registration update date that was given stays; the control's is another day than the start of the relationship.
	s.p.It("create.default.registration_update_date_kept", "the given date stays", plan.After(s.c.Creation), func(ctx context.Context) {
		base := s.c.Creation.Await(ctx)
		s.comesBack(read("the valid creation", base.Exchange, base.Sent), registration)
	})
	s.p.It("create.default.registration_update_date_kept", "29 February stays", plan.After(v.leapDays, s.c.Creation), func(ctx context.Context) {
		s.variationComesBack(ctx, "29 February in all four dates", v.leapDays, registration)
	})
}

// filledIn judges a value that the request did not give.
func (s *suite) filledIn(a answered, path string, value any, expected string) {
	s.needRecord(a)
	if inside := parent(path); inside != "" && a.record.Type(inside) != "object" {
		s.p.NotVerified("", "the record has no %s, see create.success.%s", inside, inside)
	}
	got, _ := a.record.Get(path)
	e := matchers.Echo{Path: path, Kind: kindOf(path), Sent: value, Got: got}
	if got != nil && e.Likeness() == matchers.Incomparable {
		s.p.NotVerified("", "what came back cannot be compared, see create.response.%s", path)
	}
	gomega.Expect(e).To(matchers.ComeBackAs(expected))
}
