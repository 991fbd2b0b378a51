package create

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	. "github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/answers"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// declareSuccessRules declares the rules on the answer to every valid creation.
func (s *Suite) declareSuccessRules() {
	s.Describe("the answer to a creation", func() {
		s.ruleForEveryAnswer("create.success.status", Must, SectionErrors,
			"A creation that succeeds is answered with 201.", "accepted creation", "201",
			func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
				return FlawUnless(a.exchange.Status == http.StatusCreated, answers.Describe(a.exchange),
					reproscript.ExpectStatus{Right: []string{"201"}}), true
			})
		s.Rule("create.success.steady", Should, SectionErrors,
			"A creation with valid values gets no server error, and none that disappears when it is sent "+
				"again.",
			func() {
				run := s.observeAllAccepted()
				s.lab.ItIsSteady(client.OperationCreate, func(ctx spec.Context) { run.Await(ctx) })
				for _, b := range s.bundles {
					for _, p := range b.parts {
						if !b.open {
							continue
						}
						seen := s.observeValid(p)
						s.It("does not break over "+p.String(),
							func(ctx spec.Context) { ctx.Expect(seen.Await(ctx)).To(BeAnswered()) })
					}
				}
			})
		s.Rule("create.success.answered", Should, SectionErrors,
			"What the document leaves open, such as null in an optional field, is accepted or rejected, "+
				"and breaks nothing.",
			func() { s.lab.ItBreaksOverNothing(client.OperationCreate) })
		const answer = "answer to a creation"
		s.ruleForEveryAnswer("create.success.json", Must, SectionCreate,
			"The body of the answer is one JSON object.", answer, "one JSON object",
			func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
				return FlawUnless(a.parseError == nil, fmt.Sprint(a.parseError),
					reproscript.ExpectJSONObject{}), true
			})
		s.ruleForEveryAnswer("create.success.envelope", Should, SectionCreate,
			"The body of the answer is the record itself, not wrapped in another object.", answer,
			"the record itself",
			judgeRecordsOnly(func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
				return FlawUnless(a.record.Envelope == "", "the record is in its member "+a.record.Envelope,
					reproscript.ExpectEnvelope{Paths: []string{"document", "address", "created_at"}}), true
			}))
		// A value that was sent under an undocumented name and did not come back may never have been
		// read. create.response.id judges a missing ID.
		var read []spec.AnyObservation
		for _, f := range RecordFields() {
			for _, key := range s.lab.UndocumentedNameKeys(f.Name) {
				read = append(read, s.EvidenceOfName(key))
			}
		}
		s.Rule("create.success.fields", Should, SectionCreate,
			"The answer has every field of the record that the request gave or the deployment generates.",
			spec.UsesObservations(read...), func() {
				s.itHoldsForEveryAnswer(HoldForEveryAnswer("record", "every field of the record"),
					s.missingFields)
				s.itShowsFieldsOfUndocumentedNames()
			})
		for _, name := range []string{"document", "address"} {
			s.Rule("create.success."+name, Must, SectionRecord,
				"The record always has the "+name+" as an object.", func() {
					s.observeValid(withoutField("address.complement"))
					s.itHoldsForEveryAnswer(HoldForEveryAnswer("record", "an object"),
						judgeRecordsOnly(func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
							is := a.record.JSONType(name)
							return FlawUnless(is == "object", name+" is "+is,
								reproscript.ExpectValue{Path: name, Right: "object"}), true
						}))
				})
		}
	})
}

// itShowsFieldsOfUndocumentedNames declares a case that each field is in some record. One that is
// in none may be lost, or its name may be wrong in the deployment file.
func (s *Suite) itShowsFieldsOfUndocumentedNames() {
	spec.Helper()
	run := s.observeAllAccepted()
	s.It("shows what is sent under names that the document leaves open", func(ctx spec.Context) {
		all := run.Await(ctx)
		for _, f := range RecordFields() {
			sent := func(a acceptedCreation) bool { return f.Name != "" && a.sent.Get(f.Name) != nil }
			shown := func(a acceptedCreation) bool { return !a.lacksField(f.Path) }
			if slices.ContainsFunc(all, sent) && !slices.ContainsFunc(all, shown) {
				ctx.StopOnError(s.nameUnconfirmedError(ctx, f.Name))
			}
		}
	})
}

