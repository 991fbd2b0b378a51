package create

import (
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
)

// declareSampledValues declares the rules on values that many fields must not have.
func (s *Suite) declareSampledValues() {
	optional := func(f field) bool { return !f.Required }
	required := func(f field) bool { return f.Required && f.Kind != KindObject }
	arrays, objects := invalidvalues.WrappedInJSON()[:1], invalidvalues.WrappedInJSON()[1:]
	s.lab.RuleRejects("create.value.second_line", Must, SectionRequest,
		"Where a format is stated, a valid value followed by a second line is rejected.",
		sampledProbes(hasStatedFormat, invalidvalues.MultiLineTexts()))
	s.lab.RuleRejects("create.value.second_line.cpf", Must, SectionRequest,
		"A CPF followed by a line end is rejected.",
		sampledProbes(hasKind(KindDigits), invalidvalues.MultiLineTexts()[2:]))
	s.lab.RuleRejects("create.value.control_characters", Must, SectionRequest,
		"Where a format is stated, a value with control characters in it is rejected.",
		sampledProbes(hasStatedFormat, invalidvalues.ControlCharacters()))
	s.lab.RuleRejects("create.value.second_line.email", Should, SectionRequest,
		"An e-mail address with a second line or with control characters is rejected.",
		sampledProbes(hasKind(KindEmail), invalidvalues.EmailHeaderInjections()))
	s.lab.RuleRejects("create.value.other_digits", Must, SectionRequest,
		"Where only digits are allowed, digits other than those of ASCII are rejected.",
		sampledProbes(hasKind(KindDigits), invalidvalues.NonASCIIDigits()))
	s.lab.RuleRejects("create.value.other_letters", Should, SectionRequest,
		"In dates and listed values, digits and letters that only look like those of ASCII are "+
			"rejected.",
		sampledProbes(hasKind(KindDate, KindEnum), invalidvalues.LookAlikeCharacters()))
	s.lab.RuleRejects("create.value.wrapped", Must, SectionRequest,
		"A required parameter with a valid value inside an array or an object is rejected.",
		append(sampledProbes(required, arrays), sampledProbes(required, objects)...))
	s.lab.RuleRejects("create.value.wrapped.optional", Should, SectionRequest,
		"A valid value inside an array or an object is rejected for the parameters that are not "+
			"required, too.",
		sampledProbes(optional, invalidvalues.WrappedInJSON()))
	s.lab.RuleRejects("create.value.other_type", Should, SectionRequest,
		"A number or a boolean in place of a text is rejected for the parameters that are not required.",
		sampledProbes(func(f field) bool {
			return optional(f) && hasKind(KindText, KindDigits, KindDate, KindEnum)(f)
		}, jsonValues("true", "7")))
	s.lab.RuleRejects("create.value.number_prefix", Should, SectionRequest,
		"A text that only begins like a number is rejected as a number.",
		sampledProbes(hasKind(KindCents, KindPercentage),
			jsonValues(`"50abc"`, `""`, `"0x10"`, `"NaN"`)))
	s.lab.RuleRejects("create.value.not_a_flag", Should, SectionRequest,
		"A text, a number or a list that some languages read as true or false is rejected as a "+
			"flag.",
		sampledProbes(hasKind(KindBoolean), jsonValues(`"yes"`, "0", "[]", `"false"`)))
	blank := jsonValues(`" "`, `"\t\n"`, `"\u00a0"`, `"\u2003"`)
	blank[1].LooksLikeAttack = true
	s.lab.RuleRejects("create.value.blank", Should, SectionRequest,
		"A required text that is nothing but white space, of any kind, is rejected.",
		sampledProbes(func(f field) bool { return f.Required && hasKind(KindText, KindEmail)(f) },
			blank))
}

// sampledProbes returns a creation for each of the values in each of the fields. A run tries part
// of them, chosen by its seed, and only where a simpler defect of the field is rejected.
func sampledProbes(applies func(field) bool, values []invalidvalues.Value) (probes []lab.Probe) {
	fields := fieldsWhere(applies)
	for i, f := range fields {
		for j, v := range values {
			v.Recoverable = v.Recoverable || f.Kind == KindDigits // where all but digits is removed
			probes = append(probes,
				withInvalidValue(f.Name, v).AfterRejectionOf(simplerDefect(f)).
					Sampled(spec.SampledBySeed(i+j, len(values)*len(fields))))
		}
	}
	return probes
}

// simplerDefect describes the invalid value that other rules send in a field. Where that is
// accepted, the classes show nothing more.
func simplerDefect(f field) string {
	if f.Kind == KindText && !f.Required && f.Name != "name" {
		return ""
	}
	return strings.Replace(map[FieldKind]string{
		KindUUID: `* "not-a-uuid"`, KindText: "* true", KindEmail: "an email without @",
		KindDigits: "letters in the CPF", KindEnum: `* "PARTNERS"`, KindDate: "* that is text",
		KindCents: "* true", KindPercentage: "* true", KindBoolean: `* "true"`,
	}[f.Kind], "*", f.Name, 1)
}
