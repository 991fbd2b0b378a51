package create

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareSuccessRules: what every valid creation is answered with.
func (s *Suite) declareSuccessRules() {
	s.Describe("the answer to a creation", func() {
		s.ruleForEveryAnswer("create.success.status", Must, SectionErrors, "A creation that succeeds is answered with 201.", "accepted creation", "201",
			func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
				return flawUnless(a.exchange.Status == http.StatusCreated, target.DescribeAnswer(a.exchange), reproscript.ExpectStatus{Right: []string{"201"}}), true
			})
		s.Rule("create.success.steady", Should, SectionErrors,
			"A creation with valid values gets no server error, and none that disappears when it is sent again.", func() {
				run := s.observeAllAccepted()
				s.It("gets no server error before its answer", func(ctx spec.Context) {
					run.Await(ctx)
					ctx.Expect(TallyTransientErrors(s.lab.ServerErrorStats(lab.OperationCreate))).To(HoldForEveryAnswer("creation now and then",
						"the same answer each time"))
				})
				for _, b := range s.bundles {
					for _, p := range b.parts {
						if !b.open {
							continue
						}
						seen := s.observeValid(p)
						s.It("does not break over "+p.String(), func(ctx spec.Context) { ctx.Expect(seen.Await(ctx)).To(BeAnswered()) })
					}
				}
			})
		s.Rule("create.success.answered", Should, SectionErrors,
			"What the document leaves open, such as null in an optional field, is accepted or rejected, and breaks nothing.", func() {
				s.It("gets no server error for what the document leaves open", func(ctx spec.Context) {
					ctx.Expect(TallyServerErrors(ctx, s.observedAnswers)).To(HoldForEveryAnswer("creation that the document leaves open", "2xx or 4xx"))
				})
			})
		const answer = "answer to a creation"
		s.ruleForEveryAnswer("create.success.json", Must, SectionCreate, "The body of the answer is one JSON object.", answer, "one JSON object",
			func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
				return flawUnless(a.parseError == nil, fmt.Sprint(a.parseError), reproscript.ExpectJSONObject{}), true
			})
		s.ruleForEveryAnswer("create.success.envelope", Should, SectionCreate,
			"The body of the answer is the record itself, not wrapped in another object.", answer, "the record itself",
			judgeRecordsOnly(func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
				return flawUnless(a.record.Envelope == "", "the record is in its member "+a.record.Envelope,
					reproscript.ExpectEnvelope{Paths: []string{"document", "address", "created_at"}}), true
			}))
		// What was sent under a name that the document does not show, and did not come back, may never
		// have been read. An ID that is missing is for create.response.id.
		var read []spec.AnyObservation
		for _, f := range RecordFields() {
			if f.Name != "" && !s.target.Deployment.IsDocumentedField(f.Name) {
				read = append(read, s.EvidenceOfName(lab.FieldKeyPrefix+f.Name))
			}
		}
		s.Rule("create.success.fields", Should, SectionCreate,
			"The answer has every field of the record that the request gave or the deployment generates.", spec.UsesObservations(read...), func() {
				s.itHoldsForEveryAnswer(HoldForEveryAnswer("record", "every field of the record"), s.missingFields)
			})
		for _, name := range []string{"document", "address"} {
			s.Rule("create.success."+name, Must, SectionRecord, "The record always has the "+name+" as an object.", func() {
				s.observeValid(withoutField("address.complement"))
				s.itHoldsForEveryAnswer(HoldForEveryAnswer("record", "an object"), judgeRecordsOnly(func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
					is := a.record.JSONType(name)
					return flawUnless(is == "object", name+" is "+is, reproscript.ExpectValue{Path: name, Right: "object"}), true
				}))
			})
		}
	})
}

// missingFields says which fields that were given or are generated an answer lacks.
func (s *Suite) missingFields(ctx spec.Context, a acceptedCreation) (Flaw, bool) {
	var missing []string
	for _, f := range RecordFields() {
		given := a.parseError == nil && f.Path != "id" && (f.Name == "" || a.sent.Get(f.Name) != nil)
		if given && a.lacksField(f.Path) && s.nameUnconfirmedError(ctx, f.Name) == nil {
			missing = append(missing, f.Path)
		}
	}
	expectation := reproscript.ExpectValue{Path: strings.Join(missing[:min(1, len(missing))], ""), Right: "absent|null", Not: true}
	return flawUnless(len(missing) == 0, "lacks "+strings.Join(missing, ", "), expectation), a.parseError == nil
}

