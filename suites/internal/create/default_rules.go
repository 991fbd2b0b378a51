package create

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/reproscript"
	. "github.com/gateassay/gateassay/internal/schema"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// declareDefaultRules declares the rules on the defaults of omitted fields.
func (s *Suite) declareDefaultRules() {
	s.Describe("defaults", func() {
		s.ruleFillsDefault("country_of_issue", "document_country_of_issue",
			"A country of issue that is left out defaults to BRA.",
			"A country of issue that was given is kept.", "BRA, since the request gave none",
			func(acceptedCreation) any { return "BRA" })
		const start = "relationship_start_date"
		s.ruleFillsDefault("registration_update_date", "registration_update_date",
			"A registration update date that is left out defaults to the start of the relationship.",
			"A registration update date that was given is kept.",
			"the relationship_start_date of the request, since it gave none",
			func(a acceptedCreation) any { return a.sent.Get(start) }, s.restsOnFieldName(start))
	})
}

// ruleFillsDefault declares the rules that an omitted field gets a default, and that a given one
// keeps its value.
func (s *Suite) ruleFillsDefault(
	id, name, filled, stays, expected string, value func(acceptedCreation) any, options ...any,
) {
	spec.Helper()
	f := fieldByName(name)
	s.Rule("create.default."+id, Must, SectionRequest, filled, append(options, func() {
		s.itAccepts(withoutField(name), s.observeValid(withoutField(name)))
		s.observeValidValuesOf(name)
		s.observeSparseAfterFull()
		s.itHoldsForEveryAnswer(HoldForEveryAnswer("record", expected),
			judgeRecordsOnly(func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
				want := value(a)
				if a.sent.Has(name) || want == nil || !a.hasParentOf(f.Path) {
					return Flaw{}, false
				}
				found := a.echoedValue(f, want)
				same, comparable := found.CompareValues()
				return a.fieldFlaw(f.Path, same, f.EchoExpectation(want)), found.Got == nil || comparable
			}))
	})...)
	level := Must
	if f.Kind == KindText { // another notation may mean the same
		level = Should
	}
	s.Rule("create.default."+id+"_kept", level, SectionRequest, stays, s.restsOnFieldName(name),
		func() { s.itEchoes(f) })
}

// declareNegativeMoney declares the rule on negative amounts, before rules that only observe the
// same creations.
func (s *Suite) declareNegativeMoney() {
	s.Rule("create.echo.negative_money", Must, SectionLimits,
		"A negative amount is rejected, or comes back negative.", func() {
			for _, name := range []string{"income", "patrimony"} {
				seen := s.lab.ObserveProbe(withAmount(name, "-1"))
				s.It("keeps or rejects a negative "+name, func(ctx spec.Context) {
					a := seen.Await(ctx)
					if !a.IsSuccess() {
						return
					}
					flaw, _ := s.changedValue(acceptedRecord(ctx, a), fieldByName(name))
					flaw.Evidence.Sign = reproscript.ExpectValue{
						Path:    name,
						Right:   "[0-9].*",
						Not:     true,
						Refused: true,
					}
					ctx.Expect(flaw.ShownBy(a.Exchange)).
						To(BeFlawless("A negative "+name, "the value that was sent, or a rejection"))
				})
			}
		})
}
