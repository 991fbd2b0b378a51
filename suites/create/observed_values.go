package create

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// optional are the logical fields that the document does not mark as required.
func optional(sent representative.Draft) []string {
	var names []string
	for _, name := range sent.Names() {
		required := strings.HasPrefix(name, "address.")
		for _, field := range rules.RequiredFields() {
			required = required || name == field
		}
		if !required {
			names = append(names, name)
		}
	}
	return names
}

// observedFields: fields left out, null, and unknown.
func (s *suite) observedFields() {
	bare := s.send("nothing but what is marked required", target.AboutField, func(valid target.Creation) target.Creation {
		return valid.Without(optional(valid.Draft)...)
	})
	s.p.It("create.observed.optional_absent", "nothing but what is marked required", plan.After(bare), func(ctx context.Context) {
		a := bare.Await(ctx)
		if !a.Success() {
			s.p.Note("%s", status(a.Exchange))
			return
		}
		s.p.Note("%s; %s", status(a.Exchange), unsent(a.Body))
	})

	null := s.send("optional fields as null", target.AboutField, func(valid target.Creation) target.Creation {
		for _, name := range optional(valid.Draft) {
			valid = valid.With(name, nil)
		}
		return valid
	})
	// One field alone says more where null is refused for some.
	single := s.send("relationship_end_date as null", target.AboutField, with("relationship_end_date", nil))
	s.p.It("create.observed.null_fields", "null against left out", plan.After(null, bare, single), func(ctx context.Context) {
		n, b, one := null.Await(ctx), bare.Await(ctx), single.Await(ctx)
		s.p.Note("all null: %s; all left out: %s; relationship_end_date null: %s", status(n.Exchange), status(b.Exchange), status(one.Exchange))
	})

	const stranger = "gateassay_unknown_field"
	unknown := s.send("an unknown field", target.AboutField, with(stranger, "value"))
	s.p.It("create.observed.unknown_field", "a field that the document does not know", plan.After(unknown), func(ctx context.Context) {
		a := unknown.Await(ctx)
		switch {
		case !a.Success():
			s.p.Note("%s", status(a.Exchange))
		case strings.Contains(string(a.Body), stranger):
			s.p.Note("%s, and the record shows it", status(a.Exchange))
		default:
			s.p.Note("%s, and the record does not show it", status(a.Exchange))
		}
	})
}

// unsent tells how a record shows what was not sent: absent, null or filled in.
func unsent(body []byte) string {
	record, err := representative.Parse(body)
	if err != nil {
		return "no record"
	}
	groups := map[string][]string{}
	for _, name := range []string{
		"birth_date", "document_country_of_issue", "document_number", "income", "is_public_server", "name",
		"participation_percentage", "patrimony", "pep", "qualification", "registration_update_date", "relationship_end_date", "relationship_start_date",
	} {
		path := representative.ResponsePath(name)
		group := record.Type(path)
		if group != "absent" && group != "null" {
			group = "filled in"
		}
		groups[group] = append(groups[group], path)
	}
	var parts []string
	for _, group := range []string{"absent", "null", "filled in"} {
		if len(groups[group]) > 0 {
			parts = append(parts, group+": "+strings.Join(groups[group], ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// valueCase is a value whose acceptance the document leaves open.
type valueCase struct {
	name string
	edit change
}

// observedValues: what such values get. A rule's cases share one check, so that its note reads the same in every run.
func (s *suite) observedValues() {
	for _, o := range []struct {
		rule  string
		cases []valueCase
	}{
		{"negative_money", []valueCase{
			{"income of -1", with("income", json.Number("-1"))},
			{"patrimony of -1", with("patrimony", json.Number("-1"))},
		}},
		{"cpf_check_digits", []valueCase{{"wrong check digits", func(valid target.Creation) target.Creation {
			return valid.With(cpf, representative.BreakCheckDigits(someCPF()))
		}}}},
		{"datetime_for_date", []valueCase{{"birth_date with a time", with("birth_date", "1985-03-15T00:00:00Z")}}},
		{"end_before_start", []valueCase{{"end a year before the start", func(valid target.Creation) target.Creation {
			return valid.With("relationship_start_date", "2021-06-01").With("relationship_end_date", "2020-06-01")
		}}}},
		{"future_birth", []valueCase{{"born in 2100", with("birth_date", "2100-01-01")}}},
		{"long_strings", []valueCase{
			{"name of 300 characters", s.longName(300)},
			{"name of 10000 characters", s.longName(10_000)},
		}},
	} {
		rule := "create.observed." + o.rule
		var deps []plan.Awaited
		var seen []*plan.Observation[target.Answer]
		var names []string
		for _, one := range o.cases {
			sent := s.send(label(rule, one.name), target.AboutField, one.edit)
			deps, seen, names = append(deps, sent), append(seen, sent), append(names, one.name)
		}
		s.p.It(rule, strings.Join(names, ", "), deps, func(ctx context.Context) {
			var lines []string
			for i, sent := range seen {
				lines = append(lines, names[i]+": "+status(sent.Await(ctx).Exchange))
			}
			s.p.Note("%s", strings.Join(lines, "; "))
		})
	}
}

// longName keeps the run's marker in front.
func (s *suite) longName(n int) change {
	marker := "Gateassay " + s.t.Run + " "
	return with("name", marker+strings.Repeat("a", n-len(marker)))
}
