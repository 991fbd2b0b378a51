package create

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// echo: what was sent comes back the same. Values are compared, not JSON types: those have rules of their own. Left
// open are the letter case of an email, further spaces between two names, and decimals of a percentage beyond the
// second. What no rule obliges the deployment to accept is compared where it is accepted.
func (s *Suite) echo() {
	s.Describe("what was sent", func() {
		s.echoes("create.echo.name", Should, ", accents and apostrophes included",
			[]edit{s.accents()}, s.longTexts(), s.rareTexts(), s.marksInName())
		s.echoes("create.echo.document.number", Must, "", nil, s.zeroCPF())
		s.echoes("create.echo.representor_type", Must, " for all four qualifications", nil,
			qualified("ATTORNEY"), qualified("ADMINISTRATOR"), qualified("OTHER"))
		s.echoes("create.echo.income", Must, ", above 2^31 and up to 2^53 cents", nil, amounts("income", over53, "25e4")...)
		s.echoes("create.echo.patrimony", Must, ", above 2^31 and up to 2^53 cents", nil,
			amounts("patrimony", over63, "250000.00")...)
		s.echoes("create.echo.participation_percentage", Must, ", decimals such as 33.33 and 0.01 included", nil,
			percent("0"), percent("100"), percent("33.33"), percent("0.01"), percent("99.99"), percent("0.29"), percent("2.5e1"))
		s.echoes("create.echo.pep", Must, ", true as well as false",
			[]edit{with("pep", true)}, with("is_public_server", true))
		s.echoes("create.echo.is_public_server", Must, ", true as well as false",
			[]edit{with("is_public_server", true)}, with("pep", true))
		s.echoes("create.echo.phone_number", Should, "", nil)
		s.echoes("create.echo.email", Should, "", nil, s.rareTexts())
		s.echoes("create.echo.birth_date", Must, "", nil, leapDays(), farDates())
		s.echoes("create.echo.relationship_start_date", Must, "", nil, leapDays())
		s.echoes("create.echo.relationship_end_date", Must, "", nil, leapDays(), farDates())
		s.echoes("create.echo.shareholder_id", Must, "", nil)
		s.echoes("create.echo.address.zip_code", Should, "", nil, elsewhere())
		s.echoes("create.echo.address.street", Should, "", nil, s.longTexts(), marksInAddress())
		s.echoes("create.echo.address.number", Must, "", nil)
		s.echoes("create.echo.address.neighborhood", Should, "", nil, elsewhere())
		s.echoes("create.echo.address.city", Should, "", nil, elsewhere())
		s.echoes("create.echo.address.federative_unit", Should, "", nil, elsewhere())
		s.echoes("create.echo.address.country", Should, "", nil, abroad())
		s.echoes("create.echo.address.complement", Should, "", nil, marksInAddress(), without("address.complement"))
	})
}

// echoes declares the rule that a field comes back in every record of the run. certain are creations with it that the
// document allows without any doubt, and whose acceptance no other rule is about; more are others that are sent.
func (s *Suite) echoes(id string, level Level, how string, certain []edit, more ...edit) {
	spec.Helper()
	path := strings.TrimPrefix(id, "create.echo.")
	s.Rule(id, level, RequestTable, "The "+path+" of the request comes back unchanged"+how+".",
		s.namesOf(logical(path)), func() {
			for _, e := range certain {
				s.isAccepted(e)
			}
			for _, e := range more {
				s.sound(e)
			}
			s.comesBack(path)
		})
}

// comesBack declares the case that a field which was given comes back. Where records show the field at all, null in place
// of a zero or of false is another value.
func (s *Suite) comesBack(path string) {
	spec.Helper()
	run := s.everything()
	s.It("comes back in every record", func(ctx spec.Context) {
		all := run.Await(ctx)
		shown := slices.ContainsFunc(all, func(a answered) bool { return a.record != nil && !a.lacks(path) })
		s.judge(ctx, all, ComeBackThroughout(path), ofRecords(func(a answered) (string, bool) {
			sent := a.sent.Get(logical(path))
			got, there := a.record.Get(path)
			found := echoOf(path, sent, got)
			switch {
			case sent == nil:
				return "", false
			case got == nil:
				return found.Contrast(), there && shown && (sent == false || sent == json.Number(nothing))
			}
			return unlessRight(found.Likeness() == Alike, found.Contrast()), found.Likeness() != Incomparable
		}))
	})
}

// echoOf is a value that was sent, and what the record shows in its place.
func echoOf(path string, sent, got any) Echo {
	return Echo{Path: path, Kind: Kind(path), Sent: sent, Got: got}
}

// logical is the name of the field that the record shows at a path.
func logical(path string) string {
	for name, at := range deployment.RequestPaths(nil) {
		if at == path {
			return name
		}
	}
	return path
}

// defaults: what fills in for what the request leaves out.
func (s *Suite) defaults() {
	const country, update = "document.country_of_issue", "registration_update_date"
	s.Describe("defaults", func() {
		s.Rule("create.default.country_of_issue", Must, RequestTable,
			"A country of issue that is left out defaults to BRA.", func() {
				s.isAccepted(without("document_country_of_issue"))
				s.sound(abroad())
				s.filledIn(country, "BRA, since the request gave none", func(answered) any { return "BRA" })
			})

		s.Rule("create.default.country_of_issue_kept", Must, RequestTable, "A country of issue that was given is kept.",
			s.namesOf("document_country_of_issue"), func() {
				s.sound(with("document_country_of_issue", "ARG"))
				s.comesBack(country)
			})

		s.Rule("create.default.registration_update_date", Must, RequestTable,
			"A registration update date that is left out defaults to the start of the relationship.",
			s.namesOf("relationship_start_date"), func() {
				s.isAccepted(without(update))
				s.filledIn(update, "the relationship_start_date of the request, since it gave none",
					func(a answered) any { return a.sent.Get("relationship_start_date") })
			})

		s.Rule("create.default.registration_update_date_kept", Must, RequestTable,
			"A registration update date that was given is kept.", s.namesOf(update), func() {
				s.sound(leapDays())
				s.sound(earlierUpdate())
				s.comesBack(update)
			})
	})
}

// filledIn declares the case that a record shows a default of a field that the request did not give.
func (s *Suite) filledIn(path, expected string, value func(answered) any) {
	spec.Helper()
	s.throughout("is filled in where it is left out", HoldThroughout("record", expected),
		ofRecords(func(a answered) (string, bool) {
			want := value(a)
			if a.sent.Has(logical(path)) || want == nil || !a.shows(path) {
				return "", false
			}
			got, _ := a.record.Get(path)
			found := echoOf(path, want, got)
			return unlessRight(found.Likeness() == Alike, a.found(path)), got == nil || found.Likeness() != Incomparable
		}))
}
