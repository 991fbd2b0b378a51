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
		kind("required.mother_name.absent", "required.mother_name", "a creation without mother_name", "_200", ""),
		kind("required.address.empty", "", "an empty address", "_200", ""),
		kind("required.phone_number.null", "", "null as phone_number", "_500", ""),
		kind("type.email", "", "an email of another JSON type", "_500", "email.type"),
	), mishandledEach(creating, requiredFields,
		kind("required.FIELD.absent", "required.FIELD", "a creation without FIELD", "_accepted _500", ""),
		kind("required.FIELD.null", "", "null as FIELD", "_accepted", ""),
		kind("required.FIELD.empty", "", "an empty FIELD", "_accepted", ""),
	), mishandledEach(creating, []string{"mother_name", "phone_number", "email", "address", "name"},
		kind("type.FIELD", "", "any JSON type as FIELD", "_accepted", "FIELD.type"),
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
		kind("participation.above", "participation.above_hundred", "more than 100", "_accepted _500",
			"participation_percentage.above"),
		kind("participation.below", "participation.below_zero", "less than 0", "_accepted _200",
			"participation_percentage.below"),
		kind("participation.text", "participation.type", "a participation as text", "_accepted",
			"participation_percentage.type.text"),
		kind("participation.boolean", "participation.type", "a boolean as participation", "_accepted",
			"participation_percentage.type.boolean"),
		kind("participation.decimals", "", "decimals", "_rejected", "participation_percentage=decimals"),
	), under("create.participation.",
		fault("max_off_by_a_hundredth", above, "accepts up to 100.01", between(new(big.Rat), big.NewRat(10001, 100))),
		fault("max_101", above, "accepts up to 101", between(new(big.Rat), big.NewRat(101, 1))),
		fault("min_off_by_a_hundredth", below, "accepts down to -0.01", between(big.NewRat(-1, 100), hundred)),
		fault("min_minus_1", below, "accepts down to -1", between(big.NewRat(-1, 1), hundred)),
		fault("zero_rejected", "zero", "refuses exactly 0", exactly(0)),
		fault("hundred_rejected", "hundred", "refuses exactly 100", exactly(100)),
	)...)
}

// valueFaults are about money, CPF, qualification, e-mail address and flags.
func valueFaults() faults {
	return slices.Concat(mishandled(creating,
		kind("shareholder.unknown", "", "a shareholder that does not exist", "_accepted _500",
			"shareholder_id.unknown"),
		kind("shareholder.foreign", "", "a shareholder of another legal person", "_accepted _500",
			"shareholder_id.foreign"),
	), under("create.", fault("shareholder.foreign_409", "shareholder.foreign_status",
		"answers a shareholder of another legal person with a conflict",
		onDefects(creating, []string{"shareholder_id.foreign"}, withStatus(http.StatusConflict))),
	), mishandled(creating,
		kind("shareholder.malformed", "", "a shareholder ID that is not a UUID", "_accepted",
			"shareholder_id.format shareholder_id.type"),
		kind("shareholder.malformed", "", "a shareholder ID that is not a UUID", "_500", "shareholder_id.format"),
		kind("cpf.punctuation", "cpf.formatted", "a CPF with dots and a dash", "_accepted",
			"document_number.punctuation"),
		kind("cpf.letters", "", "a CPF with letters", "_accepted _500", "document_number.letters"),
		kind("cpf.spaces", "", "a CPF with spaces", "_accepted", "document_number.spaces"),
		kind("cpf.length", "", "a CPF of another length", "_accepted _200", "document_number.length"),
		kind("cpf.number", "cpf.type", "a CPF as a JSON number", "_accepted", "document_number.type"),
		kind("cpf.zero", "cpf.digits", "a CPF that begins with a zero", "_rejected", "document_number=zero"),
		kind("qualification.unknown", "", "an unknown qualification", "_accepted _500", "qualification.set"),
		kind("qualification.lower_case", "", "qualifications in lower case", "_accepted", "qualification.case"),
		kind("qualification.partner", "", "PARTNER", "_rejected", "qualification=PARTNER"),
		kind("qualification.attorney", "", "ATTORNEY", "_rejected", "qualification=ATTORNEY"),
		kind("qualification.administrator", "", "ADMINISTRATOR", "_rejected", "qualification=ADMINISTRATOR"),
		kind("qualification.other", "", "OTHER", "_rejected", "qualification=OTHER"),
		kind("email.no_at", "email.at_sign", "an e-mail address without @", "_accepted _200", "email.at"),
		kind("email.space", "email.spaces", "an e-mail address with spaces", "_accepted", "email.space"),
	), mishandledEach(creating, []string{"pep", "is_public_server"},
		kind("flags.FIELD_text", "flags.FIELD", "FIELD as text", "_accepted", "FIELD.text"),
		kind("flags.FIELD_number", "flags.FIELD", "FIELD as a number", "_accepted", "FIELD.number"),
	), mishandledEach(creating, []string{"income", "patrimony"},
		kind("money.FIELD.fraction", "", "a fraction of a cent as FIELD", "_accepted", "FIELD.fraction"),
		kind("money.FIELD.text", "money.FIELD.string", "FIELD as text", "_accepted _500", "FIELD.type.text"),
		kind("money.FIELD.zero", "money.FIELD.integer", "0 as FIELD", "_rejected", "FIELD=0"),
		kind("money.FIELD.large", "money.FIELD.integer", "more than 2^31-1 cents as FIELD", "_rejected",
			"FIELD=large"),
	), under("create.", fault("cpf.refused", "cpf.digits", "refuses every CPF", refusing(creating, "document_number"))))
}

// dateFields are those of a creation that hold a date.
var dateFields = []string{
	"birth_date", "relationship_start_date", "relationship_end_date", "registration_update_date",
}

func dateFaults() faults {
	const leap = "birth_date=leap relationship_start_date=leap relationship_end_date=leap registration_update_date=leap"
	return append(mishandled(creating,
		kind("dates.leap_day", "dates.accepted", "29 February of a leap year", "_rejected", leap),
	), mishandledEach(creating, dateFields,
		kind("dates.FIELD_day", "dates.FIELD", "30 February as FIELD", "_accepted _500", "FIELD.day"),
		kind("dates.FIELD_month", "dates.FIELD", "month 13 in FIELD", "_accepted", "FIELD.month"),
		kind("dates.FIELD_leap", "dates.FIELD", "29 February of a common year as FIELD", "_accepted",
			"FIELD.leap"),
		kind("dates.FIELD_thirty_first", "dates.FIELD", "31 April as FIELD", "_accepted", "FIELD.thirty_first"),
		kind("dates.FIELD_zero", "dates.FIELD", "a day or a month 00 in FIELD", "_accepted", "FIELD.zero"),
		kind("dates.FIELD_day_32", "dates.FIELD", "day 32 in FIELD", "_accepted", "FIELD.day_32"),
		kind("dates.FIELD_month_first", "dates.FIELD.notation", "MM/DD/YYYY as FIELD", "_accepted",
			"FIELD.month_first"),
		kind("dates.FIELD_slashes", "dates.FIELD.notation", "DD/MM/YYYY as FIELD", "_accepted",
			"FIELD.slashes"),
		kind("dates.FIELD_text", "dates.FIELD", "any text as FIELD", "_accepted", "FIELD.format"),
		kind("dates.FIELD_number", "dates.FIELD.notation", "a number as FIELD", "_accepted", "FIELD.type"),
	)...)
}
