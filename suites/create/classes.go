package create

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
	"github.com/gateassay/gateassay/suites/wrong"
)

// class is a kind of wrong value, tried on every field that it applies to: by one rule for each of them where a * of its
// ID stands for the field, else by one rule for all, of which each run tries a part, by the seed.
type class struct {
	id        string
	level     Level
	section   Section
	statement string
	applies   func(field) bool
	edits     func(field) []edit
	place     spec.Place
}

func newClass(id string, level Level, section Section, statement string, applies func(field) bool, edits func(field) []edit) class {
	return class{id, level, section, statement, applies, edits, spec.Here(1)}
}

// classes lists the classes of wrong values. A new one is one entry here.
func (s *Suite) classes() []class {
	return []class{
		newClass("create.required.*", Must, RequestTable, "A creation without * is rejected.", required, func(f field) []edit {
			return []edit{without(f.Name).inEveryContext()} // whoever accepts it does not require the field, whatever its name is
		}),
		newClass("create.required.*.null", Should, RequestTable, "A creation whose * is null is rejected.", required, func(f field) []edit {
			return []edit{with(f.Name, nil).inEveryContext()}
		}),
		newClass("create.required.*.empty", Should, RequestTable, "A creation whose * is empty is rejected.", required, func(f field) []edit {
			if f.Kind == Object {
				return []edit{with(f.Name, map[string]any{}).inEveryContext()}
			}
			return []edit{with(f.Name, "").inEveryContext()}
		}),
		newClass("create.type.*", Must, Errors, "A creation whose * has the wrong JSON type is rejected.",
			called("mother_name", "phone_number", "email"), written("11987654321", "true", `{"a": 1}`, "[]")),
		newClass("create.type.*", Must, Errors, "A creation whose * has the wrong JSON type is rejected.", of(Object),
			func(f field) []edit {
				return append(raws(f.Name, `"Rua das Palmeiras 1"`, "[]", "true"), s.spoilt(f, wrong.Wrapped()[0]))
			}),
		newClass("create.type.*", Should, Errors, "A creation whose * has the wrong JSON type is rejected.", called("name"),
			written("12345", "true")),
		newClass("create.money.*.fraction", Must, Limits, "A fraction of a cent is rejected as *.", of(Cents), func(f field) []edit {
			return []edit{amount(f.Name, "1000.5").inEveryContext(), amount(f.Name, "1000.000001")}
		}),
		newClass("create.money.*.string", Should, Errors, "A string or a boolean is rejected as *.", of(Cents),
			s.sentAsOther("string", `"1000"`, "true")),
		newClass("create.flags.*", Should, RequestTable, "For * a string or a number in place of a boolean is rejected.", of(Flag),
			func(f field) []edit {
				return append(s.sentAsOther("string", `"true"`)(f), s.sentAsOther("number", "1")(f)...)
			}),
		newClass("create.dates.*", Must, RequestTable, "For * a day or month that does not exist is rejected, and so is text.", of(Date),
			s.impossible),
		newClass("create.dates.*.notation", Should, RequestTable, "For * a notation other than YYYY-MM-DD is rejected, and so is a number.",
			of(Date), func(f field) []edit {
				slashes := worded(f.Name+" written DD/MM/YYYY", f.Name, "15/03/"+year(f))
				return []edit{
					slashes, s.unless(slashes.name, worded(f.Name+" written MM/DD/YYYY", f.Name, "03/15/"+year(f))),
					worded(f.Name+" written YYYY/MM/DD", f.Name, year(f)+"/03/15"),
					s.unlessSentAs("number", worded(f.Name+" written as a number", f.Name, representative.Raw(year(f)+"0315"))),
				}
			}),
		newClass("create.*.unknown", Must, RequestTable, "A qualification outside the four is rejected.", of(Choice), func(f field) []edit {
			return []edit{
				with(f.Name, "PARTNERS").inEveryContext(), with(f.Name, "PART"), with(f.Name, "DIRECTOR"), raws(f.Name, "7")[0],
				with(f.Name, "").unlessFine(ifShown(f.Name, func(got any, _ target.Creation) bool { return got != "" })), // taken for none
			}
		}),
		newClass("create.*.lower_case", Should, RequestTable, "A qualification in lower case, or with a space beside it, is rejected.",
			of(Choice), written(`"partner"`, `" OTHER"`)),
		newClass("create.*.at_sign", Should, RequestTable, "An e-mail address without @ is rejected.", of(Email), func(f field) []edit {
			return []edit{worded("an email without @", f.Name, "no-at-sign.example.com").inEveryContext()}
		}),
		newClass("create.*.spaces", Should, RequestTable, "An e-mail address with spaces is rejected.", of(Email), func(f field) []edit {
			return []edit{
				worded("a space before the @ of the email", f.Name, "with space@example.com"),
				worded("a space after the @ of the email", f.Name, "person@exam ple.com"),
			}
		}),
		newClass("create.cpf.letters", Must, RequestTable, "A CPF with letters is rejected.", of(Digits), s.cpfs(true,
			cpf{"letters in the CPF", func(d string) any { return "AB" + d[2:] }},
			cpf{"X for the last digit of the CPF", func(d string) any { return d[:10] + "X" }})),
		newClass("create.cpf.formatted", Should, RequestTable,
			"A CPF written with dots and a dash, or in digits of another script, is rejected: digits only.", of(Digits), s.cpfs(false,
				cpf{"dots and a dash in the CPF", func(d string) any { return d[:3] + "." + d[3:6] + "." + d[6:9] + "-" + d[9:] }},
				cpf{"a CPF in Arabic digits", func(d string) any { return wrong.Digits('\u0660')(d) }})),
		newClass("create.cpf.spaces", Should, RequestTable, "A CPF with a space between its digits is rejected.", of(Digits),
			s.cpfs(false, cpf{"a space inside the CPF", func(d string) any { return d[:6] + " " + d[6:] }})),
		newClass("create.cpf.length", Should, RequestTable, "A CPF of fewer or more than 11 digits is rejected.", of(Digits), s.cpfs(false,
			cpf{"a CPF of 10 digits", func(d string) any { return d[:10] }}, cpf{"a CPF of 14 digits", func(d string) any { return d + "000" }})),
		newClass("create.cpf.type", Should, Errors, "A CPF given as a JSON number is rejected.", of(Digits), func(f field) []edit {
			e := s.cpfs(false, cpf{"a CPF that is a JSON number", func(d string) any { return representative.Raw(d) }})(f)[0]
			return []edit{s.unlessSentAs("number", e)}
		}),
		newClass("create.participation.below_zero", Must, Limits, "A participation below 0 is rejected, however close to 0 it is.",
			of(Percentage), func(field) []edit {
				return []edit{percent("-0.01").inEveryContext(), percent("-1"), percent("-0.000001").unlessFine(inRange())}
			}),
		newClass("create.participation.above_hundred", Must, Limits,
			"A participation above 100 is rejected, however close to 100 it is and whatever headers are sent.",
			of(Percentage), func(field) []edit {
				return []edit{
					percent("100.000001").unlessFine(inRange()).inEveryContext(), percent("100.01"), percent("1e6"), percent("101"),
				}
			}),
		newClass("create.participation.type", Should, Errors, "A participation that is a string or a boolean is rejected.",
			of(Percentage), func(f field) []edit {
				return append(s.sentAsOther("string", `"50"`)(f), raws(f.Name, "true", "[]")...)
			}),
		newClass("create.value.second_line", Must, RequestTable,
			"Where a format is stated, a right value with more on a second line is rejected.", formatted, s.each(wrong.SecondLine())),
		newClass("create.value.control_characters", Must, RequestTable,
			"Where a format is stated, a value with control characters in it is rejected.", formatted, s.each(wrong.ControlCharacters())),
		newClass("create.value.second_line.email", Should, RequestTable,
			"An e-mail address with more on a second line, or control characters in it, is rejected.", of(Email), s.each(wrong.EmailLines())),
		newClass("create.value.other_digits", Must, RequestTable, "Digits only are those of ASCII: others are rejected.", of(Digits),
			s.each(wrong.OtherDigits())),
		newClass("create.value.other_letters", Should, RequestTable,
			"In dates and listed values, digits and letters that only look like those of ASCII are rejected.",
			of(Date, Choice), s.each(wrong.LookAlikes())),
		newClass("create.value.wrapped", Must, RequestTable,
			"A required parameter whose value is an array or object that holds a right one is rejected.",
			func(f field) bool { return f.Required && f.Kind != Object }, s.each(wrong.Wrapped())),
		newClass("create.value.wrapped.optional", Should, RequestTable,
			"A right value inside an array or an object is rejected for the parameters that are not required, too.",
			func(f field) bool { return !f.Required }, s.each(wrong.Wrapped())),
		newClass("create.value.other_type", Should, RequestTable,
			"A number or a boolean in place of a text is rejected for the parameters that are not required.",
			func(f field) bool { return !f.Required && of(Text, Digits, Date, Choice)(f) }, s.each(wrong.OtherTypes())),
		newClass("create.value.number_prefix", Should, RequestTable, "A text that only begins like a number is rejected as one.",
			of(Cents, Percentage), s.each(wrong.NumberPrefixes())),
		newClass("create.value.not_a_flag", Should, RequestTable,
			"A text, a number or a list that is taken for true or false elsewhere is rejected as a flag.", of(Flag), s.each(wrong.NotFlags())),
		newClass("create.value.blank", Should, RequestTable, "A required text that is nothing but white space, of any kind, is rejected.",
			func(f field) bool { return f.Required && of(Text, Email)(f) }, s.each(wrong.Blanks())),
	}
}

