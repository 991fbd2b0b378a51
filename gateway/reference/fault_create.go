package reference

import (
	"encoding/json"
	"math/big"
	"strings"
)

// lastOf is the last part of a rule's ID: a field.
func lastOf(rule string) string { return rule[strings.LastIndexByte(rule, '.')+1:] }

func requiredFaults() []declaration {
	all := []declaration{
		hides("create.required.mother_name.absent_200", "create.required.mother_name",
			"answers a creation without mother_name with 200 and an error inside", "create:required.mother_name.absent"),
		hides("create.required.address.empty_200", "create.required.address.empty",
			"answers an empty address with 200 and an error inside", "create:required.address.empty"),
		crashes("create.required.phone_number.null_500", "create.required.phone_number.null",
			"answers null as phone_number with a server error", "create:required.phone_number.null"),
		crashes("create.type.email_500", "create.type.email", "answers an email of another JSON type with a server error",
			"create:email.type"),
	}
	for _, rule := range []string{
		"create.required.shareholder_id", "create.required.mother_name", "create.required.phone_number",
		"create.required.email", "create.required.address",
	} {
		field := lastOf(rule)
		all = append(all,
			overlooks(rule+".absent_accepted", rule, "accepts a creation without "+field, "create:required."+field+".absent"),
			crashes(rule+".absent_500", rule, "answers a creation without "+field+" with a server error",
				"create:required."+field+".absent"),
		)
	}
	for _, rule := range []string{
		"create.required.shareholder_id.null", "create.required.mother_name.null", "create.required.phone_number.null",
		"create.required.email.null", "create.required.address.null",
	} {
		all = append(all,
			overlooks(rule+"_accepted", rule, "accepts null as "+fieldOf(rule), "create:"+strings.TrimPrefix(rule, "create.")))
	}
	for _, rule := range []string{
		"create.required.shareholder_id.empty", "create.required.mother_name.empty", "create.required.phone_number.empty",
		"create.required.email.empty", "create.required.address.empty",
	} {
		all = append(all,
			overlooks(rule+"_accepted", rule, "accepts an empty "+fieldOf(rule), "create:"+strings.TrimPrefix(rule, "create.")))
	}
	for _, rule := range []string{
		"create.type.mother_name", "create.type.phone_number", "create.type.email",
		"create.type.address", "create.type.name",
	} {
		all = append(all,
			overlooks(rule+"_accepted", rule, "accepts any JSON type as "+lastOf(rule), "create:"+lastOf(rule)+".type"))
	}
	return all
}

// fieldOf is the part of a rule's ID before the last one.
func fieldOf(rule string) string { return lastOf(rule[:strings.LastIndexByte(rule, '.')]) }

func shareholderFaults() []declaration {
	return []declaration{
		overlooks("create.shareholder.unknown_accepted", "create.shareholder.unknown",
			"accepts a shareholder that does not exist", "create:shareholder_id.unknown"),
		overlooks("create.shareholder.foreign_accepted", "create.shareholder.foreign",
			"accepts a shareholder of another legal person", "create:shareholder_id.foreign"),
		overlooks("create.shareholder.malformed_accepted", "create.shareholder.malformed",
			"accepts a shareholder ID that is not a UUID", "create:shareholder_id.format", "create:shareholder_id.type"),
		crashes("create.shareholder.unknown_500", "create.shareholder.unknown",
			"answers an unknown shareholder with a server error", "create:shareholder_id.unknown"),
		crashes("create.shareholder.foreign_500", "create.shareholder.foreign",
			"answers a foreign shareholder with a server error", "create:shareholder_id.foreign"),
		crashes("create.shareholder.malformed_500", "create.shareholder.malformed",
			"answers a malformed shareholder ID with a server error", "create:shareholder_id.format"),
	}
}

// participation is the percentage that a creation gives, as far as it is a number.
func (q *call) participation() (*big.Rat, bool) {
	n, ok := q.values["participation_percentage"].(json.Number)
	if !ok {
		return nil, false
	}
	return exactly(n)
}

