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
			func(a acceptedCreation) (Flaw, bool) {
				return FlawUnless(a.exchange.Status == http.StatusCreated, answers.Describe(a.exchange),
					reproscript.ExpectStatus{Right: []string{"201"}}), true
			})
		s.Rule("create.success.consistent", Must, SectionErrors,
			"A valid creation is not refused with 400 or 422 at one time and accepted at another.",
			func() {
				for _, b := range s.bundles { // many, where this rule runs alone
					s.UseObservations(b.answer)
				}
				s.itGetsNoPassingError(answers.RefusesValues)
			})
		s.Rule("create.success.steady", Should, SectionErrors,
			"A creation with valid values gets no server error, and no other error that disappears "+
				"when it is sent again.",
			func() {
				s.itGetsNoPassingError(func(x *client.Exchange) bool { return !answers.RefusesValues(x) })
				for _, b := range s.bundles {
					if !b.open {
						continue
					}
					for _, p := range b.parts {
						s.lab.ItAnswers(p, s.observeValid(p))
					}
				}
			})
		s.Rule("create.success.answered", Should, SectionErrors,
			"What the document leaves open, such as null in an optional field, is accepted or "+
				"rejected, and never gets a server error.",
			func() { s.lab.ItGetsNoServerError(client.OperationCreate) })
		s.ruleForEveryAnswer("create.success.json", Must, SectionCreate,
			"The body of the answer is one JSON object.", "answer to a creation", "one JSON object",
			func(a acceptedCreation) (Flaw, bool) {
				return FlawUnless(a.parseError == nil, fmt.Sprint(a.parseError),
					reproscript.ExpectJSONObject{}), true
			})
		s.ruleForEveryAnswer("create.success.envelope", Should, SectionCreate,
			"The body of the answer is the record itself, not wrapped in another object.",
			"answer to a creation", "the record itself", func(a acceptedCreation) (Flaw, bool) {
				return FlawUnless(a.record.Envelope == "", "the record is in its member "+a.record.Envelope,
					reproscript.ExpectEnvelope{
						Paths: []string{"document", "address", "created_at"},
					}), a.hasRecord()
			})
		s.declareCompleteRecords()
	})
}

// declareCompleteRecords declares the rules that a record has all its fields. A value that was
// sent under an undocumented name and did not come back may never have been read.
// create.response.id judges a missing ID.
func (s *Suite) declareCompleteRecords() {
	var read []spec.AnyObservation
	for _, f := range RecordFields() {
		for _, key := range s.lab.UndocumentedNameKeys(f.Name) {
			read = append(read, s.EvidenceOfName(key))
		}
	}
	s.Rule("create.success.fields", Should, SectionCreate,
		"The answer has every field of the record that the request gave or the deployment generates.",
		spec.UsesObservations(read...), func() {
			run := s.observeAllAccepted()
			s.It("holds each time", func(ctx spec.Context) {
				s.expectEach(ctx, run.Await(ctx), HoldForEveryAnswer("record", "every field of the record"),
					func(a acceptedCreation) (Flaw, bool) { return s.missingFields(ctx, a) })
			})
			s.itShowsFieldsOfUndocumentedNames()
		})
	for _, name := range []string{"document", "address"} {
		s.Rule("create.success."+name, Must, SectionRecord,
			"The record always has the "+name+" as an object.", func() {
				s.observeValid(withoutField("address.complement"))
				s.itHoldsForEveryAnswer(HoldForEveryAnswer("record", "an object"),
					func(a acceptedCreation) (Flaw, bool) {
						is := a.record.JSONType(name)
						return FlawUnless(is == "object", name+" is "+is,
							reproscript.ExpectValue{Path: name, Right: "object"}), a.hasRecord()
					})
			})
	}
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

// itGetsNoPassingError declares a case that no valid creation got such an error, which disappeared.
func (s *Suite) itGetsNoPassingError(isOne func(*client.Exchange) bool) {
	spec.Helper()
	run := s.observeAllAccepted()
	s.lab.ItGetsNoPassingError(client.OperationCreate, func(ctx spec.Context) { run.Await(ctx) },
		func(_ spec.Context, x *client.Exchange) bool { return isOne(x) })
}

// missingFields describes the sent and the generated fields that an answer lacks or gives as null.
func (s *Suite) missingFields(ctx spec.Context, a acceptedCreation) (Flaw, bool) {
	var missing, absent, described []string
	for _, f := range RecordFields() {
		given := a.parseError == nil && f.Path != "id" && (f.Name == "" || a.sent.Get(f.Name) != nil)
		if !given || !a.lacksField(f.Path) || s.nameUnconfirmedError(ctx, f.Name) != nil {
			continue
		}
		missing = append(missing, f.Path)
		if a.record.JSONType(f.Path) == "null" {
			described = append(described, f.Path+" is null")
		} else {
			absent = append(absent, f.Path)
		}
	}
	if len(missing) == 0 {
		return Flaw{}, a.parseError == nil
	}
	if len(absent) > 0 {
		described = append(described, "lacks "+strings.Join(absent, ", "))
	}
	return FlawUnless(false, strings.Join(described, "; "),
		reproscript.ExpectValue{Path: missing[0], Right: "absent|null", Not: true}), true
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
			s.ruleForEveryAnswer("create.response."+f.Path, Must, SectionRecord,
				"In the record, "+f.Path+" is "+f.Kind.Description()+".", "record", f.Kind.Description(),
				func(a acceptedCreation) (Flaw, bool) {
					value, _ := a.record.Get(f.Path)
					flaw := a.fieldFlaw(f.Path, f.Kind.Fits(value),
						reproscript.ExpectValue{Path: f.Path, Right: right})
					return flaw, a.hasRecord() && a.hasParentOf(f.Path) &&
						(f.Path == "id" || !a.lacksField(f.Path))
				})
		}
		s.declareValueRules()
	})
}