// declareResponseRules: the type, format or value set of each field of the record. Whether a field
// is there at all is the business of create.success.fields, but for the id.
func (s *Suite) declareResponseRules() {
	s.Describe("the record", func() {
		for _, f := range RecordFields() {
			s.ruleForFieldValue("create.response."+f.Path, Must, SectionRecord, "In the record, "+f.Path+" is "+f.Kind.Description()+".",
				f.Kind.Description(), f.Path, reproscript.ExpectValue{Path: f.Path, Right: f.Kind.Pattern()}, func(value any, a acceptedCreation) (bool, bool) {
					right := f.Kind.Fits(value) && (f.Path != "address.id" || value != "")
					return right, a.hasParentOf(f.Path) && (f.Path == "id" || !a.lacksField(f.Path))
				})
		}
		s.ruleForFieldValue("create.response.participation_percentage.range", Must, SectionLimits,
			"In the record, participation_percentage is between 0 and 100.", "0 to 100", "participation_percentage",
			reproscript.ExpectValue{Path: "participation_percentage", Right: `100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?([eE]-[0-9]+)?`},
			func(value any, _ acceptedCreation) (bool, bool) {
				return isParticipationInRange(field{}, value, target.Request{}), KindPercentage.Fits(value)
			})
		s.ruleForFieldValue("create.response.created_at.zone", Should, SectionRecord, "The creation date names its zone.",
			"a date-time with its zone (RFC 3339)", "created_at", reproscript.ExpectValue{Path: "created_at", Right: ZonedDateTimePattern}, func(value any, _ acceptedCreation) (bool, bool) {
				_, zoned := ParseDateTime(value)
				return zoned, KindDateTime.Fits(value)
			})
		s.ruleForFieldValue("create.response.created_at.now", Should, SectionRecord,
			"The creation date is the moment of the creation, within five minutes of the deployment's clock.",
			"within five minutes of the deployment's clock", "created_at", reproscript.ExpectCurrentTime{Path: "created_at"}, func(value any, a acceptedCreation) (bool, bool) {
				at, ok := ParseDateTime(value)
				right, judged := target.IsCurrentTime(a.exchange, at)
				return right, ok && judged
			})
		s.ruleForFieldValue("create.person_type", Must, SectionRecord, "A representative is always a NATURAL_PERSON.",
			"NATURAL_PERSON", "person_type", reproscript.ExpectValue{Path: "person_type", Right: `"NATURAL_PERSON"`}, func(value any, _ acceptedCreation) (bool, bool) { return value == "NATURAL_PERSON", true })
	})
}

// ruleForFieldValue declares a rule about the value of one field in every record. holds returns
// whether it holds, and whether it could be judged.
func (s *Suite) ruleForFieldValue(id string, level Level, section Section, statement, expected, path string, expectation reproscript.Expectation,
	holds func(value any, a acceptedCreation) (ok, judged bool),
) {
	spec.Helper()
	s.ruleForEveryAnswer(id, level, section, statement, "record", expected, judgeRecordsOnly(func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
		value, _ := a.record.Get(path)
		ok, judged := holds(value, a)
		return a.fieldFlaw(path, ok, expectation), judged
	}))
}

// declareEchoRules: what was sent comes back the same. Values are compared, not JSON types: those
// have rules of their own. Left open are the letter case of an email, further spaces between two
// names, and decimals of a percentage beyond the second. What no rule obliges the deployment to
// accept is compared where it is accepted.
func (s *Suite) declareEchoRules() {
	s.Describe("what was sent", func() {
		for _, f := range fieldsWhere(func(f field) bool { return f.Path != "" && f.Kind != KindObject }) {
			if strings.HasPrefix(f.Name, "registration_") || f.Name == "document_country_of_issue" {
				continue // it has rules of its own
			}
			level := Must
			if hasKind(KindText, KindEmail)(f) { // the same text may be written in another way
				level = Should
			}
			s.Rule("create.echo."+f.Path, level, SectionRequest, "The "+f.Path+" of the request comes back unchanged.",
				s.restsOnFieldName(f.Name), func() {
					switch { // what has to be accepted without any doubt, and no other rule is about
					case f.Kind == KindBoolean:
						s.itAccepts(withField(f.Name, true), s.observeValid(withField(f.Name, true)))
					case f.Name == "name":
						s.itAccepts(s.withAccents(), s.observeValid(s.withAccents()))
					}
					s.itEchoes(f)
				})
		}
		s.Rule("create.echo.beyond_doubles", Should, SectionRequest,
			"Income and patrimony beyond 2^53 - 1, which JSON's readers need not agree on, are kept exactly or rejected.", func() {
				s.itKeepsOrRejects(withAmount("income", centsOver53Bit))
				s.itKeepsOrRejects(withAmount("patrimony", centsOver63Bit))
			})
	})
}

