package create

import (
	"slices"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/representative"
	. "github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
)

// declareInvalidValues declares the rules on values that have to be rejected.
func (s *Suite) declareInvalidValues() {
	s.Describe("wrong values", func() {
		s.declareRequiredFields()
		s.declareWrongTypes()
		s.declareWrongMoneyAndFlags()
		s.declareWrongDates()
		s.declareWrongTexts()
		s.declareWrongCPFs()
		s.declareWrongParticipations()
		s.declareSampledValues()
	})
}

func (s *Suite) declareRequiredFields() {
	for _, f := range fieldsWhere(isRequired) {
		probes := []lab.Probe{withoutField(f.Name).InAllConfigurations()}
		if f.Kind != KindObject {
			probes = append(probes, inQuery(f.Name))
		}
		s.lab.RuleRejects("create.required."+f.Name, Must, SectionRequest,
			"A creation without "+f.Name+" is rejected.", probes)
	}
	for _, f := range fieldsWhere(isRequired) {
		s.lab.RuleRejects("create.required."+f.Name+".null", Should, SectionRequest,
			"A creation whose "+f.Name+" is null is rejected.",
			[]lab.Probe{withJSON(f.Name, "null").InAllConfigurations()})
	}
	for _, f := range fieldsWhere(isRequired) {
		empty := `""`
		if f.Kind == KindObject {
			empty = "{}"
		}
		s.lab.RuleRejects("create.required."+f.Name+".empty", Should, SectionRequest,
			"A creation whose "+f.Name+" is empty is rejected.",
			[]lab.Probe{withJSON(f.Name, empty).InAllConfigurations()})
	}
}

func (s *Suite) declareWrongTypes() {
	for _, name := range []string{"mother_name", "phone_number", "email"} {
		s.lab.RuleRejects("create.type."+name, Must, SectionErrors,
			"A creation whose "+name+" has the wrong JSON type is rejected.",
			append(withEachJSON(name, "11987654321", "true", `{"a": 1}`, "[]"),
				thoroughOnly(withEachJSON(name, "false", "0")...)...))
	}
	s.lab.RuleRejects("create.type.address", Must, SectionErrors,
		"A creation whose address has the wrong JSON type is rejected.",
		append([]lab.Probe{withInvalidValue("address", invalidvalues.WrappedInJSON()[0])},
			withEachJSON("address", `"Rua das Palmeiras 1"`, "[]", "true")...))
	s.lab.RuleRejects("create.type.name", Should, SectionErrors,
		"A creation whose name has the wrong JSON type is rejected.",
		withEachJSON("name", "12345", "true"))
}

func (s *Suite) declareWrongMoneyAndFlags() {
	for _, f := range fieldsWhere(hasKind(KindCents)) {
		s.lab.RuleRejects("create.money."+f.Name+".fraction", Must, SectionLimits,
			"A fraction of a cent is rejected as "+f.Name+".",
			[]lab.Probe{
				withAmount(f.Name, "1000.5").InAllConfigurations(),
				toleratedIfEchoed(withAmount(f.Name, "1000.000001"), "-?[0-9]+(\\.0+)?", KindCents.Fits),
			})
	}
	for _, f := range fieldsWhere(hasKind(KindCents)) {
		s.lab.RuleRejects("create.money."+f.Name+".string", Should, SectionErrors,
			"A string or a boolean is rejected as "+f.Name+".",
			[]lab.Probe{
				s.unlessSentAs("string", withJSON(f.Name, `"1000"`)), withJSON(f.Name, "true"),
			})
	}
	for _, f := range fieldsWhere(hasKind(KindBoolean)) {
		s.lab.RuleRejects("create.flags."+f.Name, Should, SectionRequest,
			"For "+f.Name+" a string or a number in place of a boolean is rejected.",
			[]lab.Probe{
				s.unlessSentAs("string", withJSON(f.Name, `"true"`)),
				s.unlessSentAs("number", withJSON(f.Name, "1")),
			})
	}
}

