package create

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/reproscript"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// declareDefaultRules declares the rules on fields that get a default only where they are omitted.
func (s *Suite) declareDefaultRules() {
	const country, update = "document_country_of_issue", "registration_update_date"
	const start = "relationship_start_date"
	s.Describe("defaults", func() {
		s.Rule("create.default.country_of_issue", Must, SectionRequest,
			"A country of issue that is left out defaults to BRA.", func() {
				s.itFillsDefault(country, "BRA, since the request gave none",
					func(acceptedCreation) any { return "BRA" })
			})
		s.Rule("create.default.country_of_issue_kept", Should, // another notation may mean the same
			SectionRequest, "A country of issue that was given is kept.", s.restsOnFieldName(country),
			func() { s.itEchoes(fieldByName(country)) })
		s.Rule("create.default.registration_update_date", Must, SectionRequest,
			"A registration update date that is left out defaults to the start of the relationship.",
			s.restsOnFieldName(start), func() {
				s.itFillsDefault(update, "the relationship_start_date of the request, since it gave none",
					startOfRelationship)
			})
		s.Rule("create.default.registration_update_date_kept", Must, SectionRequest,
			"A registration update date that was given is kept.", s.restsOnFieldName(update),
			func() { s.itEchoes(fieldByName(update)) })
	})
}

// startOfRelationship returns what an update date that is left out defaults to. Where the record
// shows another start than was sent, and the same update date, only the start is wrong.
func startOfRelationship(a acceptedCreation) any {
	sent := a.sent.Get("relationship_start_date")
	start, _ := a.record.Get("relationship_start_date")
	update, _ := a.record.Get("registration_update_date")
	if text, isText := start.(string); isText && sent != nil && update == text {
		return text
	}
	return sent
}

// itFillsDefault declares the cases that a field may be omitted, and that records then show the
// value that value derives from the creation; nil: none is known.
func (s *Suite) itFillsDefault(name, expected string, value func(acceptedCreation) any) {
	spec.Helper()
	f := fieldByName(name)
	s.itAccepts(withoutField(name))
	s.observeValidValuesOf(name)
	s.observeSparseAfterFull()
	s.itHoldsForEveryAnswer(HoldForEveryAnswer("record", expected),
		func(a acceptedCreation) (Flaw, bool) {
			want := value(a)
			if a.sent.Has(name) || want == nil || !a.hasRecord() || !a.hasParentOf(f.Path) {
				return Flaw{}, false
			}
			found := a.echoedValue(f, want)
			same, comparable := found.CompareValues()
			return a.fieldFlaw(f.Path, same, f.EchoExpectation(want)), found.Got == nil || comparable
		})
}

// declareNegativeMoney declares the rule on negative amounts, before rules that only observe them.
func (s *Suite) declareNegativeMoney() {
	s.Rule("create.echo.negative_money", Must, SectionLimits,
		"A negative amount is rejected, or comes back negative.", func() {
			for _, name := range []string{"income", "patrimony"} {
				seen, others := s.lab.ObserveProbe(withAmount(name, "-1")), s.observeAllAccepted()
				s.It("keeps or rejects a negative "+name, func(ctx spec.Context) {
					a := seen.Await(ctx)
					if !a.IsSuccess() {
						return
					}
					record := acceptedRecord(ctx, a)
					if record.lacksField(name) {
						ctx.NotVerifiedf("", "the record shows no %s, see create.success.fields", name)
					}
					flaw, _ := s.changedValue(record, fieldByName(name))
					if flaw.Found != "" {
						s.stopIfOthersChange(ctx, others.Await(ctx), fieldByName(name))
					}
					flaw.Evidence.Sign = reproscript.ExpectValue{
						Path: name, Right: "[0-9].*", Not: true, Refused: true,
					}
					ctx.Expect(flaw.ShownBy(a.Exchange)).
						To(BeFlawless("A negative "+name, "the value that was sent, or a rejection"))
				})
			}
		})
}
