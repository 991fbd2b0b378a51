package create

import (
	"encoding/json"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/reproscript"
	. "github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// declareEchoRules declares the rules that values come back as sent. They compare values, not
// JSON types, which have their own rules. They ignore the letter case of an email, extra spaces
// between names, and decimals of a percentage beyond the second. Values that the deployment may
// refuse are compared if accepted.
func (s *Suite) declareEchoRules() {
	s.Describe("what was sent", func() {
		shown := func(f field) bool { return f.Path != "" && f.Kind != KindObject }
		for _, f := range fieldsWhere(shown) {
			if strings.HasPrefix(f.Name, "registration_") || f.Name == "document_country_of_issue" {
				continue // it has its own rules
			}
			level := Must
			if hasKind(KindText, KindEmail)(f) { // the same text may be written in another way
				level = Should
			}
			s.Rule("create.echo."+f.Path, level, SectionRequest,
				"The "+f.Path+" of the request comes back unchanged.", s.restsOnFieldName(f.Name), func() {
					switch { // values that must be accepted and that no other rule judges
					case f.Kind == KindBoolean:
						s.itAccepts(withField(f.Name, true))
					case f.Name == "name":
						s.itAccepts(s.withAccents())
					case f.Name == "email":
						s.itAccepts(withPlusInEmail())
					}
					s.itEchoes(f)
				})
		}
		s.Rule("create.echo.beyond_doubles", Should, SectionRequest,
			"Income and patrimony beyond 2^53 - 1, on which JSON readers may disagree, are kept "+
				"exactly or rejected.",
			func() {
				s.itKeepsOrRejects(withAmount("income", centsOver53Bit))
				s.itKeepsOrRejects(withAmount("patrimony", centsOver63Bit))
			})
	})
}

// itKeepsOrRejects declares a case that a value is rejected, or comes back as all others do.
func (s *Suite) itKeepsOrRejects(p lab.Probe) {
	spec.Helper()
	f, seen, others := fieldByName(p.ChangedFields[0]), s.observeValid(p), s.observeAllAccepted()
	s.It("keeps or rejects "+p.String(), func(ctx spec.Context) {
		a := seen.Await(ctx)
		ctx.Expect(a).To(BeAnswered())
		if !a.IsSuccess() {
			return
		}
		wrong, judged := s.changedValue(acceptedRecord(ctx, a), f)
		if !judged || wrong.Found == "" {
			return
		}
		s.stopIfOthersChange(ctx, others.Await(ctx), f)
		if kept, is := wrong.Evidence.Sign.(reproscript.ExpectValue); is {
			kept.Refused = true
			wrong.Evidence.Sign = kept
		}
		ctx.Expect(wrong.ShownBy(a.Exchange)).To(BeFlawless("The record's "+f.Path,
			"the value that was sent, or a rejection"))
	})
}

// stopIfOthersChange ends the case where a field of other records comes back changed, too.
func (s *Suite) stopIfOthersChange(ctx spec.Context, others []acceptedCreation, f field) {
	for _, other := range others {
		if changed, _ := s.changedValue(other, f); changed.Found != "" {
			ctx.NotVerifiedf("", "other values come back changed as well, see create.echo.%s", f.Path)
		}
	}
}

// itEchoes declares a case that every valid value of a field comes back.
func (s *Suite) itEchoes(f field) {
	spec.Helper()
	s.observeValidValuesOf(f.Name)
	s.itHoldsForEveryAnswer(
		HoldForEveryAnswer("the record's "+f.Path, "the value that was sent"),
		func(a acceptedCreation) (Flaw, bool) { return s.changedValue(a, f) })
}

// changedValue describes a value that differs from the one sent, and reports whether it can be
// judged. null in place of zero or false is a difference.
func (s *Suite) changedValue(a acceptedCreation, f field) (wrong Flaw, judged bool) {
	path := creationfields.RequestPaths(s.target.Deployment.LegalRepresentative.Fields)[f.Name]
	sent := a.sent.Get(f.Name)
	_, there := a.record.Get(f.Path)
	found := a.echoedValue(f, sent)
	if sent == nil {
		return Flaw{}, false
	}
	// differs from sent for values that identify a person
	carried, _ := a.exchange.SentValue(path)
	wrong = Flaw{
		Found:    found.SentAndReceived(),
		Expected: f.Path + " " + MaskPersonal(f.Path, sent),
		Outcome:  outcome.Changed,
		DaysLate: found.DaysLate(),
		Evidence: spec.Evidence{Sign: f.EchoExpectation(carried), Fields: []string{path}},
	}
	if found.Got == nil {
		wrong.Outcome = outcome.Nulled
		return wrong, there && (sent == false || sent == json.Number(centsZero))
	}
	same, comparable := found.CompareValues()
	if same {
		return Flaw{}, comparable
	}
	return wrong, comparable
}
