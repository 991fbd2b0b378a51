package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// fieldFaults are about the fields of a creation, one by one.
func fieldFaults() faults {
	const share, below, above = "participation_percentage", "participation.below_zero", "participation.above_hundred"
	zero, leap := between("0", "0"), like(`^\d{4}-02-29$`)
	truthy := func(value any) any { return value != false && value != "" && value != json.Number("0") }
	listed := "(" + strings.Join(qualifications, "|") + ")"
	return slices.Concat(mishandled(
		kind("create.required.mother_name.absent_200", "required.mother_name", "a creation without mother_name", ""),
		kind("create.required.address.empty_200", "", "an empty address", ""),
		kind("create.required.phone_number.null_500", "", "null as phone_number", ""),
		kind("create.type.email_500", "", "an email of another JSON type", "email.type"),
	), mishandledEach(requiredFields,
		kind("create.required.FIELD.absent_accepted _500", "required.FIELD", "a creation without FIELD", ""),
		kind("create.required.FIELD.null_accepted", "", "null as FIELD", ""),
		kind("create.required.FIELD.empty_accepted", "", "an empty FIELD", ""),
	), mishandledEach([]string{"mother_name", "phone_number", "email", "address", "name"},
		kind("create.type.FIELD_accepted", "", "any JSON type as FIELD", "FIELD.type"),
	), mishandled(
		kind("create.shareholder.unknown_accepted _500", "", "a shareholder that does not exist", "shareholder_id.unknown"),
		kind("create.shareholder.foreign_accepted _500", "", "a shareholder of another legal person", "shareholder_id.foreign"),
		kind("create.shareholder.malformed_accepted", "", "a shareholder ID that is not a UUID", "shareholder_id.format shareholder_id.type"),
		kind("create.shareholder.malformed_500", "", "a shareholder ID that is not a UUID", "shareholder_id.format"),
		kind("create.shareholder.foreign_capitals_accepted", "shareholder.foreign",
			"a shareholder of another legal person written in capitals", "shareholder_id.foreign", like("[A-F]")),
		kind("create.cpf.punctuation_accepted", "cpf.formatted", "a CPF with dots and a dash", "document_number.punctuation", like(`^\d`)),
		kind("create.cpf.letters_accepted _500", "", "a CPF with letters", "document_number.letters"),
		kind("create.cpf.sign_accepted", "", "a CPF that begins with a sign", "document_number.punctuation", like("^[+-]")),
		kind("create.cpf.line_end_accepted", "value.second_line.cpf", "a CPF with a line end behind it", "document_number.spaces", like("\n$")),
		kind("create.cpf.spaces_accepted", "", "a CPF with spaces", "document_number.spaces", like(`\d \d`)),
		kind("create.cpf.length_accepted _200", "", "a CPF of another length", "document_number.length"),
		kind("create.cpf.length.of_company_accepted", "cpf.length", "14 digits as CPF", "document_number.length", like("^.{14}$")),
		kind("create.cpf.number_accepted", "cpf.type", "a CPF as a JSON number", "document_number.type"),
		kind("create.cpf.zero_rejected", "cpf.digits", "a CPF that begins with a zero", "document_number", like("^0")),
		kind("create.qualification.unknown_accepted _500", "", "an unknown qualification", "qualification.set"),
		kind("create.qualification.unknown.beginning_accepted", "qualification.unknown", "words that begin with a qualification",
			"qualification.set", like("^"+listed)),
		kind("create.qualification.lower_case_accepted", "", "qualifications in lower case", "qualification.case"),
		kind("create.qualification.lower_case.padded_accepted", "qualification.lower_case",
			"qualifications with spaces around them", "qualification.set", like("^ *"+listed+" *$")),
		kind("create.qualification.partner_rejected", "", "PARTNER", "qualification", is("PARTNER")),
		kind("create.qualification.attorney_rejected", "", "ATTORNEY", "qualification", is("ATTORNEY")),
		kind("create.qualification.administrator_rejected", "", "ADMINISTRATOR", "qualification", is("ADMINISTRATOR")),
		kind("create.qualification.other_rejected", "", "OTHER", "qualification", is("OTHER")),
		kind("create.email.no_at_accepted _200", "email.at_sign", "an e-mail address without @", "email.at"),
		kind("create.email.space_accepted", "email.spaces", "an e-mail address with spaces", "email.space"),
	), mishandledEach(flagFields,
		kind("create.flags.FIELD_text_accepted", "flags.FIELD", "FIELD as text", "FIELD.text"),
		kind("create.flags.FIELD_number_accepted", "flags.FIELD", "FIELD as a number", "FIELD.number"),
	), mishandledEach(moneyFields,
		kind("create.money.FIELD.fraction_accepted", "", "a fraction of a cent as FIELD", "FIELD.fraction"),
		kind("create.money.FIELD.text_accepted _500", "money.FIELD.string", "FIELD as text", "FIELD.type.text"),
		kind("create.money.FIELD.zero_rejected", "money.FIELD.integer", "0 as FIELD", "FIELD", zero),
		kind("create.money.FIELD.large_rejected", "money.FIELD.integer", "more than 2^31-1 cents as FIELD",
			"FIELD", between("2147483648", "1e30")),
	), mishandled(
		kind("create.participation.above_accepted _500", above, "more than 100", share+".above"),
		kind("create.participation.below_accepted _200", below, "less than 0", share+".below"),
		kind("create.participation.text_accepted", "participation.type", "a participation as text", share+".type.text"),
		kind("create.participation.boolean_accepted", "participation.type", "a boolean as participation", share+".type.boolean"),
		kind("create.participation.decimals_rejected", "", "decimals", share, like(`\.\d*[1-9]`)),
		kind("create.participation.max_off_by_a_hundredth", above, "up to 100.01", share+".above", between("0", "100.01")),
		kind("create.participation.max_101", above, "up to 101", share+".above", between("0", "101")),
		kind("create.participation.above_hundred.by_a_millionth", above, "up to a millionth more than 100", share+".above",
			between("100", "100.000001")),
		kind("create.participation.min_off_by_a_hundredth", below, "down to -0.01", share+".below", between("-0.01", "0")),
		kind("create.participation.min_minus_1", below, "down to -1", share+".below", between("-1", "0")),
		kind("create.participation.zero_rejected", "", "exactly 0", share, zero),
		kind("create.participation.hundred_rejected", "", "exactly 100", share, between("100", "100")),
		kind("create.dates.leap_day_rejected", "dates.accepted", "29 February of a leap year", strings.Join(dateFields, " "), leap),
	), mishandledEach(dateFields,
		kind("create.dates.FIELD_day_accepted _500", "dates.FIELD", "30 February as FIELD", "FIELD.day"),
		kind("create.dates.FIELD_month_accepted", "dates.FIELD", "month 13 in FIELD", "FIELD.month"),
		kind("create.dates.FIELD_leap_accepted", "dates.FIELD", "29 February of a common year as FIELD", "FIELD.leap"),
		kind("create.dates.FIELD_thirty_first_accepted", "dates.FIELD", "31 April as FIELD", "FIELD.thirty_first"),
		kind("create.dates.FIELD_zero_accepted", "dates.FIELD", "a day or a month 00 in FIELD", "FIELD.zero"),
		kind("create.dates.FIELD_day_32_accepted", "dates.FIELD", "day 32 in FIELD", "FIELD.day_32"),
		kind("create.dates.FIELD_month_first_accepted", "dates.FIELD.notation", "MM/DD/YYYY as FIELD", "FIELD.month_first"),
		kind("create.dates.FIELD_slashes_accepted", "dates.FIELD.notation", "DD/MM/YYYY as FIELD", "FIELD.slashes"),
		kind("create.dates.FIELD_text_accepted", "dates.FIELD", "any text as FIELD", "FIELD.format"),
		kind("create.dates.FIELD_number_accepted", "dates.FIELD.notation", "a number as FIELD", "FIELD.type"),
	),
		fault("create.shareholder.foreign_409", "shareholder.foreign_status",
			"answers a shareholder of another legal person with a conflict",
			onDefects(creating, []string{"shareholder_id.foreign"}, withStatus(http.StatusConflict))),
		fault("create.flags.false_refused", "flags.accepted", "takes flags that are false for missing ones",
			refusing(creating, is(false), flagFields...)),
		fault("create.cpf.refused", "cpf.digits", "refuses every CPF", refusing(creating, nil, "document_number")),
		reading("create.cpf.number_read", "cpf.type", "a number as the text of a CPF", "document_number", asText),
		reading("create.participation.beginning_read", "participation.type", "the number that a text begins with as a participation",
			share, asNumber),
		forEach(moneyFields, func(money string) faults {
			return slices.Concat(
				reading("create.money."+money+".beginning_read", "money."+money+".string",
					"the number that a text begins with as "+money, money, asNumber),
				reading("create.money."+money+".rounded", "money."+money+".fraction", "fractions of a cent of "+money+" as whole ones",
					money, decimal(0)))
		}),
		forEach(flagFields, func(flag string) faults {
			return reading("create.flags."+flag+"_truthy", "flags."+flag, "any text, number or list as true for "+flag, flag, truthy)
		}),
		forEach([]string{"mother_name", "phone_number", "name"}, func(text string) faults {
			return reading("create.type."+text+".scalar_read", "type."+text, "a number or a boolean as the text of "+text, text, asText)
		}),
	)
}

// reading declares a fault that takes the values of some fields for others.
func reading(name, rule, what, fields string, other any) faults {
	return fault(name, rule, "reads "+what, reads(fields, other))
}

// asText reads a number or a boolean as the text that it is written as.
func asText(value any) any {
	if isKind("number", "boolean")(value) {
		return fmt.Sprint(value)
	}
	return value
}

var numberInFront = regexp.MustCompile(`^\d+(\.\d+)?`)

// asNumber reads the number that a text begins with.
func asNumber(value any) any {
	text, _ := value.(string)
	if found := numberInFront.FindString(text); found != "" {
		return json.Number(found)
	}
	return value
}
