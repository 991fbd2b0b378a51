package create

import (
	"bytes"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// observes declares a rule that records what a creation with each of some edits gets, in one check, so that its note
// reads the same in every run.
func (s *Suite) observes(id string, section Section, statement string, edits ...edit) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		all := make([]sent, len(edits))
		for i, e := range edits {
			all[i] = sent{e.name, s.refused(e)}
		}
		s.It("sends "+both(edits...).name, func(ctx spec.Context) { noteStatuses(ctx, all) })
	})
}

// observedFields: fields left out, null, unknown, and very long.
func (s *Suite) observedFields() {
	optional := where(func(f field) bool { return !f.required && !strings.HasPrefix(f.name, "address.") })
	bare := changed("only the required fields", func(c *target.Creation) {
		for _, f := range optional {
			*c = c.Without(f.name)
		}
	})
	null := changed("all optional fields null", func(c *target.Creation) {
		for _, f := range optional {
			*c = c.With(f.name, nil)
		}
	})
	lacking := func(parts ...string) edit {
		edits := make([]edit, len(parts))
		for i, part := range parts {
			edits[i] = without("address." + part)
		}
		return both(edits...)
	}
	long := func(what string, length int) edit { return s.nameOf(what, strings.Repeat("a", length)) }
	const stranger = "gateassay_unknown_field"
	// A field of the record that no request is said to have. Whatever is asked for, a representative is a natural person.
	legal := with("person_type", "LEGAL_PERSON")

	s.Describe("optional and unknown fields", func() {
		s.notesRecord("create.observed.optional_absent", "How a creation with only the required fields is answered.",
			"notes how the record shows what was not sent", bare, func(body []byte) (text string) {
				record, err := representative.Parse(body)
				if err != nil {
					return "; no record"
				}
				for _, f := range optional {
					path := representative.ResponsePath(f.name)
					text += "; " + path + " " + record.Type(path)
				}
				return text
			})
		s.observes("create.observed.null_fields", RequestTable,
			"How optional fields that are null are answered, compared with leaving them out.",
			null, bare, with("relationship_end_date", nil)) // one field alone says more where null is refused for some
		s.notesRecord("create.observed.unknown_field", "How a field that the document does not name is answered.",
			"notes whether the record shows it", both(with(stranger, "value"), legal), func(body []byte) string {
				if bytes.Contains(body, []byte(stranger)) {
					return ", and the record shows it"
				}
				return ", and the record does not show it"
			})
		s.observes("create.observed.address_parts", RequestTable, "How an address without some of its parts is answered.",
			lacking("zip_code", "street", "number", "neighborhood"), lacking("city", "federative_unit", "country", "complement"))
		s.observes("create.observed.long_strings", Limits, "How very long texts are answered.",
			long("a name of 300 letters", 300), long("a name of 10000 letters", 10_000))
	})
}

// notesRecord declares a rule that records what a creation gets and what is found in its record.
func (s *Suite) notesRecord(id, statement, text string, e edit, find func(body []byte) string) {
	spec.Helper()
	s.Rule(id, Observe, RequestTable, statement, func() {
		seen := s.refused(e)
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

// observedRepeats: how repeats are answered, and what another body or another transaction ID changes.
func (s *Suite) observedRepeats() {
	s.Describe("repeats, where the document leaves them open", func() {
		s.notesRepeats("create.observed.repeat_status", Errors, "How a repeated creation is answered.",
			[]string{"identical", "under another nonce"}, s.repeat(identical()), s.repeat(underNewNonce()))
		s.notesRepeats("create.observed.repeat_other_body", Errors,
			"How the same transaction ID with another body is answered.",
			[]string{"another person"}, s.repeat(s.underOtherBody()))
		s.notesRepeats("create.observed.nonce_reuse", CreateOperation,
			"How a nonce that is reused under another transaction ID is answered.", []string{"another person"},
			s.afterControl("another person under the control's nonce", func(first target.Creation) target.Creation {
				other := s.t.Creation("a reused nonce")
				other.Nonce = first.Nonce
				return other
			}))
		s.notesRepeats("create.observed.same_cpf", RequestTable,
			"How a second representative with the same CPF is answered.", []string{"another person"},
			s.afterControl("another person with the control's CPF", func(first target.Creation) target.Creation {
				return s.t.Creation("the same CPF").With("document_number", first.Draft.Get("document_number"))
			}))
	})
}

// notesRepeats declares a rule that records how creations that follow another are answered.
func (s *Suite) notesRepeats(id string, section Section, statement string, names []string, all ...repetitions) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		for _, seen := range all {
			s.Uses(seen)
		}
		s.It("notes the answer", func(ctx spec.Context) {
			found := make([]record.Value, len(all))
			for i, seen := range all {
				found[i] = record.Seen(names[i], became(seen.Await(ctx).list[0]))
			}
			ctx.Saw(found...)
		})
	})
}

func became(r Repetition) string {
	same, other := r.Kept()
	switch {
	case same:
		return status(r.Again) + " with the first record"
	case other:
		return status(r.Again) + " with a second record"
	}
	return status(r.Again)
}
