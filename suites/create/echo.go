package create

import (
	"context"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// echo: what was sent comes back the same. Values are compared, not JSON types: those have rules of their own. Left
// open are the letter case of an email, further spaces between two names, and decimals of a percentage beyond the
// second.
func (s *Suite) echo() {
	s.Describe("what was sent", func() {
		s.echoes("create.echo.name", Should, ", accents and apostrophes included", s.names)
		s.echoes("create.echo.document.number", Must, "", func(e echoed) {
			e.of(both(s.zeroCPF(), s.elsewhere()))
			e.inCompany(s.zeroCPF())
		})
		s.echoes("create.echo.representor_type", Must, " for all four qualifications", func(e echoed) {
			e.of(qualified("ATTORNEY"), qualified("ADMINISTRATOR"), qualified("OTHER"))
		})
		s.echoes("create.echo.income", Must, ", above 2^31 and up to 2^53 cents", s.amounts)
		s.echoes("create.echo.patrimony", Must, ", above 2^31 and up to 2^53 cents", s.amounts)
		s.echoes("create.echo.participation_percentage", Must, ", decimals such as 33.33 and 0.01 included",
			func(e echoed) {
				e.of(percent("0"), percent("100"), percent("33.33"), percent("0.01"), percent("99.99"), percent("0.29"))
				e.ifAccepted(percent("2.5e1"))
			})
		s.echoes("create.echo.pep", Must, ", true as well as false", s.flagsBack)
		s.echoes("create.echo.is_public_server", Must, ", true as well as false", s.flagsBack)
		s.echoes("create.echo.phone_number", Should, "", nil)
		s.echoes("create.echo.email", Should, "", func(e echoed) { e.ifAccepted(s.rareTexts()) })
		s.echoes("create.echo.birth_date", Must, "", func(e echoed) {
			e.of(e.s.leapDays())
			e.ifAccepted(farDates())
		})
		s.echoes("create.echo.relationship_start_date", Must, "", func(e echoed) { e.of(e.s.leapDays()) })
		s.echoes("create.echo.relationship_end_date", Must, "", func(e echoed) {
			e.of(e.s.leapDays())
			e.ifAccepted(farDates())
		})
		s.echoes("create.echo.shareholder_id", Must, "", nil)
		s.echoes("create.echo.address.zip_code", Should, "", s.placeBack)
		s.echoes("create.echo.address.street", Should, "", func(e echoed) {
			e.ifAccepted(s.longTexts())
			e.ifAccepted(marksInStreet())
		})
		s.echoes("create.echo.address.number", Must, "", nil)
		s.echoes("create.echo.address.neighborhood", Should, "", s.placeBack)
		s.echoes("create.echo.address.city", Should, "", s.placeBack)
		s.echoes("create.echo.address.federative_unit", Should, "", s.placeBack)
		s.echoes("create.echo.address.country", Should, "", func(e echoed) { e.of(abroad()) })
		s.echoes("create.echo.address.complement", Should, "", nil)
	})
}

func (s *Suite) names(e echoed) {
	e.accepted(s.accents(), changed("the same name in plain letters", func(c *target.Creation) {
		name, _ := c.Draft.Get("name").(string)
		*c = c.With("name", strings.ReplaceAll(name, accented, plainly))
	}))
	e.ifAccepted(s.longTexts())
	e.ifAccepted(s.rareTexts())
	e.ifAccepted(s.marksInName())
}

func (s *Suite) placeBack(e echoed) { e.of(both(s.zeroCPF(), s.elsewhere())) }

// amounts: no limit is shown, but there may be one below the largest.
func (s *Suite) amounts(e echoed) {
	e.of(cents(e.path, nothing), cents(e.path, beyond32))
	e.ifAccepted(cents(e.path, most53))
	if e.path == "income" {
		e.ifAccepted(cents(e.path, over53))
		e.ifAccepted(cents(e.path, "25e4"))
	} else {
		e.ifAccepted(cents(e.path, over63))
		e.ifAccepted(cents(e.path, "250000.00"))
	}
}

// flagsBack: each flag comes back as its own.
func (s *Suite) flagsBack(e echoed) {
	e.accepted(flags(true, true), with(e.path, false))
	alone, other := flags(true, false), flags(false, true)
	if e.path != "pep" {
		alone, other = other, alone
	}
	e.accepted(alone, with(e.path, false))
	e.of(other)
}

// echoed is the rule about one field that was sent.
type echoed struct {
	s    *Suite
	path string // in the record
}

// echoes declares the rule that a field comes back: ordinary values in every record of the run, and those of more.
func (s *Suite) echoes(id string, level Level, how string, more func(e echoed)) {
	spec.Helper()
	e := echoed{s, strings.TrimPrefix(id, "create.echo.")}
	statement := "The " + e.path + " of the request comes back unchanged" + how + "."
	s.Rule(id, level, RequestTable, statement, s.namesOf(logical(e.path)), func() {
		if more != nil {
			more(e)
		}
		s.throughout("comes back with an ordinary value in every record", ComeBackThroughout(e.path),
			ofRecords(func(a answered) (string, bool) {
				sent := a.ordinary.Get(logical(e.path))
				got, _ := a.record.Get(e.path)
				if sent == nil || got == nil {
					return "", false
				}
				found := echoOf(e.path, sent, got)
				return unlessRight(found.Likeness() == Alike, found.Contrast()), found.Likeness() != Incomparable
			}), e.path)
	})
}

// echoOf is a value that was sent beside what the record shows in its place.
func echoOf(path string, sent, got any) Echo {
	return Echo{Path: path, Kind: Kind(path), Sent: sent, Got: got}
}

// of declares that the field of valid creations comes back; that they are accepted is for other rules to say.
func (e echoed) of(edits ...edit) {
	spec.Helper()
	for _, one := range edits {
		seen := e.s.vary(target.AboutField, one)
		e.s.It("comes back from a "+label(one), func(ctx spec.Context) { e.comesBack(ctx, seen) })
		e.inCompany(one)
	}
}

// inCompany declares that the field comes back whatever else is sent, where the edit is one that is sent so.
func (e echoed) inCompany(one edit) {
	spec.Helper()
	if seen, found := e.s.accompanied(one); found {
		e.s.It("comes back from a "+label(one)+beside, func(ctx spec.Context) { e.comesBack(ctx, seen) })
	}
}

// ifAccepted is of for a creation that nothing obliges the deployment to accept.
func (e echoed) ifAccepted(one edit) {
	spec.Helper()
	seen := e.s.vary(target.AboutField, one)
	e.s.It("comes back, where it is accepted, from a "+label(one), func(ctx spec.Context) {
		if !seen.Await(ctx).Success() {
			ctx.NotApplicable("it is not accepted, and does not have to be")
		}
		e.comesBack(ctx, seen)
	})
}

// accepted is of for a value that the document allows without any doubt, and whose acceptance no other rule is about: a
// refusal breaks this one, unless the same creation is refused without the value as well. back takes the value back.
func (e echoed) accepted(one, back edit) {
	spec.Helper()
	seen := e.s.vary(target.AboutField, one)
	twin := spec.Observe(e.s.Plan, label(one)+", refused: "+back.name,
		func(ctx context.Context) (target.Answer, error) {
			a, err := seen.Get(ctx)
			if err != nil || !a.Refusal() || a.Status == http.StatusConflict {
				return target.Answer{}, err // a server error was held against the control already
			}
			return e.s.c.Creations(ctx, target.AboutField, nil, func(again *target.Creation) {
				*again = a.Creation.Again()
				edited(back)(again)
			})
		})
	e.s.It("comes back from a "+label(one), func(ctx spec.Context) {
		a, without := seen.Await(ctx), twin.Await(ctx)
		switch {
		case a.Success():
			e.comesBack(ctx, seen)
			return
		case without.Exchange == nil:
			notAboutIdentifiers(ctx, a)
		case !without.Success():
			ctx.NotVerified("", "the request was not accepted (%s), and neither was one with %s (%s)",
				target.Describe(a.Exchange), back.name, target.Describe(without.Exchange))
		default:
			a.Control = without.Exchange
		}
		ctx.Expect(a).To(BeAccepted())
	})
	e.inCompany(one)
}

// comesBack judges the field in one record.
func (e echoed) comesBack(ctx spec.Context, seen answer) {
	a := e.s.recorded(ctx, seen)
	got, _ := a.record.Get(e.path)
	if sent := a.sent.Get(logical(e.path)); sent == nil && len(seen.Await(ctx).Condition) == 0 {
		return // the last row leaves it out, and the rows before it showed what they were sent
	}
	if got == nil {
		ctx.NotVerified("", "the record does not show %s, see %s", e.path, spec.Ref("create.success.fields"))
	}
	found := echoOf(e.path, a.sent.Get(logical(e.path)), got)
	e.compare(ctx, found, Because(ComeBackUnchanged(), cause([]answered{a}, e.path)), seen.Await(ctx).Condition)
}

func (e echoed) compare(ctx spec.Context, found Echo, matcher Matcher, condition []record.Setting) {
	if found.Got != nil && found.Likeness() == Incomparable {
		ctx.NotVerified("", "what came back cannot be compared (%s), see %s",
			e.s.t.Client.Redactor().Text(Shown(e.path, found.Got)), spec.Ref("create.response."+e.path))
	}
	ctx.Expect(found).To(Given(matcher, condition))
}

// recorded is the record of a valid creation. Where it was not accepted, or was answered with the control's record, the
// spec ends: another rule judges that.
func (s *Suite) recorded(ctx spec.Context, seen answer) answered {
	base, a := s.read(s.c.Creation.Await(ctx)), seen.Await(ctx)
	if !a.Success() {
		ctx.NotVerified("", "the request was not accepted: %s", target.Describe(a.Exchange))
	}
	found := s.read(a)
	if sameRecord(base, found) {
		ctx.NotVerified("", "the answer is the record of another creation, see %s", spec.Ref("create.repeat.other_transaction"))
	}
	needRecord(ctx, found)
	return found
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
	s.Describe("defaults", func() {
		s.Rule("create.default.country_of_issue", Must, RequestTable,
			"A country of issue that is left out defaults to BRA.", func() {
				e := echoed{s, "document.country_of_issue"}
				const want, expected = "BRA", "BRA, since the request gave none"
				inBrazil := func(answered) any { return "BRA" }
				e.filled(want, expected, without("document_country_of_issue"), inBrazil)
				e.shows(want, expected, label(abroad()), s.vary(target.AboutField, abroad()), inBrazil)
			})

		s.Rule("create.default.country_of_issue_kept", Must, RequestTable, "A country of issue that was given is kept.",
			s.namesOf("document_country_of_issue"), func() {
				echoed{s, "document.country_of_issue"}.of(with("document_country_of_issue", "ARG"))
			})

		s.Rule("create.default.registration_update_date", Must, RequestTable,
			"A registration update date that is left out defaults to the start of the relationship.",
			s.namesOf("relationship_start_date"), func() {
				e := echoed{s, "registration_update_date"}
				e.filled("the relationship_start_date of the request",
					"the relationship_start_date of the request, since it gave none",
					without("registration_update_date"),
					func(a answered) any { return a.sent.Get("relationship_start_date") })
			})

		s.Rule("create.default.registration_update_date_kept", Must, RequestTable,
			"A registration update date that was given is kept.", s.namesOf("registration_update_date"), func() {
				e := echoed{s, "registration_update_date"}
				s.It("keeps a day other than the start of the relationship",
					func(ctx spec.Context) { e.comesBack(ctx, s.c.Creation) })
				e.of(e.s.leapDays())
				given, _ := s.accompanied(with("document_country_of_issue", "ARG"))
				s.It("keeps it"+beside, func(ctx spec.Context) {
					if s.recorded(ctx, given).sent.Get("registration_update_date") == nil {
						ctx.NotVerified("", "a valid creation with other options was refused, which other rules judge")
					}
					e.comesBack(ctx, given)
				})
				e.ifAccepted(earlierUpdate())
			})
	})
}

// filled declares that creations which do not give a field are accepted, and what their records show of it.
func (e echoed) filled(want, expected string, lacking edit, value func(a answered) any) {
	spec.Helper()
	e.s.acceptedAnywhere(lacking)
	e.shows(want, expected, label(lacking), e.s.vary(target.AboutField, lacking), value)
	if seen, found := e.s.accompanied(lacking); found {
		e.shows(want, expected, label(lacking)+beside, seen, value)
	}
}

// shows declares what a record shows that was not given.
func (e echoed) shows(want, expected, what string, seen answer, value func(a answered) any) {
	spec.Helper()
	e.s.It("is filled in for a "+what, func(ctx spec.Context) {
		a := e.s.recorded(ctx, seen)
		if !a.shows(e.path) {
			ctx.NotVerified("", "the record does not show the object that holds %s, see %s", e.path, spec.Ref("create.success.document"))
		}
		got, _ := a.record.Get(e.path)
		e.compare(ctx, echoOf(e.path, value(a), got), ComeBackAs(want, expected), seen.Await(ctx).Condition)
	})
}