func (s *Suite) declareWrongDates() {
	for _, f := range fieldsWhere(hasKind(KindDate)) {
		february := withDate(f.Name, "on 30 February", "YYYY-02-30")
		ofLastCentury := spec.ThoroughOnly()
		if f.Name == "birth_date" {
			ofLastCentury = spec.EveryOtherSeed(1)
		}
		afterFebruary := func(what, form string) lab.Probe {
			return withDate(f.Name, what, form).AfterRejectionOf(february.Description)
		}
		s.lab.RuleRejects("create.dates."+f.Name, Must, SectionRequest,
			"For "+f.Name+" a day or month that does not exist is rejected, and so is text.",
			append([]lab.Probe{
				february,
				afterFebruary("on 29 February of a common year", "YYYY-02-29"),
				afterFebruary("on 31 April", "YYYY-04-31"),
				afterFebruary("in month 13", "YYYY-13-01"),
				afterFebruary("on 32 March", "YYYY-03-32"),
				afterFebruary("on 29 February of 1900", "1900-02-29").Sampled(ofLastCentury),
				afterFebruary("on day 0", "YYYY-03-00"),
				afterFebruary("in month 0", "YYYY-00-15"),
				withDate(f.Name, "that is text", "not a date"),
			}, thoroughOnly(afterFebruary("on day 31 of September", "YYYY-09-31"))...))
	}
	for _, f := range fieldsWhere(hasKind(KindDate)) {
		afterText := func(what, form string) lab.Probe {
			return withDate(f.Name, what, form).AfterRejectionOf(simplerDefect(f))
		}
		s.lab.RuleRejects("create.dates."+f.Name+".notation", Should, SectionRequest,
			"For "+f.Name+" a notation other than YYYY-MM-DD is rejected, and so is a number.",
			append([]lab.Probe{
				afterText("written DD/MM/YYYY", "15/03/YYYY"),
				afterText("written MM/DD/YYYY", "03/15/YYYY"),
				afterText("written YYYY/MM/DD", "YYYY/03/15"),
				s.unlessSentAs("number", withJSON(f.Name, "20230315")),
			}, thoroughOnly(
				afterText("as a day of a week", "YYYY-W11-2"),
				afterText("as a day of the year", "YYYY-074"),
				afterText("with a sign before it", "+YYYY-03-15"))...))
	}
}

// declareWrongTexts declares the rules on qualification and email.
func (s *Suite) declareWrongTexts() {
	const qualification, email = "qualification", "email"
	unknown := withJSON(qualification, `"PARTNERS"`).InAllConfigurations()
	noAtSign := withDescribedField("an email without @", email, "no-at-sign.example.com").
		InAllConfigurations()
	s.lab.RuleRejects("create.qualification.unknown", Must, SectionRequest,
		"A qualification outside the four is rejected.",
		slices.Concat(
			[]lab.Probe{unknown},
			withEachJSON(qualification, `"PART"`, `"DIRECTOR"`, "1"),
			thoroughOnly(withEachJSON(qualification, "0", "7", `"1"`, `"PARTNER,OTHER"`,
				`"constructor"`)...), // every JavaScript object has it
			// an empty text may count as absent
			[]lab.Probe{toleratedIfEchoed(
				withJSON(qualification, `""`).As("an empty text as qualification"),
				`.*[^"].*`, func(got any) bool { return got != "" })},
		))
	s.lab.RuleRejects("create.qualification.lower_case", Should, SectionRequest,
		"A qualification in lower case, or with a space around it, is rejected.",
		[]lab.Probe{
			withJSON(qualification, `"partner"`).AfterRejectionOf(unknown.Description),
			withJSON(qualification, `" OTHER"`).AfterRejectionOf(unknown.Description),
		})
	s.lab.RuleRejects("create.email.at_sign", Should, SectionRequest,
		"An e-mail address without @ is rejected.", []lab.Probe{noAtSign})
	s.lab.RuleRejects("create.email.spaces", Should, SectionRequest,
		"An e-mail address with spaces is rejected.",
		[]lab.Probe{
			withDescribedField("a space before the @ of the email", email, "with space@example.com").
				AfterRejectionOf(noAtSign.Description),
			withDescribedField("a space after the @ of the email", email, "person@exam ple.com").
				AfterRejectionOf(noAtSign.Description),
		})
}

