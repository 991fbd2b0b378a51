package create

import (
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/invalidvalues"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// class is a kind of wrong value, tried on every field that it applies to: by one rule for each of them where a * of its
// ID stands for the field, else by one rule for all.
type class struct {
	id        string
	level     Level
	section   Section
	statement string
	applies   func(field) bool
	values    []value
	place     spec.CodeLocation
}

func newClass(id string, level Level, section Section, statement string, applies func(field) bool, values ...value) class {
	return class{id, level, section, statement, applies, values, spec.CallerLocation(1)}
}

// classes lists the classes of wrong values. A new one is one entry here. Of those of create.value, which apply to many
// fields, each run tries a part, by the seed.
func classes() []class {
	const february = "* on 30 February"
	noText := []value{raw("11987654321"), raw("true"), raw(`{"a": 1}`), raw("[]"), raw("false").thorough(), raw("0").thorough()}
	return []class{
		newClass("create.required.*", Must, RequestTable, "A creation without * is rejected.", required, absent().everyContext()),
		newClass("create.required.*.null", Should, RequestTable, "A creation whose * is null is rejected.", required,
			raw("null").everyContext()),
		newClass("create.required.*.empty", Should, RequestTable, "A creation whose * is empty is rejected.",
			called("shareholder_id", "mother_name", "phone_number", "email"), raw(`""`).everyContext()),
		newClass("create.required.*.empty", Should, RequestTable, "A creation whose * is empty is rejected.", of(Object),
			raw("{}").everyContext()),
		newClass("create.type.*", Must, Errors, "A creation whose * has the wrong JSON type is rejected.",
			called("mother_name", "phone_number", "email"), noText...),
		newClass("create.type.*", Must, Errors, "A creation whose * has the wrong JSON type is rejected.", of(Object),
			append(each(invalidvalues.WrappedInJSON()[:1]), raw(`"Rua das Palmeiras 1"`), raw("[]"), raw("true"))...),
		newClass("create.type.*", Should, Errors, "A creation whose * has the wrong JSON type is rejected.", called("name"),
			raw("12345"), raw("true")),
		newClass("create.money.*.fraction", Must, Limits, "A fraction of a cent is rejected as *.", of(Cents),
			numeral("1000.5").everyContext(), numeral("1000.000001").unlessShown(func(_ field, got any, _ target.Request) bool { return Cents.Fits(got) })),
		newClass("create.money.*.string", Should, Errors, "A string or a boolean is rejected as *.", of(Cents),
			raw(`"1000"`).of("string"), raw("true")),
		newClass("create.flags.*", Should, RequestTable, "For * a string or a number in place of a boolean is rejected.", of(Flag),
			raw(`"true"`).of("string"), raw("1").of("number")),
		newClass("create.dates.*", Must, RequestTable, "For * a day or month that does not exist is rejected, and so is text.", of(Date),
			dated(february, "YYYY-02-30"), dated("* on 29 February of a common year", "YYYY-02-29").unlessTaken(february),
			dated("* on 31 April", "YYYY-04-31").unlessTaken(february), dated("* in month 13", "YYYY-13-01").unlessTaken(february),
			dated("* on 32 March", "YYYY-03-32").unlessTaken(february), dated("* on day 0", "YYYY-03-00").unlessTaken(february),
			dated("* in month 0", "YYYY-00-15").unlessTaken(february), dated("* that is text", "not a date"),
			dated("* on 29 February of 1900", "1900-02-29").unlessTaken(february).thorough(),
			dated("* on day 31 of September", "YYYY-09-31").unlessTaken(february).thorough()),
		newClass("create.dates.*.notation", Should, RequestTable, "For * a notation other than YYYY-MM-DD is rejected, and so is a number.",
			of(Date), dated("* written DD/MM/YYYY", "15/03/YYYY"), dated("* written MM/DD/YYYY", "03/15/YYYY").unlessTaken("* written DD/MM/YYYY"),
			dated("* written YYYY/MM/DD", "YYYY/03/15"), raw("20230315").of("number"),
			dated("* as a day of a week", "YYYY-W11-2").thorough(), dated("* as a day of the year", "YYYY-074").thorough(),
			dated("* with a sign before it", "+YYYY-03-15").thorough()),
		newClass("create.*.unknown", Must, RequestTable, "A qualification outside the four is rejected.", of(Choice),
			raw(`"PARTNERS"`).everyContext(), raw(`"PART"`), raw(`"DIRECTOR"`), raw("1"), raw("0").thorough(),
			raw("7").thorough(), raw(`"1"`).thorough(), raw(`"PARTNER,OTHER"`).thorough(),
			raw(`""`).unlessShown(func(_ field, got any, _ target.Request) bool { return got != "" })), // taken for none
		newClass("create.*.lower_case", Should, RequestTable, "A qualification in lower case, or with a space beside it, is rejected.",
			of(Choice), raw(`"partner"`), raw(`" OTHER"`)),
		newClass("create.*.at_sign", Should, RequestTable, "An e-mail address without @ is rejected.", of(Email),
			spelling("an email without @", func(string) any { return "no-at-sign.example.com" }).everyContext()),
		newClass("create.*.spaces", Should, RequestTable, "An e-mail address with spaces is rejected.", of(Email),
			spelling("a space before the @ of the email", func(string) any { return "with space@example.com" }),
			spelling("a space after the @ of the email", func(string) any { return "person@exam ple.com" })),
		newClass("create.cpf.letters", Must, RequestTable, "A CPF with letters is rejected.", of(Digits),
			spelling("letters in the CPF", func(d string) any { return "AB" + d[2:] }).everyContext(),
			spelling("X for the last digit of the CPF", func(d string) any { return d[:10] + "X" })),
		newClass("create.cpf.sign", Must, RequestTable, "A CPF whose first digit is a sign is rejected.", of(Digits),
			spelling("a CPF that begins with +", func(d string) any { return "+" + d[1:] })),
		newClass("create.cpf.formatted", Should, RequestTable,
			"A CPF written with dots and a dash, or in digits of another script, is rejected: digits only.", of(Digits),
			spelling("dots and a dash in the CPF", func(d string) any { return d[:3] + "." + d[3:6] + "." + d[6:9] + "-" + d[9:] }),
			spelling("a CPF in Arabic digits", func(d string) any { return invalidvalues.DigitsOfScript('\u0660')(d) })),
		newClass("create.cpf.spaces", Should, RequestTable, "A CPF with a space between its digits is rejected.", of(Digits),
			spelling("a space inside the CPF", func(d string) any { return d[:6] + " " + d[6:] })),
		newClass("create.cpf.length", Should, RequestTable, "A CPF of fewer or more than 11 digits is rejected.", of(Digits),
			spelling("a CPF of 10 digits", func(d string) any { return d[:10] }),
			spelling("a CPF of 14 digits", func(d string) any { return d + "000" })),
		newClass("create.cpf.type", Should, Errors, "A CPF given as a JSON number is rejected.", of(Digits),
			spelling("a CPF that is a JSON number", func(d string) any { return representative.Raw(d) }).of("number")),
		newClass("create.participation.below_zero", Must, Limits, "A participation below 0 is rejected, however close to 0 it is.",
			of(Percentage), numeral("-0.01").everyContext(), numeral("-1"), numeral("-0.000001").unlessShown(inRange)),
		newClass("create.participation.above_hundred", Must, Limits,
			"A participation above 100 is rejected, however close to 100 it is and whatever headers are sent.", of(Percentage),
			numeral("100.000001").unlessShown(inRange).everyContext(), numeral("100.01"), numeral("1e6"), numeral("101")),
		newClass("create.participation.type", Should, Errors, "A participation that is a string or a boolean is rejected.",
			of(Percentage), raw(`"50"`).of("string"), raw("true"), raw("[]")),
		newClass("create.value.second_line", Must, RequestTable,
			"Where a format is stated, a right value with more on a second line is rejected.", formatted, each(invalidvalues.MultiLine())...),
		newClass("create.value.second_line.cpf", Must, RequestTable, "A CPF with a line end behind it is rejected.", of(Digits),
			each(invalidvalues.MultiLine()[2:])...),
		newClass("create.value.control_characters", Must, RequestTable,
			"Where a format is stated, a value with control characters in it is rejected.", formatted,
			each(invalidvalues.ControlCharacters())...),
		newClass("create.value.second_line.email", Should, RequestTable,
			"An e-mail address with more on a second line, or control characters in it, is rejected.", of(Email),
			each(invalidvalues.EmailHeaderInjections())...),
		newClass("create.value.other_digits", Must, RequestTable, "Digits only are those of ASCII: others are rejected.", of(Digits),
			each(invalidvalues.NonASCIIDigits())...),
		newClass("create.value.other_letters", Should, RequestTable,
			"In dates and listed values, digits and letters that only look like those of ASCII are rejected.",
			of(Date, Choice), each(invalidvalues.LookAlikeCharacters())...),
		newClass("create.value.wrapped", Must, RequestTable,
			"A required parameter whose value is an array or object that holds a right one is rejected.",
			func(f field) bool { return f.Required && f.Kind != Object }, each(invalidvalues.WrappedInJSON())...),
		newClass("create.value.wrapped.optional", Should, RequestTable,
			"A right value inside an array or an object is rejected for the parameters that are not required, too.",
			func(f field) bool { return !f.Required }, each(invalidvalues.WrappedInJSON())...),
		newClass("create.value.other_type", Should, RequestTable,
			"A number or a boolean in place of a text is rejected for the parameters that are not required.",
			func(f field) bool { return !f.Required && of(Text, Digits, Date, Choice)(f) }, raw("true"), raw("7")),
		newClass("create.value.number_prefix", Should, RequestTable, "A text that only begins like a number is rejected as one.",
			of(Cents, Percentage), raw(`"50abc"`), raw(`""`), raw(`"0x10"`), raw(`"NaN"`)),
		newClass("create.value.not_a_flag", Should, RequestTable,
			"A text, a number or a list that is taken for true or false elsewhere is rejected as a flag.", of(Flag),
			raw(`"yes"`), raw("0"), raw("[]"), raw(`"false"`)),
		newClass("create.value.blank", Should, RequestTable, "A required text that is nothing but white space, of any kind, is rejected.",
			func(f field) bool { return f.Required && of(Text, Email)(f) }, raw(`" "`), raw(`"\t\n"`).asAttack(), raw(`"\u00a0"`), raw(`"\u2003"`)),
	}
}

func (s *Suite) wrongValues() {
	s.Describe("wrong values", func() {
		for _, c := range classes() {
			together := where(c.applies)
			size := len(together)
			if strings.Contains(c.id, "*") {
				size = 1
			}
			for fields := range slices.Chunk(together, size) {
				var all []lab.Probe
				for i, f := range fields {
					for j, v := range c.values {
						if strings.HasPrefix(c.id, "create.value.") {
							v.unless, v.turn = worse(f), spec.SampledBySeed(i+j, len(c.values)*len(fields))
						}
						all = append(all, s.in(f, v))
					}
					if c.id == "create.required.*" && f.Kind != Object {
						all = append(all, s.inQuery(f))
					}
				}
				s.lab.RuleRejects(about(fields[0], c.id), c.level, c.section, about(fields[0], c.statement), all, spec.DeclaredAt(c.place))
			}
		}
	})
}

// about puts the name of a field in the place of a *.
func about(f field, text string) string { return strings.Replace(text, "*", f.Name, 1) }