func participationFaults() []declaration {
	const field = "create:participation_percentage"
	within := func(low, high *big.Rat) effect {
		return onDefects([]string{field + ".above", field + ".below"}, func(q *call, i issue) []issue {
			if given, ok := q.participation(); ok && given.Cmp(low) >= 0 && given.Cmp(high) <= 0 {
				return nil
			}
			return []issue{i}
		})
	}
	exactly := func(bound int64) effect {
		return dislikes(func(q *call) bool {
			given, ok := q.participation()
			return ok && given.Cmp(big.NewRat(bound, 1)) == 0
		})
	}
	zero := new(big.Rat)
	return []declaration{
		fault("create.participation.max_off_by_a_hundredth", "create.participation.above_hundred", "accepts up to 100.01",
			within(zero, big.NewRat(10001, 100))),
		fault("create.participation.max_101", "create.participation.above_hundred", "accepts up to 101",
			within(zero, big.NewRat(101, 1))),
		overlooks("create.participation.above_accepted", "create.participation.above_hundred", "knows no upper bound",
			field+".above"),
		fault("create.participation.min_off_by_a_hundredth", "create.participation.below_zero", "accepts down to -0.01",
			within(big.NewRat(-1, 100), hundred)),
		fault("create.participation.min_minus_1", "create.participation.below_zero", "accepts down to -1",
			within(big.NewRat(-1, 1), hundred)),
		overlooks("create.participation.below_accepted", "create.participation.below_zero", "knows no lower bound",
			field+".below"),
		fault("create.participation.zero_rejected", "create.participation.zero", "refuses exactly 0", exactly(0)),
		fault("create.participation.hundred_rejected", "create.participation.hundred", "refuses exactly 100", exactly(100)),
		refuses("create.participation.decimals_rejected", "create.participation.decimals", "refuses decimals",
			field+"=decimals"),
		crashes("create.participation.above_500", "create.participation.above_hundred",
			"answers more than 100 with a server error", field+".above"),
		hides("create.participation.below_200", "create.participation.below_zero",
			"answers less than 0 with 200 and an error inside", field+".below"),
		overlooks("create.participation.text_accepted", "create.participation.type", "accepts a participation as text",
			field+".type.text"),
		overlooks("create.participation.boolean_accepted", "create.participation.type", "accepts a boolean as participation",
			field+".type.boolean"),
	}
}

func moneyFaults() []declaration {
	var all []declaration
	for _, rule := range []struct{ fraction, text, integer string }{
		{"create.money.income.fraction", "create.money.income.string", "create.money.income.integer"},
		{"create.money.patrimony.fraction", "create.money.patrimony.string", "create.money.patrimony.integer"},
	} {
		field := fieldOf(rule.fraction)
		name, key := "create.money."+field, "create:"+field
		all = append(all,
			overlooks(name+".fraction_accepted", rule.fraction, "accepts a fraction of a cent as "+field, key+".fraction"),
			overlooks(name+".text_accepted", rule.text, "accepts "+field+" as text", key+".type.text"),
			crashes(name+".text_500", rule.text, "answers "+field+" as text with a server error", key+".type.text"),
			refuses(name+".zero_rejected", rule.integer, "refuses 0 as "+field, key+"=0"),
			refuses(name+".large_rejected", rule.integer, "refuses more than 2^31-1 cents as "+field, key+"=large"),
		)
	}
	return all
}

