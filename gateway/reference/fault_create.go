package reference

import (
	"encoding/json"
	"math/big"
	"net/http"
	"slices"
)

// requiredFields are those that a creation must give.
var requiredFields = []string{"shareholder_id", "mother_name", "phone_number", "email", "address"}

func requiredFaults() faults {
	return slices.Concat(mishandled(creating,
		kind("create.required.mother_name.absent_200", "required.mother_name", "a creation without mother_name", ""),
		kind("create.required.address.empty_200", "", "an empty address", ""),
		kind("create.required.phone_number.null_500", "", "null as phone_number", ""),
		kind("create.type.email_500", "", "an email of another JSON type", "email.type"),
	), mishandledEach(creating, requiredFields,
		kind("create.required.FIELD.absent_accepted _500", "required.FIELD", "a creation without FIELD", ""),
		kind("create.required.FIELD.null_accepted", "", "null as FIELD", ""),
		kind("create.required.FIELD.empty_accepted", "", "an empty FIELD", ""),
	), mishandledEach(creating, []string{"mother_name", "phone_number", "email", "address", "name"},
		kind("create.type.FIELD_accepted", "", "any JSON type as FIELD", "FIELD.type"),
	))
}

// participation is the percentage that a creation gives, as far as it is a number.
func (q *call) participation() (*big.Rat, bool) {
	n, ok := q.values["participation_percentage"].(json.Number)
	if !ok {
		return nil, false
	}
	return exactly(n)
}

// between accepts participations up to other bounds.
func between(low, high *big.Rat) effect {
	return ignoring(creating, "participation_percentage.above", "participation_percentage.below").when(
		func(q *call) bool {
			given, ok := q.participation()
			return ok && given.Cmp(low) >= 0 && given.Cmp(high) <= 0
		})
}

func participationFaults() faults {
	const below, above = "below_zero", "above_hundred"
	exactly := func(bound int64) effect {
		return dislikes(creating, func(q *call) bool {
			given, ok := q.participation()
			return ok && given.Cmp(big.NewRat(bound, 1)) == 0
		})
	}
	return append(mishandled(creating,
		kind("create.participation.above_accepted _500", "participation.above_hundred",
			"more than 100", "participation_percentage.above"),
		kind("create.participation.below_accepted _200", "participation.below_zero",
			"less than 0", "participation_percentage.below"),
		kind("create.participation.text_accepted", "participation.type",
			"a participation as text", "participation_percentage.type.text"),
		kind("create.participation.boolean_accepted", "participation.type",
			"a boolean as participation", "participation_percentage.type.boolean"),
		kind("create.participation.decimals_rejected", "", "decimals", "participation_percentage=decimals"),
	), under("create.participation.",
		fault("create.participation.max_off_by_a_hundredth", above, "accepts up to 100.01",
			between(new(big.Rat), big.NewRat(10001, 100))),
		fault("create.participation.max_101", above, "accepts up to 101", between(new(big.Rat), big.NewRat(101, 1))),
		fault("create.participation.min_off_by_a_hundredth", below, "accepts down to -0.01",
			between(big.NewRat(-1, 100), hundred)),
		fault("create.participation.min_minus_1", below, "accepts down to -1", between(big.NewRat(-1, 1), hundred)),
		fault("create.participation.zero_rejected", "zero", "refuses exactly 0", exactly(0)),
		fault("create.participation.hundred_rejected", "hundred", "refuses exactly 100", exactly(100)),
	)...)
}

