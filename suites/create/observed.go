package create

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// observes declares a rule that records what a creation with each of some edits gets, in one check, so that its note
// reads the same in every run.
func (s *Suite) observes(id string, section Section, statement string, probes ...lab.Probe) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		all := make([]answer, len(probes))
		for i, p := range probes {
			_, judged := s.lab.FindProbe(p) // by a rule of its own
			if all[i] = s.lab.ObserveProbe(p); !judged {
				s.open = append(s.open, all[i])
			}
		}
		s.It("sends "+both(probes...).Description, func(ctx spec.Context) {
			seen := make([]record.Value, len(all))
			for i, o := range all {
				seen[i] = record.Seen(probes[i].Description, Brief(o.Await(ctx).Exchange))
			}
			ctx.RecordObserved(seen...)
		})
	})
}

// sees declares a rule that records what is found in what others send.
func (s *Suite) sees(id string, section Section, statement string, in []spec.AnyObservation, find func(spec.Context) []record.Value) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, spec.UsesObservations(in...), func() {
		s.It("notes what is found", func(ctx spec.Context) { ctx.RecordObserved(find(ctx)...) })
	})
}

// leftOpen: values that are neither right nor wrong, and fields left out, null, unknown, and very long.
func (s *Suite) leftOpen() {
	const update = "registration_update_date"
	cpf, birth := known("document_number"), known("birth_date")
	var absent []lab.Probe
	nulls := map[string]any{}
	for _, f := range where(func(f field) bool { return !f.Required && !strings.HasPrefix(f.Name, "address.") }) {
		absent, nulls[f.Name] = append(absent, without(f.Name)), nil
	}
	s.Describe("what the document leaves open", func() {
		s.observes("create.observed.negative_money", Limits, "How negative income and patrimony are answered.",
			amount("income", "-1"), amount("patrimony", "-1"))
		s.observes("create.observed.empty_qualification", RequestTable, "How an empty qualification is answered.", with("qualification", ""))
		s.observes("create.participation.null", Errors, "How a participation of null is answered.", with("participation_percentage", nil))
		s.observes("create.observed.cpf_outer_spaces", RequestTable, "How a CPF with a space before and after it is answered.",
			s.in(cpf, spelling("a space before and after the CPF", func(d string) any { return " " + d + " " })))
		s.observes("create.observed.cpf_check_digits", RequestTable, "How a CPF with wrong check digits is answered.",
			s.in(cpf, spelling("wrong check digits", func(d string) any { return d[:10] + string('0'+(d[10]-'0'+1)%10) })))
		s.observes("create.observed.date_notation", RequestTable,
			"How a date without dashes, or with parts of one digit, is answered.", with(update, "20230315"), with(update, "2023-3-5"))
		s.observes("create.observed.datetime_for_date", RecordTable, "How a date-time in place of a date is answered.",
			with(update, "2023-03-15T00:00:00Z"))
		s.observes("create.observed.end_before_start", RequestTable, "How a relationship that ends before it starts is answered.",
			several("an end a year before the start", map[string]any{
				"relationship_start_date": "2021-06-01", "relationship_end_date": "2020-06-01",
			}))
		s.observes("create.observed.future_birth", RequestTable, "How a birth date in the future is answered.",
			s.in(birth, dated("a birth date in 2100", "2100-01-01")))
		s.observes("create.observed.null_fields", RequestTable,
			"How optional fields that are null are answered, compared with leaving them out.",
			several("all optional fields null", nulls), named("only the required fields", both(absent...)),
			with("relationship_end_date", nil)) // one alone says more where null is refused for some
		s.observes("create.observed.unknown_field", RequestTable, "How a field that the document does not name is answered.",
			both(with("gateassay_unknown_field", "value"), with("person_type", "LEGAL_PERSON")))
		s.observes("create.observed.address_parts", RequestTable, "How an address without some of its parts is answered.",
			both(without("address.zip_code"), without("address.street"), without("address.number"), without("address.neighborhood")),
			both(without("address.city"), without("address.federative_unit"), without("address.country"), without("address.complement")))
		s.observes("create.observed.long_strings", Limits, "How very long texts are answered.",
			s.nameOf("a name of 10000 letters", strings.Repeat("a", 10_000)))
	})
}

