package reference

import (
	"encoding/json"
	"math/big"
	"net/http"
	"slices"
	"strings"
)

// lastOf is the last part of a rule's ID: a field.
func lastOf(rule string) string { return rule[strings.LastIndexByte(rule, '.')+1:] }

func requiredFaults() []declaration {
	all := slices.Concat(
		mishandled("create.required.mother_name.absent", "create.required.mother_name",
			"a creation without mother_name", "_200", "required.mother_name.absent"),
		mishandled("create.required.address.empty", "", "an empty address", "_200", "required.address.empty"),
		mishandled("create.required.phone_number.null", "", "null as phone_number", "_500",
			"required.phone_number.null"),
		mishandled("create.type.email", "", "an email of another JSON type", "_500", "email.type"),
	)
	for _, rule := range []string{
		"create.required.shareholder_id", "create.required.mother_name", "create.required.phone_number",
		"create.required.email", "create.required.address",
	} {
		field, key := lastOf(rule), strings.TrimPrefix(rule, "create.")
		all = slices.Concat(all,
			mishandled(rule+".absent", rule, "a creation without "+field, "_accepted _500", key+".absent"),
			mishandled(rule+".null", "", "null as "+field, "_accepted", key+".null"),
			mishandled(rule+".empty", "", "an empty "+field, "_accepted", key+".empty"),
		)
	}
	for _, rule := range []string{
		"create.type.mother_name", "create.type.phone_number", "create.type.email", "create.type.address",
		"create.type.name",
	} {
		field := lastOf(rule)
		all = slices.Concat(all, mishandled(rule, "", "any JSON type as "+field, "_accepted", field+".type"))
	}
	return all
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
	const field, below = "create:participation_percentage", "create.participation.below_zero"
	const above, share = "create.participation.above_hundred", "participation_percentage"
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
	return append(slices.Concat(
		mishandled("create.participation.above", above, "more than 100", "_accepted _500", share+".above"),
		mishandled("create.participation.below", below, "less than 0", "_accepted _200", share+".below"),
		mishandled("create.participation.text", "create.participation.type", "a participation as text", "_accepted",
			share+".type.text"),
		mishandled("create.participation.boolean", "create.participation.type", "a boolean as participation",
			"_accepted", share+".type.boolean"),
		mishandled("create.participation.decimals", "", "decimals", "_rejected", share+"=decimals"),
	), fault("create.participation.max_off_by_a_hundredth", above, "accepts up to 100.01",
		within(zero, big.NewRat(10001, 100))),
		fault("create.participation.max_101", above, "accepts up to 101", within(zero, big.NewRat(101, 1))),
		fault("create.participation.min_off_by_a_hundredth", below, "accepts down to -0.01",
			within(big.NewRat(-1, 100), hundred)),
		fault("create.participation.min_minus_1", below, "accepts down to -1", within(big.NewRat(-1, 1), hundred)),
		fault("create.participation.zero_rejected", "create.participation.zero", "refuses exactly 0", exactly(0)),
		fault("create.participation.hundred_rejected", "create.participation.hundred", "refuses exactly 100",
			exactly(100)),
	)
}

