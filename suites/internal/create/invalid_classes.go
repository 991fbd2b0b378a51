package create

import (
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/representative"
	. "github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
)

// invalidClass is a kind of invalid value, tried on every field that it applies to. If its ID
// contains a *, each field has its own rule.
type invalidClass struct {
	id        string
	level     Level
	section   Section
	statement string
	applies   func(field) bool
	values    []invalidValue
	location  spec.CodeLocation
}

func newInvalidClass(
	id string, level Level, section Section, statement string, applies func(field) bool,
	values ...invalidValue,
) invalidClass {
	return invalidClass{id, level, section, statement, applies, values, spec.CallerLocation(1)}
}

// invalidClasses returns the classes of invalid values; a new class is one entry here.
func (s *Suite) invalidClasses() []invalidClass {
	return slices.Concat(s.requiredClasses(), s.moneyAndFlagClasses(), s.dateClasses(),
		s.textClasses(), s.participationClasses())
}

func (s *Suite) requiredClasses() []invalidClass {
	return []invalidClass{
		newInvalidClass("create.required.*", Must, SectionRequest, "A creation without * is rejected.",
			isRequiredScalar, absentValue().inAllConfigurations(), inQuery),
		newInvalidClass("create.required.*", Must, SectionRequest, "A creation without * is rejected.",
			hasKind(KindObject), absentValue().inAllConfigurations()),
		newInvalidClass("create.required.*.null", Should, SectionRequest,
			"A creation whose * is null is rejected.", isRequired,
			rawJSON("null").inAllConfigurations()),
		newInvalidClass("create.required.*.empty", Should, SectionRequest,
			"A creation whose * is empty is rejected.",
			hasName("shareholder_id", "mother_name", "phone_number", "email"),
			rawJSON(`""`).inAllConfigurations()),
		newInvalidClass("create.required.*.empty", Should, SectionRequest,
			"A creation whose * is empty is rejected.", hasKind(KindObject),
			rawJSON("{}").inAllConfigurations()),
		newInvalidClass("create.type.*", Must, SectionErrors,
			"A creation whose * has the wrong JSON type is rejected.",
			hasName("mother_name", "phone_number", "email"), rawJSON("11987654321"), rawJSON("true"),
			rawJSON(`{"a": 1}`), rawJSON("[]"), rawJSON("false").thoroughOnly(),
			rawJSON("0").thoroughOnly()),
		newInvalidClass("create.type.*", Must, SectionErrors,
			"A creation whose * has the wrong JSON type is rejected.", hasKind(KindObject),
			append(invalidValuesOf(invalidvalues.WrappedInJSON()[:1]), rawJSON(`"Rua das Palmeiras 1"`),
				rawJSON("[]"), rawJSON("true"))...),
		newInvalidClass("create.type.*", Should, SectionErrors,
			"A creation whose * has the wrong JSON type is rejected.", hasName("name"),
			rawJSON("12345"), rawJSON("true")),
	}
}

func (s *Suite) moneyAndFlagClasses() []invalidClass {
	return []invalidClass{
		newInvalidClass("create.money.*.fraction", Must, SectionLimits,
			"A fraction of a cent is rejected as *.", hasKind(KindCents),
			numericLiteral("1000.5").inAllConfigurations(),
			numericLiteral("1000.000001").toleratedIf(KindCents.Fits)),
		newInvalidClass("create.money.*.string", Should, SectionErrors,
			"A string or a boolean is rejected as *.", hasKind(KindCents),
			s.unlessSentAs("string", rawJSON(`"1000"`)), rawJSON("true")),
		newInvalidClass("create.flags.*", Should, SectionRequest,
			"For * a string or a number in place of a boolean is rejected.", hasKind(KindBoolean),
			s.unlessSentAs("string", rawJSON(`"true"`)), s.unlessSentAs("number", rawJSON("1"))),
	}
}