// itKeepsOrRejects declares the case that a value comes back unless it is rejected, where all
// others of its field do.
func (s *Suite) itKeepsOrRejects(p lab.Probe) {
	spec.Helper()
	f, seen, others := fieldByName(p.ChangedFields[0]), s.observeValid(p), s.observeAllAccepted()
	s.It("keeps or rejects "+p.String(), func(ctx spec.Context) {
		a := seen.Await(ctx)
		if ctx.Expect(a).To(BeAnswered()); !a.IsSuccess() {
			return
		}
		stopWithoutRecord(ctx, newAcceptedCreation(a))
		wrong, judged := s.changedValue(newAcceptedCreation(a), f)
		if !judged || wrong.Found == "" {
			return
		}
		for _, other := range others.Await(ctx) {
			if changed, _ := s.changedValue(other, f); changed.Found != "" {
				ctx.NotVerifiedf("", "other values come back changed as well, see create.echo.%s", f.Path)
			}
		}
		wrong.Evidence.Repeat = spec.RepeatInOrder(a.Exchange)
		ctx.Expect(wrong).To(BeFlawless("The "+f.Name, "the value that was sent"))
	})
}

// itEchoes declares the case that a field which was given comes back, whatever right value it had.
func (s *Suite) itEchoes(f field) {
	spec.Helper()
	s.observeValidValuesOf(f.Name)
	asSent := HoldForEveryAnswer(f.Path, "the value that was sent", record.OutcomeChanged)
	s.itHoldsForEveryAnswer(asSent, judgeRecordsOnly(func(_ spec.Context, a acceptedCreation) (Flaw, bool) { return s.changedValue(a, f) }))
}

// changedValue says how the record shows another value of a field than was sent, and whether that
// can be told. null in place of a zero or of false is another value.
func (s *Suite) changedValue(a acceptedCreation, f field) (wrong Flaw, judged bool) {
	path := deployment.RequestPaths(s.target.Deployment.LegalRepresentative.Fields)[f.Name]
	sent := a.sent.Get(f.Name)
	_, there := a.record.Get(f.Path)
	found := a.echoedValue(f, sent)
	if sent == nil {
		return Flaw{}, false
	}
	// which is not what was sent, of what says who a person is
	carried, _ := a.exchange.SentValue(path)
	wrong = Flaw{Found: found.SentAndReceived(), Expected: f.Path + " " + MaskPersonal(f.Path, sent), Evidence: spec.Evidence{Sign: f.EchoExpectation(carried), Fields: []string{path}}}
	if found.Got == nil {
		return wrong, there && (sent == false || sent == json.Number(centsZero))
	}
	same, comparable := found.CompareValues()
	if same {
		return Flaw{}, comparable
	}
	return wrong, comparable
}

// declareDefaultRules: what fills in for what the request leaves out.
func (s *Suite) declareDefaultRules() {
	s.Describe("defaults", func() {
		s.ruleFillsDefault("country_of_issue", "document_country_of_issue", "A country of issue that is left out defaults to BRA.",
			"A country of issue that was given is kept.", "BRA, since the request gave none", func(acceptedCreation) any { return "BRA" })
		const start = "relationship_start_date"
		s.ruleFillsDefault("registration_update_date", "registration_update_date",
			"A registration update date that is left out defaults to the start of the relationship.",
			"A registration update date that was given is kept.", "the relationship_start_date of the request, since it gave none",
			func(a acceptedCreation) any { return a.sent.Get(start) }, s.restsOnFieldName(start))
	})
}

// ruleFillsDefault declares the rules that a field which is left out gets a default, and that one
// which is given keeps its value.
func (s *Suite) ruleFillsDefault(id, name, filled, stays, expected string, value func(acceptedCreation) any, options ...any) {
	spec.Helper()
	f := fieldByName(name)
	s.Rule("create.default."+id, Must, SectionRequest, filled, append(options, func() {
		s.itAccepts(withoutField(name), s.observeValid(withoutField(name)))
		s.observeValidValuesOf(name)
		s.observeSparseAfterFull()
		s.itHoldsForEveryAnswer(HoldForEveryAnswer("record", expected), judgeRecordsOnly(func(_ spec.Context, a acceptedCreation) (Flaw, bool) {
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
	if f.Kind == KindText { // another notation says the same
		level = Should
	}
	s.Rule("create.default."+id+"_kept", level, SectionRequest, stays, s.restsOnFieldName(name), func() { s.itEchoes(f) })
}

// declareNegativeMoney is judged ahead of what is observed of the same creations.
func (s *Suite) declareNegativeMoney() {
	s.Rule("create.echo.negative_money", Must, SectionLimits, "A negative amount is rejected, or comes back negative.", func() {
		for _, name := range []string{"income", "patrimony"} {
			seen := s.lab.ObserveProbe(withAmount(name, "-1"))
			s.It("keeps or rejects a negative "+name, func(ctx spec.Context) {
				a := seen.Await(ctx)
				if !a.IsSuccess() {
					return
				}
				stopWithoutRecord(ctx, newAcceptedCreation(a))
				flaw, _ := s.changedValue(newAcceptedCreation(a), fieldByName(name))
				flaw.Evidence.Repeat = spec.RepeatInOrder(a.Exchange)
				flaw.Evidence.Sign = reproscript.ExpectValue{Path: name, Right: "[0-9].*", Not: true, Refused: true}
				ctx.Expect(flaw).To(BeFlawless("A negative "+name, "the value that was sent, or a rejection"))
			})
		}
	})
}
