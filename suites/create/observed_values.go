package create

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// optional are the logical fields that the document does not mark as required.
func optional(sent representative.Draft) []string {
	var names []string
	for _, name := range sent.Names() {
		if !strings.HasPrefix(name, "address.") && !slices.Contains(requiredFields(), name) {
			names = append(names, name)
		}
	}
	return names
}

// observedFields: fields left out, null, and unknown.
func (s *Suite) observedFields() {
	bare := changed("only the required fields", func(c *target.Creation) { *c = c.Without(optional(c.Draft)...) })
	null := changed("all optional fields null", func(c *target.Creation) {
		for _, name := range optional(c.Draft) {
			*c = c.With(name, nil)
		}
	})
	const stranger = "gateassay_unknown_field"
	// A field of the record that no request is said to have. Whatever is asked for, a representative is a natural person.
	legal := with("person_type", "LEGAL_PERSON")

	s.Describe("optional and unknown fields", func() {
		s.notesRecord("create.observed.optional_absent", "How a creation with only the required fields is answered.",
			"notes how the record shows what was not sent", bare, unsent)
		s.observes("create.observed.null_fields", RequestTable,
			"How optional fields that are null are answered, compared with leaving them out.",
			null, bare, with("relationship_end_date", nil)) // one field alone says more where null is refused for some
		s.notesRecord("create.observed.unknown_field", "How a field that the document does not name is answered.",
			"notes whether the record shows it", both(with(stranger, "value"), legal), func(body []byte) string {
				if bytes.Contains(body, []byte(stranger)) {
					return ", and the record shows it"
				}
				return ", and the record does not show it"
			}, with(stranger, "value"))
		s.observesTogether("create.observed.address_parts", RequestTable,
			"How an address without some of its parts is answered.", []edit{
				without("address.zip_code"), without("address.street"), without("address.number"),
				without("address.neighborhood"),
			}, []edit{
				without("address.city"), without("address.federative_unit"), without("address.country"),
				without("address.complement"),
			})
	})
}

// notesRecord declares a rule that records what a creation gets and what is found in its record. Where it is refused,
// another one may stand in its place.
func (s *Suite) notesRecord(id, statement, text string, e edit, find func(body []byte) string, others ...edit) {
	spec.Helper()
	s.Rule(id, Observe, RequestTable, statement, func() {
		seen := s.send(target.AboutField, e)
		for _, other := range others {
			first := seen
			seen = spec.Observe(s.Plan, label(e)+", or less", func(ctx context.Context) (target.Answer, error) {
				if a, err := first.Get(ctx); err != nil || !a.Refusal() {
					return a, err
				}
				return s.c.Creations(ctx, target.AboutField, nil, edited(other))
			}, spec.AtEnd)
		}
		s.It(text, func(ctx spec.Context) {
			a := seen.Await(ctx)
			note := status(a.Exchange)
			if a.Success() {
				note += find(a.Body)
			}
			ctx.Note("%s", note)
		})
	})
}

// unsent lists, behind semicolons, how a record shows what was not sent: absent, null or filled in.
func unsent(body []byte) string {
	record, err := representative.Parse(body)
	if err != nil {
		return "; no record"
	}
	groups := map[string][]string{}
	for _, name := range []string{
		"birth_date", "document_country_of_issue", "document_number", "income", "is_public_server", "name",
		"participation_percentage", "patrimony", "pep", "qualification", "registration_update_date",
		"relationship_end_date",
		"relationship_start_date",
	} {
		path := representative.ResponsePath(name)
		group := record.Type(path)
		if group != "absent" && group != "null" {
			group = "filled in"
		}
		groups[group] = append(groups[group], path)
	}
	text := ""
	for _, group := range []string{"absent", "null", "filled in"} {
		if len(groups[group]) > 0 {
			text += "; " + group + ": " + strings.Join(groups[group], ", ")
		}
	}
	return text
}

// observedValues: very long texts.
func (s *Suite) observedValues() {
	long := func(what string, length int) edit { return s.nameOf(what, strings.Repeat("a", length)) }
	s.observesTogether("create.observed.long_strings", Limits, "How very long texts are answered.",
		[]edit{long("a name of 300 letters", 300), long("a name of 10000 letters", 10_000)}) // the last counts
}

// observedRepeats: how repeats are answered, and what another body or another transaction ID changes.
func (s *Suite) observedRepeats() {
	s.Describe("repeats, where the document leaves them open", func() {
		s.outcomes("create.observed.repeat_status", Errors, "How a repeated creation is answered.",
			map[string]repetitions{"identical": s.identical(), "under another nonce": s.underNewNonce()})
		s.outcomes("create.observed.repeat_other_body", Errors,
			"How the same transaction ID with another body is answered.",
			map[string]repetitions{"another person": s.underOtherBody()})
		s.outcomes("create.observed.nonce_reuse", CreateOperation,
			"How a nonce that is reused under another transaction ID is answered.",
			map[string]repetitions{"another person": s.afterControl("another person under the control's nonce",
				func(first target.Creation) target.Creation {
					other := s.t.Creation("a reused nonce")
					other.Nonce = first.Nonce
					return other
				})})
		s.outcomes("create.observed.same_cpf", RequestTable,
			"How a second representative with the same CPF is answered.",
			map[string]repetitions{"another person": s.afterControl("another person with the control's CPF",
				func(first target.Creation) target.Creation {
					return s.t.Creation("the same CPF").With("document_number", first.Draft.Get("document_number"))
				})})
	})
}

// outcomes declares a rule that records how creations that follow another are answered.
func (s *Suite) outcomes(id string, section Section, statement string, all map[string]repetitions) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		for _, seen := range all {
			s.Uses(seen)
		}
		s.It("notes the answer", func(ctx spec.Context) {
			var seen []record.Value
			for _, name := range slices.Sorted(maps.Keys(all)) {
				seen = append(seen, record.Seen(name, outcome(all[name].Await(ctx)[0])))
			}
			ctx.Saw(seen...)
		})
	})
}

func outcome(r Repetition) string {
	same, other := r.Kept()
	switch {
	case same:
		return status(r.Again) + " with the first record"
	case other:
		return status(r.Again) + " with a second record"
	}
	return status(r.Again)
}