// missingFields describes the fields that an answer lacks although they were sent or are
// generated.
func (s *Suite) missingFields(ctx spec.Context, a acceptedCreation) (Flaw, bool) {
	var missing []string
	for _, f := range RecordFields() {
		given := a.parseError == nil && f.Path != "id" && (f.Name == "" || a.sent.Get(f.Name) != nil)
		if given && a.lacksField(f.Path) && s.nameUnconfirmedError(ctx, f.Name) == nil {
			missing = append(missing, f.Path)
		}
	}
	expectation := reproscript.ExpectValue{
		Path:  strings.Join(missing[:min(1, len(missing))], ""),
		Right: "absent|null",
		Not:   true,
	}
	return FlawUnless(len(missing) == 0, "lacks "+strings.Join(missing, ", "),
		expectation), a.parseError == nil
}

// declareResponseRules declares the rules on the type, format or value set of each field of the
// record. create.success.fields judges whether fields are present, except the ID.
func (s *Suite) declareResponseRules() {
	s.Describe("the record", func() {
		for _, f := range RecordFields() {
			right := f.Kind.Pattern() + "|absent|null" // a gateway without the finding may leave it out
			if f.Path == "id" {
				right = f.Kind.Pattern()
			}
			s.ruleForFieldValue("create.response."+f.Path, Must, SectionRecord,
				"In the record, "+f.Path+" is "+f.Kind.Description()+".", f.Kind.Description(), f.Path,
				reproscript.ExpectValue{Path: f.Path, Right: right},
				func(value any, a acceptedCreation) (bool, bool) {
					judged := a.hasParentOf(f.Path) && (f.Path == "id" || !a.lacksField(f.Path))
					return f.Kind.Fits(value), judged
				})
		}
		s.ruleForFieldValue("create.response.participation_percentage.range", Must, SectionLimits,
			"In the record, participation_percentage is between 0 and 100.", "0 to 100",
			"participation_percentage",
			reproscript.ExpectValue{
				Path:  "participation_percentage",
				Right: `100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?([eE]-[0-9]+)?`,
			},
			func(value any, _ acceptedCreation) (bool, bool) {
				return isParticipationInRange(value), KindPercentage.Fits(value)
			})
		s.ruleForFieldValue("create.response.created_at.zone", Should, SectionRecord,
			"The creation date names its zone.", "a date-time with its zone (RFC 3339)", "created_at",
			reproscript.ExpectValue{Path: "created_at", Right: ZonedDateTimePattern},
			func(value any, _ acceptedCreation) (bool, bool) {
				_, zoned := ParseDateTime(value)
				return zoned, KindDateTime.Fits(value)
			})
		s.ruleForFieldValue("create.response.created_at.now", Should, SectionRecord,
			"The creation date is the moment of the creation, within five minutes of the deployment's "+
				"clock.",
			"within five minutes of the deployment's clock", "created_at",
			reproscript.ExpectCurrentTime{Path: "created_at"},
			func(value any, a acceptedCreation) (bool, bool) {
				at, ok := ParseDateTime(value)
				right, judged := answers.IsCurrentTime(a.exchange, at)
				return right, ok && judged
			})
		s.ruleForFieldValue("create.person_type", Must, SectionRecord,
			"A representative is always a NATURAL_PERSON.", "NATURAL_PERSON", "person_type",
			reproscript.ExpectValue{Path: "person_type", Right: `"NATURAL_PERSON"`},
			func(value any, _ acceptedCreation) (bool, bool) { return value == "NATURAL_PERSON", true })
	})
}

// ruleForFieldValue declares a rule on the value of one field in every record. holds returns
// whether the value is right, and whether it can be judged.
func (s *Suite) ruleForFieldValue(
	id string,
	level Level,
	section Section,
	statement, expected, path string,
	expectation reproscript.Expectation,
	holds func(value any, a acceptedCreation) (ok, judged bool),
) {
	spec.Helper()
	s.ruleForEveryAnswer(id, level, section, statement, "record", expected,
		judgeRecordsOnly(func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
			value, _ := a.record.Get(path)
			ok, judged := holds(value, a)
			return a.fieldFlaw(path, ok, expectation), judged
		}))
}
