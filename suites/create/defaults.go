package create

import (
	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// defaults: what fills in for what the request leaves out.
func (s *Suite) defaults() {
	Describe("defaults", func() {
		s.Rule("create.default.country_of_issue", Must, RequestTable,
			"Without a country of issue the document is issued in BRA.", func() {
				e := echoed{s, "document.country_of_issue", types.NewCodeLocation(0)}
				omitted := s.vary(target.AboutField, without("document_country_of_issue"))
				s.accepted(e.place, "accepts a creation without it", omitted)
				inBrazil := func(answered) any { return "BRA" }
				e.filled("shows BRA", omitted, "BRA, since the request gave none", inBrazil)
				e.filled("shows BRA for an address abroad", s.vary(target.AboutField, abroad()),
					"BRA, since the request gave none", inBrazil)
			})

		s.Rule("create.default.country_of_issue_kept", Must, RequestTable, "A country of issue that was given is kept.",
			namesOf("document_country_of_issue"), func() {
				echoed{s, "document.country_of_issue", types.NewCodeLocation(0)}.of(with("document_country_of_issue", "ARG"))
			})

		s.Rule("create.default.registration_update_date", Must, RequestTable,
			"Without a registration update date the record carries the start of the relationship.", func() {
				e := echoed{s, "registration_update_date", types.NewCodeLocation(0)}
				omitted := s.vary(target.AboutField, without("registration_update_date"))
				s.accepted(e.place, "accepts a creation without it", omitted)
				e.filled("shows the start of the relationship", omitted,
					"the relationship_start_date of the request, since it gave none",
					func(a answered) any { return a.sent.Get("relationship_start_date") })
			})

		s.Rule("create.default.registration_update_date_kept", Must, RequestTable,
			"A registration update date that was given is kept.", func() {
				e := echoed{s, "registration_update_date", types.NewCodeLocation(0)}
				It("keeps another day than the start of the relationship", func(ctx SpecContext) { e.comesBack(ctx, s.c.Creation) })
				e.of(leapDays())
				e.ifAccepted(earlierUpdate())
			})
	})
}

// filled declares what a field that the request did not give shows.
func (e echoed) filled(text string, seen answer, expected string, value func(a answered) any) {
	It(text, e.place, func(ctx SpecContext) {
		a := e.s.recorded(ctx, seen)
		if !a.shows(e.path) {
			spec.NotVerified("", "the record does not show what %s lies in, see create.success.document", e.path)
		}
		got, _ := a.record.Get(e.path)
		e.compare(Echo{Path: e.path, Kind: Kind(e.path), Sent: value(a), Got: got}, ComeBackAs(expected))
	})
}