func (s *Suite) dateClasses() []invalidClass {
	const february = "on 30 February"
	return []invalidClass{
		newInvalidClass("create.dates.*", Must, SectionRequest,
			"For * a day or month that does not exist is rejected, and so is text.",
			hasKind(KindDate),
			dateLiteral(february, "YYYY-02-30"),
			dateLiteral("on 29 February of a common year", "YYYY-02-29").afterRejectionOf(february),
			dateLiteral("on 31 April", "YYYY-04-31").afterRejectionOf(february),
			dateLiteral("in month 13", "YYYY-13-01").afterRejectionOf(february),
			dateLiteral("on 32 March", "YYYY-03-32").afterRejectionOf(february),
			dateLiteral("on day 0", "YYYY-03-00").afterRejectionOf(february),
			dateLiteral("in month 0", "YYYY-00-15").afterRejectionOf(february),
			dateLiteral("that is text", "not a date"),
			dateLiteral("on 29 February of 1900", "1900-02-29").
				afterRejectionOf(february).thoroughOnly(),
			dateLiteral("on day 31 of September", "YYYY-09-31").
				afterRejectionOf(february).thoroughOnly()),
		newInvalidClass("create.dates.*.notation", Should, SectionRequest,
			"For * a notation other than YYYY-MM-DD is rejected, and so is a number.",
			hasKind(KindDate), dateLiteral("written DD/MM/YYYY", "15/03/YYYY"),
			dateLiteral("written MM/DD/YYYY", "03/15/YYYY").afterRejectionOf("written DD/MM/YYYY"),
			dateLiteral("written YYYY/MM/DD", "YYYY/03/15"), s.unlessSentAs("number", rawJSON("20230315")),
			dateLiteral("as a day of a week", "YYYY-W11-2").thoroughOnly(),
			dateLiteral("as a day of the year", "YYYY-074").thoroughOnly(),
			dateLiteral("with a sign before it", "+YYYY-03-15").thoroughOnly()),
	}
}

// textClasses returns the classes of qualification, email and CPF.
func (s *Suite) textClasses() []invalidClass {
	return []invalidClass{
		newInvalidClass("create.*.unknown", Must, SectionRequest,
			"A qualification outside the four is rejected.", hasKind(KindEnum),
			rawJSON(`"PARTNERS"`).inAllConfigurations(), rawJSON(`"PART"`), rawJSON(`"DIRECTOR"`),
			rawJSON("1"), rawJSON("0").thoroughOnly(),
			rawJSON("7").thoroughOnly(), rawJSON(`"1"`).thoroughOnly(),
			rawJSON(`"PARTNER,OTHER"`).thoroughOnly(),
			rawJSON(`"constructor"`).thoroughOnly(), // every JavaScript object has it
			// an empty text may count as absent
			rawJSON(`""`).toleratedIf(func(got any) bool { return got != "" })),
		newInvalidClass("create.*.lower_case", Should, SectionRequest,
			"A qualification in lower case, or with a space around it, is rejected.",
			hasKind(KindEnum), rawJSON(`"partner"`), rawJSON(`" OTHER"`)),
		newInvalidClass("create.*.at_sign", Should, SectionRequest,
			"An e-mail address without @ is rejected.", hasKind(KindEmail),
			respelledValue("an email without @", func(string) any { return "no-at-sign.example.com" }).
				inAllConfigurations()),
		newInvalidClass("create.*.spaces", Should, SectionRequest,
			"An e-mail address with spaces is rejected.", hasKind(KindEmail),
			respelledValue("a space before the @ of the email",
				func(string) any { return "with space@example.com" }),
			respelledValue("a space after the @ of the email",
				func(string) any { return "person@exam ple.com" })),
		newInvalidClass("create.cpf.letters", Must, SectionRequest, "A CPF with letters is rejected.",
			hasKind(KindDigits),
			respelledValue("letters in the CPF", func(d string) any { return "AB" + d[2:] }).
				inAllConfigurations(),
			respelledValue("X for the last digit of the CPF", func(d string) any { return d[:10] + "X" })),
		newInvalidClass("create.cpf.sign", Must, SectionRequest,
			"A CPF whose first digit is a sign is rejected.", hasKind(KindDigits),
			respelledValue("a CPF that begins with +", func(d string) any { return "+" + d[1:] })),
		newInvalidClass("create.cpf.formatted", Should, SectionRequest,
			"A CPF written with dots and a dash, or in digits of another script, is rejected: digits only.",
			hasKind(KindDigits),
			respelledValue("dots and a dash in the CPF",
				func(d string) any { return d[:3] + "." + d[3:6] + "." + d[6:9] + "-" + d[9:] }),
			respelledValue("a CPF in Arabic digits",
				func(d string) any { return invalidvalues.DigitsOfScript('\u0660')(d) })),
		newInvalidClass("create.cpf.spaces", Should, SectionRequest,
			"A CPF with a space between its digits is rejected.", hasKind(KindDigits),
			respelledValue("a space inside the CPF", func(d string) any { return d[:6] + " " + d[6:] })),
		newInvalidClass("create.cpf.length", Should, SectionRequest,
			"A CPF of fewer or more than 11 digits is rejected.", hasKind(KindDigits),
			respelledValue("a CPF of 10 digits", func(d string) any { return d[:10] }),
			respelledValue("a CPF of 14 digits", func(d string) any { return d + "000" })),
		newInvalidClass("create.cpf.type", Should, SectionErrors,
			"A CPF given as a JSON number is rejected.", hasKind(KindDigits),
			s.unlessSentAs("number", respelledValue("a CPF that is a JSON number",
				func(d string) any { return representative.RawJSON(d) }))),
	}
}