// valueFaults are about money, CPF, qualification, e-mail address and flags.
func valueFaults() faults {
	return slices.Concat(mishandled(creating,
		kind("create.shareholder.unknown_accepted _500", "",
			"a shareholder that does not exist", "shareholder_id.unknown"),
		kind("create.shareholder.foreign_accepted _500", "",
			"a shareholder of another legal person", "shareholder_id.foreign"),
	), under("create.", fault("create.shareholder.foreign_409", "shareholder.foreign_status",
		"answers a shareholder of another legal person with a conflict",
		onDefects(creating, []string{"shareholder_id.foreign"}, withStatus(http.StatusConflict))),
	), mishandled(creating,
		kind("create.shareholder.malformed_accepted", "",
			"a shareholder ID that is not a UUID", "shareholder_id.format shareholder_id.type"),
		kind("create.shareholder.malformed_500", "", "a shareholder ID that is not a UUID", "shareholder_id.format"),
		kind("create.cpf.punctuation_accepted", "cpf.formatted",
			"a CPF with dots and a dash", "document_number.punctuation"),
		kind("create.cpf.letters_accepted _500", "", "a CPF with letters", "document_number.letters"),
		kind("create.cpf.spaces_accepted", "", "a CPF with spaces", "document_number.spaces"),
		kind("create.cpf.length_accepted _200", "", "a CPF of another length", "document_number.length"),
		kind("create.cpf.number_accepted", "cpf.type", "a CPF as a JSON number", "document_number.type"),
		kind("create.cpf.zero_rejected", "cpf.digits", "a CPF that begins with a zero", "document_number=zero"),
		kind("create.qualification.unknown_accepted _500", "", "an unknown qualification", "qualification.set"),
		kind("create.qualification.lower_case_accepted", "", "qualifications in lower case", "qualification.case"),
		kind("create.qualification.partner_rejected", "", "PARTNER", "qualification=PARTNER"),
		kind("create.qualification.attorney_rejected", "", "ATTORNEY", "qualification=ATTORNEY"),
		kind("create.qualification.administrator_rejected", "", "ADMINISTRATOR", "qualification=ADMINISTRATOR"),
		kind("create.qualification.other_rejected", "", "OTHER", "qualification=OTHER"),
		kind("create.email.no_at_accepted _200", "email.at_sign", "an e-mail address without @", "email.at"),
		kind("create.email.space_accepted", "email.spaces", "an e-mail address with spaces", "email.space"),
	), mishandledEach(creating, []string{"pep", "is_public_server"},
		kind("create.flags.FIELD_text_accepted", "flags.FIELD", "FIELD as text", "FIELD.text"),
		kind("create.flags.FIELD_number_accepted", "flags.FIELD", "FIELD as a number", "FIELD.number"),
	), mishandledEach(creating, []string{"income", "patrimony"},
		kind("create.money.FIELD.fraction_accepted", "", "a fraction of a cent as FIELD", "FIELD.fraction"),
		kind("create.money.FIELD.text_accepted _500", "money.FIELD.string", "FIELD as text", "FIELD.type.text"),
		kind("create.money.FIELD.zero_rejected", "money.FIELD.integer", "0 as FIELD", "FIELD=0"),
		kind("create.money.FIELD.large_rejected", "money.FIELD.integer",
			"more than 2^31-1 cents as FIELD", "FIELD=large"),
	), under("create.", fault("create.cpf.refused", "cpf.digits", "refuses every CPF",
		refusing(creating, "document_number"))))
}

// dateFields are those of a creation that hold a date.
var dateFields = []string{
	"birth_date", "relationship_start_date", "relationship_end_date", "registration_update_date",
}

func dateFaults() faults {
	const leap = "birth_date=leap relationship_start_date=leap relationship_end_date=leap registration_update_date=leap"
	return append(mishandled(creating,
		kind("create.dates.leap_day_rejected", "dates.accepted", "29 February of a leap year", leap),
	), mishandledEach(creating, dateFields,
		kind("create.dates.FIELD_day_accepted _500", "dates.FIELD", "30 February as FIELD", "FIELD.day"),
		kind("create.dates.FIELD_month_accepted", "dates.FIELD", "month 13 in FIELD", "FIELD.month"),
		kind("create.dates.FIELD_leap_accepted", "dates.FIELD", "29 February of a common year as FIELD", "FIELD.leap"),
		kind("create.dates.FIELD_thirty_first_accepted", "dates.FIELD", "31 April as FIELD", "FIELD.thirty_first"),
		kind("create.dates.FIELD_zero_accepted", "dates.FIELD", "a day or a month 00 in FIELD", "FIELD.zero"),
		kind("create.dates.FIELD_day_32_accepted", "dates.FIELD", "day 32 in FIELD", "FIELD.day_32"),
		kind("create.dates.FIELD_month_first_accepted", "dates.FIELD.notation",
			"MM/DD/YYYY as FIELD", "FIELD.month_first"),
		kind("create.dates.FIELD_slashes_accepted", "dates.FIELD.notation", "DD/MM/YYYY as FIELD", "FIELD.slashes"),
		kind("create.dates.FIELD_text_accepted", "dates.FIELD", "any text as FIELD", "FIELD.format"),
		kind("create.dates.FIELD_number_accepted", "dates.FIELD.notation", "a number as FIELD", "FIELD.type"),
	)...)
}