// observedRefusals: statuses, bodies and headers of one refusal of each kind, which rules send.
func (s *Suite) observedRefusals() {
	kinds := []string{
		"no email", "email null", `email ""`, "phone_number 11987654321", "a shareholder that does not exist",
		"participation_percentage 101", "dots and a dash in the CPF", "birth_date in month 13", `qualification "PARTNERS"`,
		"no transaction_id", "text before a UUID as transaction_id", "plain words as body",
	}
	if s.t.Deployment.Has(unprivilegedKey) {
		kinds = append(kinds, noPermission)
	}
	var seen []spec.AnyObservation
	var refusals []lab.DeclaredProbe
	for _, kind := range kinds {
		p, _ := s.lab.FindProbe(probe(kind, nil))
		seen, refusals = append(seen, p.Answer), append(refusals, p)
	}
	found := func(id string, section Section, statement string, find func(kind string, a target.Answer) []record.Value) {
		spec.Helper()
		s.sees(id, section, statement, seen, func(ctx spec.Context) (all []record.Value) {
			for _, p := range refusals {
				if a, ok := p.Answer.TryGet(ctx); ok && a.Refusal() {
					all = append(all, find(p.Description, a)...)
				}
			}
			if len(all) == 0 {
				ctx.Inconclusivef("nothing was refused")
			}
			slices.SortFunc(all, func(a, b record.Value) int { return strings.Compare(a.String(), b.String()) })
			return slices.CompactFunc(all, func(a, b record.Value) bool { return a.String() == b.String() })
		})
	}
	s.Describe("refusals", func() {
		found("create.observed.rejection_status", Errors, "Status of each kind of rejection.",
			func(kind string, a target.Answer) []record.Value {
				return []record.Value{record.Seen(kind, Brief(a.Exchange))}
			})
		found("create.observed.error_body", Errors, "Shape and codes of error bodies.",
			func(_ string, a target.Answer) []record.Value {
				return append(record.Each(codes(a.Body)), record.Seen("", target.JSONShape(a.Exchange)))
			})
		found("create.observed.headers", Limits, "Headers about rate limits and authentication.",
			func(_ string, a target.Answer) []record.Value {
				return record.Each(headersOf(a, "retry-after", "www-authenticate", "ratelimit", "rate-limit"))
			})
	})
	s.Rule("create.observed.deprecation", Observe, Authentication,
		"Deprecation and Sunset headers of the deprecated method.", spec.NeedsKeys("credentials.api_key"), func() {
			seen := s.valid(ofCaller(probe("the API key", func(r *target.Request) { r.Credential = s.t.Deployment.Credentials.APIKey })))
			s.It("notes those of a creation with the API key", func(ctx spec.Context) {
				a := seen.Await(ctx)
				ctx.RecordObservedf("%s: %s", Brief(a.Exchange), strings.Join(headersOf(a, "deprecation", "sunset"), ", "))
			})
		})
}

// headersOf lists the headers of an answer whose names have one of some texts in them.
func headersOf(a target.Answer, texts ...string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strings.ToLower(name), text) }) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return []string{"no such header"}
	}
	return names
}

// texts lists the texts of a JSON body that are right, in order.
func texts(body []byte, right func(path, text string) bool) (found []string) {
	doc, _ := target.ParseJSON(body) // what is not JSON has none
	target.WalkLeaves(doc, func(path string, v any) {
		if text, _ := v.(string); right(path, text) {
			found = append(found, text)
		}
	})
	slices.Sort(found)
	return found
}

// codeShape is a code such as invalid_request, ERR-42 or 1001: no date, no CPF, no UUID.
var codeShape = regexp.MustCompile(`^([A-Za-z][A-Za-z_.-]{1,46}[0-9]{0,6}|[0-9]{1,6})$`)

// codes lists the error codes of a JSON body: the values of keys that are called so, as far as they are words of a
// program and not of a person.
func codes(body []byte) []string {
	return texts(body, func(path, text string) bool {
		return strings.HasSuffix(strings.ToLower(path), "code") && codeShape.MatchString(text)
	})
}

// observedRepeats: how repeats are answered, and what another body or another transaction ID changes.
func (s *Suite) observedRepeats() {
	became := func(id string, section Section, statement string, all ...repetition) {
		spec.Helper()
		var seen []spec.AnyObservation
		for _, one := range all {
			seen = append(seen, one)
		}
		s.sees(id, section, statement, seen, func(ctx spec.Context) (found []record.Value) {
			for _, one := range all {
				r := one.Await(ctx)
				note := Brief(r.Again)
				if same, other := r.Kept(); same {
					note += " with the first record"
				} else if other {
					note += " with a second record"
				}
				found = append(found, record.Seen(r.What, note))
			}
			return found
		})
	}
	s.Describe("repeats, where the document leaves them open", func() {
		became("create.observed.repeat_status", Errors, "How a repeated creation is answered.", s.repeat(identical), s.repeat(underNewNonce))
		became("create.observed.repeat_other_body", Errors, "How the same transaction ID with another body is answered.",
			s.repeat(otherBody))
		became("create.observed.nonce_reuse", CreateOperation,
			"How a nonce that is reused under another transaction ID is answered.",
			s.underNonce())
		became("create.observed.same_cpf", RequestTable, "How a second representative with the same CPF is answered.",
			s.afterControl("another person with the control's CPF", func(r *target.Request, first target.Request) {
				r.SetField("document_number", first.Draft.Get("document_number"))
			}))
	})
}