func (s *Suite) participationClasses() []invalidClass {
	return []invalidClass{
		newInvalidClass("create.participation.below_zero", Must, SectionLimits,
			"A participation below 0 is rejected, however close to 0 it is.",
			hasKind(KindPercentage), numericLiteral("-0.01").inAllConfigurations(), numericLiteral("-1"),
			numericLiteral("-0.000001").toleratedIf(isParticipationInRange)),
		newInvalidClass("create.participation.above_hundred", Must, SectionLimits,
			"A participation above 100 is rejected, however close to 100 it is and whatever headers are "+
				"sent.",
			hasKind(KindPercentage),
			numericLiteral("100.000001").toleratedIf(isParticipationInRange).inAllConfigurations(),
			numericLiteral("100.01"), numericLiteral("1e6"), numericLiteral("101")),
		newInvalidClass("create.participation.type", Should, SectionErrors,
			"A participation that is a string or a boolean is rejected.",
			hasKind(KindPercentage), s.unlessSentAs("string", rawJSON(`"50"`)), rawJSON("true"),
			rawJSON("[]")),
	}
}

// valueClasses returns classes that apply to many fields. Each run tries part of them, chosen by
// its seed.
func valueClasses() []invalidClass {
	return []invalidClass{
		newInvalidClass("create.value.second_line", Must, SectionRequest,
			"Where a format is stated, a right value with more on a second line is rejected.",
			hasStatedFormat, invalidValuesOf(invalidvalues.MultiLineTexts())...),
		newInvalidClass("create.value.second_line.cpf", Must, SectionRequest,
			"A CPF with a line end behind it is rejected.", hasKind(KindDigits),
			invalidValuesOf(invalidvalues.MultiLineTexts()[2:])...),
		newInvalidClass("create.value.control_characters", Must, SectionRequest,
			"Where a format is stated, a value with control characters in it is rejected.", hasStatedFormat,
			invalidValuesOf(invalidvalues.ControlCharacters())...),
		newInvalidClass("create.value.second_line.email", Should, SectionRequest,
			"An e-mail address with more on a second line, or control characters in it, is rejected.",
			hasKind(KindEmail),
			invalidValuesOf(invalidvalues.EmailHeaderInjections())...),
		newInvalidClass("create.value.other_digits", Must, SectionRequest,
			"Digits only are those of ASCII: others are rejected.", hasKind(KindDigits),
			invalidValuesOf(invalidvalues.NonASCIIDigits())...),
		newInvalidClass("create.value.other_letters", Should, SectionRequest,
			"In dates and listed values, digits and letters that only look like those of ASCII are "+
				"rejected.",
			hasKind(KindDate, KindEnum), invalidValuesOf(invalidvalues.LookAlikeCharacters())...),
		newInvalidClass("create.value.wrapped", Must, SectionRequest,
			"A required parameter whose value is an array or object that holds a right one is rejected.",
			isRequiredScalar,
			invalidValuesOf(invalidvalues.WrappedInJSON())...),
		newInvalidClass("create.value.wrapped.optional", Should, SectionRequest,
			"A right value inside an array or an object is rejected for the parameters that are not "+
				"required, too.",
			func(f field) bool { return !f.Required }, invalidValuesOf(invalidvalues.WrappedInJSON())...),
		newInvalidClass("create.value.other_type", Should, SectionRequest,
			"A number or a boolean in place of a text is rejected for the parameters that are not required.",
			func(f field) bool {
				return !f.Required && hasKind(KindText, KindDigits, KindDate, KindEnum)(f)
			},
			rawJSON("true"),
			rawJSON("7"),
		),
		newInvalidClass("create.value.number_prefix", Should, SectionRequest,
			"A text that only begins like a number is rejected as one.",
			hasKind(KindCents, KindPercentage), rawJSON(`"50abc"`), rawJSON(`""`), rawJSON(`"0x10"`),
			rawJSON(`"NaN"`)),
		newInvalidClass("create.value.not_a_flag", Should, SectionRequest,
			"A text, a number or a list that is taken for true or false elsewhere is rejected as a flag.",
			hasKind(KindBoolean),
			rawJSON(`"yes"`), rawJSON("0"), rawJSON("[]"), rawJSON(`"false"`)),
		newInvalidClass("create.value.blank", Should, SectionRequest,
			"A required text that is nothing but white space, of any kind, is rejected.",
			func(f field) bool { return f.Required && hasKind(KindText, KindEmail)(f) }, rawJSON(`" "`),
			rawJSON(`"\t\n"`).with(asAttack), rawJSON(`"\u00a0"`), rawJSON(`"\u2003"`)),
	}
}

