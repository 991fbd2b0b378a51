package create

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// ruleObservesProbes declares a rule that records the answers to several creations in one check,
// so that its note is the same in every run.
func (s *Suite) ruleObservesProbes(
	id string, section Section, statement string, probes ...lab.Probe,
) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		all := make([]lab.AnswerObservation, len(probes))
		for i, p := range probes {
			all[i] = s.lab.ObserveUnspecified(p)
		}
		s.It("sends "+lab.CombineProbes(probes...).Description, func(ctx spec.Context) {
			for i, o := range all {
				ctx.RecordObserved(probes[i].Description, answers.StatusText(o.Await(ctx).Exchange))
			}
		})
	})
}

// ruleObserves declares a rule that records what other rules' requests show.
func (s *Suite) ruleObserves(
	id string, section Section, statement string, note func(spec.Context),
) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() { s.It("notes what is found", note) })
}

// declareUnspecifiedValues declares the rules that record the answers to values that are neither
// right nor wrong, and to omitted, null, unknown and very long fields.
func (s *Suite) declareUnspecifiedValues() {
	const update = "registration_update_date"
	var absent []lab.Probe
	nulls := map[string]any{}
	for _, f := range fieldsWhere(func(f field) bool {
		return !f.Required && !strings.HasPrefix(f.Name, "address.")
	}) {
		absent, nulls[f.Name] = append(absent, withoutField(f.Name)), nil
	}
	s.Describe("what the document leaves open", func() {
		s.ruleObserves("create.observed.notation", SectionRequest,
			"How phone number, ZIP code, country and street number are written in accepted creations.",
			func(ctx spec.Context) {
				s.lab.ControlCreation.Await(ctx)
				ctx.RecordObserved("", cmp.Or(s.target.CreationSpelling.Load().String(),
					"as first tried, the phone number with a plus sign and its country"))
			})
		s.ruleObservesProbes("create.observed.negative_money", SectionLimits,
			"How negative income and patrimony are answered.",
			withAmount("income", "-1"), withAmount("patrimony", "-1"))
		s.ruleObservesProbes("create.observed.empty_qualification", SectionRequest,
			"How an empty qualification is answered.", withField("qualification", ""))
		s.ruleObservesProbes("create.participation.null", SectionErrors,
			"How a participation of null is answered.", withField("participation_percentage", nil))
		s.ruleObservesProbes("create.observed.cpf_outer_spaces", SectionRequest,
			"How a CPF with a space before and after it is answered.",
			withCPF("a space before and after the CPF", func(d string) any { return " " + d + " " }))
		s.ruleObservesProbes("create.observed.cpf_check_digits", SectionRequest,
			"How a CPF with wrong check digits is answered.",
			withCPF("wrong check digits",
				func(d string) any { return d[:10] + string('0'+(d[10]-'0'+1)%10) }))
		s.ruleObservesProbes("create.observed.date_notation", SectionRequest,
			"How a date without dashes, or with parts of one digit, is answered.",
			withField(update, "20230315"), withField(update, "2023-3-5"))
		s.ruleObservesProbes("create.observed.datetime_for_date", SectionRecord,
			"How a date-time in place of a date is answered.", withField(update, "2023-03-15T00:00:00Z"))
		s.ruleObservesProbes("create.observed.end_before_start", SectionRequest,
			"How a relationship that ends before it starts is answered.",
			withFields("an end a year before the start", map[string]any{
				"relationship_start_date": "2021-06-01", "relationship_end_date": "2020-06-01",
			}))
		s.ruleObservesProbes("create.observed.future_birth", SectionRequest,
			"How a birth date in the future is answered.",
			withDescribedField("a birth date in 2100", "birth_date", "2100-01-01"))
		s.ruleObservesProbes("create.observed.null_fields", SectionRequest,
			"How optional fields that are null are answered, compared with leaving them out.",
			withFields("all optional fields null", nulls),
			lab.CombineProbes(absent...).As("only the required fields"),
			withField("relationship_end_date", nil)) // shows more where some nulls are refused
		s.ruleObservesProbes("create.observed.unknown_field", SectionRequest,
			"How a field that the document does not name is answered.",
			lab.CombineProbes(withField("gateassay_unknown_field", "value"),
				withField("person_type", "LEGAL_PERSON")))
		s.ruleObservesProbes("create.observed.address_parts", SectionRequest,
			"How an address without some of its parts is answered.",
			lab.CombineProbes(withoutField("address.zip_code"), withoutField("address.street"),
				withoutField("address.number"), withoutField("address.neighborhood")),
			lab.CombineProbes(withoutField("address.city"), withoutField("address.federative_unit"),
				withoutField("address.country"), withoutField("address.complement")))
		s.ruleObservesProbes("create.observed.long_strings", SectionLimits,
			"How very long texts, and texts with a NUL, are answered.",
			s.withName("a name of 10000 letters", strings.Repeat("a", 10_000)),
			s.withName("a name with a NUL", "Ana\u0000Maria")) // some databases cannot store it
	})
}