func identityFaults() []declaration {
	all := []declaration{
		overlooks("create.cpf.punctuation_accepted", "create.cpf.formatted", "accepts a CPF with dots and a dash",
			"create:document_number.punctuation"),
		overlooks("create.cpf.letters_accepted", "create.cpf.letters", "accepts a CPF with letters",
			"create:document_number.letters"),
		overlooks("create.cpf.spaces_accepted", "create.cpf.spaces", "accepts a CPF with spaces",
			"create:document_number.spaces"),
		overlooks("create.cpf.length_accepted", "create.cpf.length", "accepts a CPF of any length",
			"create:document_number.length"),
		crashes("create.cpf.letters_500", "create.cpf.letters", "answers a CPF with letters with a server error",
			"create:document_number.letters"),
		hides("create.cpf.length_200", "create.cpf.length", "answers a CPF of another length with 200 and an error inside",
			"create:document_number.length"),
		overlooks("create.cpf.number_accepted", "create.cpf.type", "accepts a CPF as a JSON number",
			"create:document_number.type"),
		refuses("create.cpf.zero_rejected", "create.cpf.digits", "refuses a CPF that begins with a zero",
			"create:document_number=zero"),
		refuses("create.cpf.refused", "create.cpf.digits", "refuses every CPF", "create:document_number"),
		overlooks("create.qualification.unknown_accepted", "create.qualification.unknown", "accepts any qualification",
			"create:qualification.set"),
		overlooks("create.qualification.lower_case_accepted", "create.qualification.lower_case",
			"accepts qualifications in lower case", "create:qualification.case"),
		crashes("create.qualification.unknown_500", "create.qualification.unknown",
			"answers an unknown qualification with a server error", "create:qualification.set"),
		refuses("create.qualification.partner_rejected", "create.qualification.partner", "refuses PARTNER",
			"create:qualification=PARTNER"),
		refuses("create.qualification.attorney_rejected", "create.qualification.attorney", "refuses ATTORNEY",
			"create:qualification=ATTORNEY"),
		refuses("create.qualification.administrator_rejected", "create.qualification.administrator", "refuses ADMINISTRATOR",
			"create:qualification=ADMINISTRATOR"),
		refuses("create.qualification.other_rejected", "create.qualification.other", "refuses OTHER",
			"create:qualification=OTHER"),
		overlooks("create.email.no_at_accepted", "create.email.at_sign", "accepts an e-mail address without @",
			"create:email.at"),
		hides("create.email.no_at_200", "create.email.at_sign",
			"answers an e-mail address without @ with 200 and an error inside", "create:email.at"),
		overlooks("create.email.space_accepted", "create.email.spaces", "accepts an e-mail address with spaces",
			"create:email.space"),
	}
	for _, rule := range []string{"create.flags.pep", "create.flags.is_public_server"} {
		field := lastOf(rule)
		all = append(all,
			overlooks(rule+"_text_accepted", rule, "accepts "+field+" as text", "create:"+field+".text"),
			overlooks(rule+"_number_accepted", rule, "accepts "+field+" as a number", "create:"+field+".number"),
		)
	}
	return all
}

func dateFaults() []declaration {
	all := []declaration{refuses("create.dates.leap_day_rejected", "create.dates.accepted",
		"refuses 29 February of a leap year",
		"create:birth_date=leap", "create:relationship_start_date=leap", "create:relationship_end_date=leap",
		"create:registration_update_date=leap")}
	for _, rules := range [][2]string{
		{"create.dates.birth_date", "create.dates.birth_date.notation"},
		{"create.dates.relationship_start_date", "create.dates.relationship_start_date.notation"},
		{"create.dates.relationship_end_date", "create.dates.relationship_end_date.notation"},
		{"create.dates.registration_update_date", "create.dates.registration_update_date.notation"},
	} {
		rule, notation := rules[0], rules[1]
		field := lastOf(rule)
		key := "create:" + field
		all = append(all,
			overlooks(rule+"_day_accepted", rule, "accepts 30 February as "+field, key+".day"),
			overlooks(rule+"_month_accepted", rule, "accepts month 13 in "+field, key+".month"),
			overlooks(rule+"_leap_accepted", rule, "accepts 29 February of a common year as "+field, key+".leap"),
			overlooks(rule+"_thirty_first_accepted", rule, "accepts 31 April as "+field, key+".thirty_first"),
			overlooks(rule+"_zero_accepted", rule, "accepts a day or a month 00 in "+field, key+".zero"),
			overlooks(rule+"_day_32_accepted", rule, "accepts day 32 in "+field, key+".day_32"),
			overlooks(rule+"_month_first_accepted", notation, "accepts MM/DD/YYYY as "+field, key+".month_first"),
			overlooks(rule+"_slashes_accepted", notation, "accepts DD/MM/YYYY as "+field, key+".slashes"),
			overlooks(rule+"_text_accepted", rule, "accepts any text as "+field, key+".format"),
			crashes(rule+"_day_500", rule, "answers 30 February as "+field+" with a server error", key+".day"),
			overlooks(rule+"_number_accepted", notation, "accepts a number as "+field, key+".type"),
		)
	}
	return all
}