func (s *Suite) declareValueRules() {
	const share, created, personType = "participation_percentage", "created_at", "person_type"
	s.ruleForEveryAnswer("create.response.participation_percentage.range", Must, SectionLimits,
		"In the record, participation_percentage is between 0 and 100.", "record", "0 to 100",
		func(a acceptedCreation) (Flaw, bool) {
			value, _ := a.record.Get(share)
			flaw := a.fieldFlaw(share, isParticipationInRange(value), reproscript.ExpectValue{
				Path: share, Right: `100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?([eE]-[0-9]+)?`,
			})
			return flaw, KindPercentage.Fits(value)
		})
	s.ruleForEveryAnswer("create.response.created_at.zone", Should, SectionRecord,
		"The creation date names its zone.", "record", "a date-time with its zone (RFC 3339)",
		func(a acceptedCreation) (Flaw, bool) {
			value, _ := a.record.Get(created)
			_, zoned := ParseDateTime(value)
			flaw := a.fieldFlaw(created, zoned,
				reproscript.ExpectValue{Path: created, Right: ZonedDateTimePattern})
			return flaw, KindDateTime.Fits(value)
		})
	s.ruleForEveryAnswer("create.response.created_at.now", Should, SectionRecord,
		"The creation date is the moment of the creation, within five minutes of the deployment's "+
			"clock.",
		"record", "within five minutes of the deployment's clock",
		func(a acceptedCreation) (Flaw, bool) {
			value, _ := a.record.Get(created)
			at, ok := ParseDateTime(value)
			right, judged := answers.IsCurrentTime(a.exchange, at)
			flaw := a.fieldFlaw(created, right, reproscript.ExpectCurrentTime{Path: created})
			return flaw, ok && judged
		})
	s.ruleForEveryAnswer("create.person_type", Must, SectionRecord,
		"A representative is always a NATURAL_PERSON.", "record", "NATURAL_PERSON",
		func(a acceptedCreation) (Flaw, bool) {
			value, _ := a.record.Get(personType)
			flaw := a.fieldFlaw(personType, value == "NATURAL_PERSON",
				reproscript.ExpectValue{Path: personType, Right: `"NATURAL_PERSON"`})
			return flaw, a.hasRecord()
		})
}