// declareRefusalObservations declares the rules that record one refusal of each kind.
func (s *Suite) declareRefusalObservations() {
	kinds := []string{
		"no email", "email null", `email ""`, "phone_number 11987654321",
		"a shareholder that does not exist",
		"participation_percentage 101", "dots and a dash in the CPF", "birth_date in month 13",
		`qualification "PARTNERS"`,
		"no transaction_id", "text before a UUID as transaction_id", "plain words as body",
	}
	if s.target.Deployment.Has(unprivilegedKey) {
		kinds = append(kinds, withoutPermissionText)
	}
	slices.Sort(kinds)
	var sent []spec.AnyObservation
	var probes []lab.DeclaredProbe
	for _, kind := range kinds {
		p := s.declaredProbe(kind)
		sent, probes = append(sent, p.Answer), append(probes, p)
	}
	eachRefusal := func(ctx spec.Context, note func(kind string, a target.Answer)) {
		refused := false
		for _, p := range probes {
			if a, ok := p.Answer.TryGet(ctx); ok && a.IsClientError() {
				refused = true
				note(p.Description, a)
			}
		}
		if !refused {
			ctx.Inconclusivef("nothing was refused")
		}
	}
	s.Describe("refusals", spec.UsesObservations(sent...), func() {
		s.ruleObserves("create.observed.rejection_status", SectionErrors,
			"Status of each kind of rejection.", func(ctx spec.Context) {
				eachRefusal(ctx, func(kind string, a target.Answer) {
					ctx.RecordObserved(kind, answers.StatusText(a.Exchange))
				})
			})
		s.ruleObserves("create.observed.error_body", SectionErrors, "Shape and codes of error bodies.",
			func(ctx spec.Context) {
				var texts []string
				eachRefusal(ctx, func(_ string, a target.Answer) {
					texts = append(append(texts, errorCodesIn(a.Body)...), answers.JSONShape(a.Exchange))
				})
				ctx.RecordObservedSet(texts)
			})
		s.ruleObserves("create.observed.headers", SectionLimits,
			"Headers about rate limits and authentication.", func(ctx spec.Context) {
				var names []string
				eachRefusal(ctx, func(_ string, a target.Answer) {
					names = append(names, headerNamesContaining(a, "retry-after", "www-authenticate",
						"ratelimit", "rate-limit")...)
				})
				ctx.RecordObservedSet(names)
			})
	})
	s.declareDeprecationObservation()
}

func (s *Suite) declareDeprecationObservation() {
	s.Rule("create.observed.deprecation", Observe, SectionAuthentication,
		"Deprecation and Sunset headers of the deprecated method.", spec.NeedsKeys("credentials.api_key"),
		func() {
			seen := s.observeValid(concerningCaller(newProbe("the API key",
				func(r *target.Request) { r.Credential = s.target.Deployment.Credentials.APIKey })))
			s.It("notes those of a creation with the API key", func(ctx spec.Context) {
				a := seen.Await(ctx)
				ctx.RecordObservedf("%s: %s", answers.StatusText(a.Exchange),
					strings.Join(headerNamesContaining(a, "deprecation", "sunset"), ", "))
			})
		})
}

// headerNamesContaining returns the headers of an answer whose names contain one of the texts.
func headerNamesContaining(a target.Answer, texts ...string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		if slices.ContainsFunc(texts,
			func(text string) bool { return strings.Contains(strings.ToLower(name), text) }) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return []string{"no such header"}
	}
	return names
}

// textsInJSON returns the texts of a JSON body that right accepts, sorted.
func textsInJSON(body []byte, right func(path, text string) bool) (found []string) {
	doc, _ := answers.ParseJSON(body) // other bodies have none
	answers.WalkLeaves(doc, func(path string, v any) {
		if text, _ := v.(string); right(path, text) {
			found = append(found, text)
		}
	})
	slices.Sort(found)
	return found
}

// errorCodePattern matches invalid_request, ERR-42 or 1001, but no date, CPF or UUID.
var errorCodePattern = regexp.MustCompile(`^([A-Za-z][A-Za-z_.-]{1,46}[0-9]{0,6}|[0-9]{1,6})$`)

// errorCodesIn returns the values of keys that end in "code" and look like no personal data.
func errorCodesIn(body []byte) []string {
	return textsInJSON(body, func(path, text string) bool {
		return strings.HasSuffix(strings.ToLower(path), "code") && errorCodePattern.MatchString(text)
	})
}

// declareRepeatObservations declares the rules that record how repeats are answered.
func (s *Suite) declareRepeatObservations() {
	s.Describe("repeats, where the document leaves them open", func() {
		s.ruleObservesRepeats("create.observed.repeat_status", SectionErrors,
			"How a repeated creation is answered.",
			s.observeFollowUp(followIdentical), s.observeFollowUp(followWithNewNonce))
		s.ruleObservesRepeats("create.observed.repeat_other_body", SectionErrors,
			"How the same transaction ID with another body is answered.",
			s.observeFollowUp(followWithOtherBody))
		s.ruleObservesRepeats("create.observed.nonce_reuse", SectionCreate,
			"How a nonce that is reused under another transaction ID is answered.", s.observeUsedNonce())
		s.ruleObservesRepeats("create.observed.same_cpf", SectionRequest,
			"How a second representative with the same CPF is answered.",
			s.observeAfterControl("another person with the control's CPF",
				func(r *target.Request, first target.Request) {
					r.SetField("document_number", first.Draft.Get("document_number"))
				}))
	})
}

// ruleObservesRepeats declares a rule that records how repeats are answered, and with which record.
func (s *Suite) ruleObservesRepeats(
	id string, section Section, statement string, all ...lab.AnswerObservation,
) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		for _, seen := range all {
			s.UseObservations(seen)
		}
		s.It("notes what is found", func(ctx spec.Context) {
			for _, seen := range all {
				a := seen.Await(ctx)
				note := answers.StatusText(a.Exchange)
				if same, other := CompareRecordIDs(a); same {
					note += " with the first record"
				} else if other {
					note += " with a second record"
				}
				ctx.RecordObserved(a.DescribeRequest(), note)
			}
		})
	})
}