func (s *Suite) declareInvalidValues() {
	s.Describe("wrong values", func() {
		for _, c := range s.invalidClasses() {
			s.declareInvalidClass(c, false)
		}
		for _, c := range valueClasses() {
			s.declareInvalidClass(c, true)
		}
	})
}

// declareInvalidClass declares the rules of a class. If sampled, a run tries part of the values,
// and only where a simpler defect of the field is rejected.
func (s *Suite) declareInvalidClass(c invalidClass, sampled bool) {
	together := fieldsWhere(c.applies)
	size := len(together)
	if strings.Contains(c.id, "*") {
		size = 1
	}
	for fields := range slices.Chunk(together, size) {
		var all []lab.Probe
		for i, f := range fields {
			for j, v := range c.values {
				p := v(f)
				if sampled {
					p = p.AfterRejectionOf(simplerDefect(f)).
						Sampled(spec.SampledBySeed(i+j, len(c.values)*len(fields)))
				}
				all = append(all, p)
			}
		}
		s.lab.RuleRejects(withFieldName(fields[0], c.id), c.level, c.section,
			withFieldName(fields[0], c.statement), all, spec.DeclaredAt(c.location))
	}
}

// withFieldName replaces the * of a text with the name of a field.
func withFieldName(f field, text string) string { return strings.Replace(text, "*", f.Name, 1) }