// valueFaults are about money, CPF, qualification, e-mail address and flags.
func valueFaults() []declaration {
	const cpf, qualification = "document_number", "qualification"
	all := slices.Concat(
		mishandled("create.shareholder.unknown", "", "a shareholder that does not exist", "_accepted _500",
			"shareholder_id.unknown"),
		mishandled("create.shareholder.foreign", "", "a shareholder of another legal person", "_accepted _500",
			"shareholder_id.foreign"),
		[]declaration{fault("create.shareholder.foreign_409", "create.shareholder.foreign_status",
			"answers a shareholder of another legal person with a conflict",
			onDefects([]string{"create:shareholder_id.foreign"}, withStatus(http.StatusConflict)))},
		mishandled("create.shareholder.malformed", "", "a shareholder ID that is not a UUID", "_accepted",
			"shareholder_id.format shareholder_id.type"),
		mishandled("create.shareholder.malformed", "", "a shareholder ID that is not a UUID", "_500",
			"shareholder_id.format"),
		mishandled("create.cpf.punctuation", "create.cpf.formatted", "a CPF with dots and a dash", "_accepted",
			cpf+".punctuation"),
		mishandled("create.cpf.letters", "", "a CPF with letters", "_accepted _500", cpf+".letters"),
		mishandled("create.cpf.spaces", "", "a CPF with spaces", "_accepted", cpf+".spaces"),
		mishandled("create.cpf.length", "", "a CPF of another length", "_accepted _200", cpf+".length"),
		mishandled("create.cpf.number", "create.cpf.type", "a CPF as a JSON number", "_accepted", cpf+".type"),
		mishandled("create.cpf.zero", "create.cpf.digits", "a CPF that begins with a zero", "_rejected", cpf+"=zero"),
		mishandled("create.qualification.unknown", "", "an unknown qualification", "_accepted _500",
			qualification+".set"),
		mishandled("create.qualification.lower_case", "", "qualifications in lower case", "_accepted",
			qualification+".case"),
		mishandled("create.qualification.partner", "", "PARTNER", "_rejected", qualification+"=PARTNER"),
		mishandled("create.qualification.attorney", "", "ATTORNEY", "_rejected", qualification+"=ATTORNEY"),
		mishandled("create.qualification.administrator", "", "ADMINISTRATOR", "_rejected",
			qualification+"=ADMINISTRATOR"),
		mishandled("create.qualification.other", "", "OTHER", "_rejected", qualification+"=OTHER"),
		mishandled("create.email.no_at", "create.email.at_sign", "an e-mail address without @", "_accepted _200",
			"email.at"),
		mishandled("create.email.space", "create.email.spaces", "an e-mail address with spaces", "_accepted",
			"email.space"),
	)
	for _, rule := range []string{"create.flags.pep", "create.flags.is_public_server"} {
		field := lastOf(rule)
		all = slices.Concat(all, mishandled(rule+"_text", rule, field+" as text", "_accepted", field+".text"),
			mishandled(rule+"_number", rule, field+" as a number", "_accepted", field+".number"),
		)
	}
	for _, field := range []string{"income", "patrimony"} {
		name := "create.money." + field
		all = slices.Concat(all,
			mishandled(name+".fraction", "", "a fraction of a cent as "+field, "_accepted", field+".fraction"),
			mishandled(name+".text", name+".string", field+" as text", "_accepted _500", field+".type.text"),
			mishandled(name+".zero", name+".integer", "0 as "+field, "_rejected", field+"=0"),
			mishandled(name+".large", name+".integer", "more than 2^31-1 cents as "+field, "_rejected", field+"=large"),
		)
	}
	return append(all, fault("create.cpf.refused", "create.cpf.digits", "refuses every CPF",
		refusing([]string{"create:document_number"})))
}

func dateFaults() []declaration {
	const leap = "birth_date=leap relationship_start_date=leap relationship_end_date=leap registration_update_date=leap"
	all := slices.Concat(
		mishandled("create.dates.leap_day", "create.dates.accepted", "29 February of a leap year", "_rejected", leap),
	)
	for _, rule := range []string{
		"create.dates.birth_date", "create.dates.relationship_start_date", "create.dates.relationship_end_date",
		"create.dates.registration_update_date",
	} {
		field := lastOf(rule)
		for _, d := range []struct{ end, what, ways, key string }{
			{"_day", "30 February as ", "_accepted _500", ".day"},
			{"_month", "month 13 in ", "_accepted", ".month"},
			{"_leap", "29 February of a common year as ", "_accepted", ".leap"},
			{"_thirty_first", "31 April as ", "_accepted", ".thirty_first"},
			{"_zero", "a day or a month 00 in ", "_accepted", ".zero"},
			{"_day_32", "day 32 in ", "_accepted", ".day_32"},
			{"_month_first", "MM/DD/YYYY as ", "_accepted", ".month_first"},
			{"_slashes", "DD/MM/YYYY as ", "_accepted", ".slashes"},
			{"_text", "any text as ", "_accepted", ".format"},
			{"_number", "a number as ", "_accepted", ".type"},
		} {
			broken := rule
			if slices.Contains([]string{"_month_first", "_slashes", "_number"}, d.end) {
				broken += ".notation"
			}
			all = slices.Concat(all, mishandled(rule+d.end, broken, d.what+field, d.ways, field+d.key))
		}
	}
	return all
}