func (s *Suite) wrongValues() {
	s.Describe("wrong values", func() {
		for _, c := range s.classes() {
			on := where(c.applies)
			if strings.Contains(c.id, "*") {
				for _, f := range on {
					named := func(text string) string { return strings.Replace(text, "*", f.Name, 1) }
					s.rejects(named(c.id), c.level, c.section, named(c.statement), spec.At(c.place), c.edits(f))
				}
				continue
			}
			var turn []edit
			for i, f := range on {
				all := c.edits(f)
				for j, e := range all {
					if !strings.HasPrefix(c.id, "create.value.") || wrong.Turn(s.t.Seed, i+j, len(all)*len(on)) {
						turn = append(turn, e)
					}
				}
			}
			s.rejects(c.id, c.level, c.section, c.statement, spec.At(c.place), turn)
		}
	})
}

// each is the edits of values that a class has for every field.
func (s *Suite) each(values []wrong.Value) func(field) []edit {
	return func(f field) (edits []edit) {
		for _, v := range values {
			e := s.spoilt(f, v)
			if worse(f) != "" {
				e = s.unless(worse(f), e)
			}
			edits = append(edits, e)
		}
		return edits
	}
}

// spoilt is a field with a wrong value. Where it can be undone, the record may show what a valid creation would have: the
// value before it was spoilt.
func (s *Suite) spoilt(f field, v wrong.Value) edit {
	e := spelled(f.Name+" "+v.Words, f.Name, v.Spoil)
	if v.Undone {
		e = e.unlessFine(ifShown(f.Name, func(got any, sent target.Creation) bool { return got == sent.Plain(f.Name) }))
	}
	return e
}