func (s *Suite) declareWrongCPFs() {
	letters := withCPF("letters in the CPF", func(d string) any { return "AB" + d[2:] }).
		InAllConfigurations()
	other := func(what string, change func(digits string) any) lab.Probe {
		return withCPF(what, change).AfterRejectionOf(letters.Description)
	}
	s.lab.RuleRejects("create.cpf.letters", Must, SectionRequest, "A CPF with letters is rejected.",
		[]lab.Probe{
			letters,
			withCPF("X for the last digit of the CPF", func(d string) any { return d[:10] + "X" }).
				Sampled(spec.EveryOtherSeed(0)),
			withInvalidValue("document_number", invalidvalues.Value{
				Description: "with letters behind it", Recoverable: true,
				Apply: invalidvalues.ChangeText(func(d string) string { return d + "abc" }),
			}).AfterRejectionOf(letters.Description).Sampled(spec.EveryOtherSeed(1)),
		})
	s.lab.RuleRejects("create.cpf.sign", Must, SectionRequest,
		"A CPF whose first digit is a sign is rejected.",
		[]lab.Probe{other("a CPF that begins with +", func(d string) any { return "+" + d[1:] })})
	s.lab.RuleRejects("create.cpf.formatted", Should, SectionRequest,
		"A CPF written with dots and a dash, or in digits of another script, is rejected: digits only.",
		[]lab.Probe{
			other("dots and a dash in the CPF",
				func(d string) any { return d[:3] + "." + d[3:6] + "." + d[6:9] + "-" + d[9:] }),
			other("a CPF in Arabic digits",
				func(d string) any { return invalidvalues.DigitsOfScript('\u0660')(d) }),
		})
	s.lab.RuleRejects("create.cpf.spaces", Should, SectionRequest,
		"A CPF with a space between its digits is rejected.",
		[]lab.Probe{other("a space inside the CPF",
			func(d string) any { return d[:6] + " " + d[6:] })})
	s.lab.RuleRejects("create.cpf.length", Should, SectionRequest,
		"A CPF of fewer or more than 11 digits is rejected.",
		[]lab.Probe{
			withCPF("a CPF of 10 digits", func(d string) any { return d[:10] }),
			withCPF("a CPF of 14 digits", func(d string) any { return d + "000" }),
		})
	s.lab.RuleRejects("create.cpf.type", Should, SectionErrors,
		"A CPF given as a JSON number is rejected.",
		[]lab.Probe{s.unlessSentAs("number", withCPF("a CPF that is a JSON number",
			func(d string) any { return representative.RawJSON(d) }))})
}

func (s *Suite) declareWrongParticipations() {
	const share = "participation_percentage"
	s.lab.RuleRejects("create.participation.below_zero", Must, SectionLimits,
		"A participation below 0 is rejected, however close to 0 it is.",
		[]lab.Probe{
			withParticipation("-0.01").InAllConfigurations(), withParticipation("-1"),
			toleratedIfEchoed(withParticipation("-0.000001"), participationInRange, isParticipationInRange),
		})
	s.lab.RuleRejects("create.participation.above_hundred", Must, SectionLimits,
		"A participation above 100 is rejected, however close to 100 it is and whatever headers are "+
			"sent.",
		[]lab.Probe{
			toleratedIfEchoed(withParticipation("100.000001"), participationInRange, isParticipationInRange).
				InAllConfigurations(),
			withParticipation("100.01"), withParticipation("1e6"), withParticipation("101"),
		})
	s.lab.RuleRejects("create.participation.type", Should, SectionErrors,
		"A participation that is a string or a boolean is rejected.",
		[]lab.Probe{
			s.unlessSentAs("string", withJSON(share, `"50"`)), withJSON(share, "true"),
			withJSON(share, "[]"),
		})
}