// written is the edits that give a field values as they are written.
func written(values ...string) func(field) []edit {
	return func(f field) []edit { return raws(f.Name, values...) }
}

// sentAsOther is written for a field that may be sent as a JSON type by the deployment file.
func (s *Suite) sentAsOther(jsonType string, values ...string) func(field) []edit {
	return func(f field) (edits []edit) {
		for _, e := range raws(f.Name, values...) {
			edits = append(edits, s.unlessSentAs(jsonType, e))
		}
		return edits
	}
}

// year is a common one, in which the other dates of the request stay consistent.
func year(f field) string {
	return map[string]string{
		"birth_date": "1985", "relationship_start_date": "2021", "relationship_end_date": "2035", "registration_update_date": "2023",
	}[f.Name]
}

// impossible: one parser reads all dates, so what is sent in every context, and a day or a month of zero, is for some of
// them to carry.
func (s *Suite) impossible(f field) []edit {
	on := func(words, date string) edit { return worded(f.Name+" "+words, f.Name, year(f)+date) } // a birth date is personal
	day, zero := on("on 30 February", "-02-30"), on("on day 0", "-03-00")
	if f.Name == "birth_date" {
		day = day.inEveryContext()
	}
	if f.Name == "relationship_start_date" || f.Name == "registration_update_date" {
		zero = on("in month 0", "-00-15")
	}
	edits := []edit{day}
	for _, e := range []edit{
		on("on 29 February of a common year", "-02-29"), on("on 31 April", "-04-31"), on("in month 13", "-13-01"),
		on("on 32 March", "-03-32"), zero,
	} {
		edits = append(edits, s.unless(day.name, e))
	}
	return append(edits, worded(f.Name+" that is text", f.Name, "not a date"))
}

// cpf is a way to spell 11 digits, by what it comes to.
type cpf struct {
	words string
	spell func(digits string) any
}

// cpfs is the edits that spell a CPF, the first of them in every context or none.
func (s *Suite) cpfs(everywhere bool, all ...cpf) func(field) []edit {
	return func(f field) []edit {
		edits := make([]edit, len(all))
		for i, c := range all {
			edits[i] = spelled(c.words, f.Name, func(any) any { return c.spell(s.newCPF(false)) })
			edits[i].everywhere = everywhere && i == 0
		}
		return edits
	}
}

// inRange excuses an acceptance where the record shows a participation that nothing is wrong with: its decimals were cut,
// which are not said to be kept.
func inRange() func(target.Answer) bool {
	return ifShown("participation_percentage", func(got any, _ target.Creation) bool {
		share, ok := representative.ExactNumber(fmt.Sprint(got))
		return ok && share.Sign() >= 0 && share.Cmp(big.NewRat(100, 1)) <= 0
	})
}
