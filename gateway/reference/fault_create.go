package reference

import (
	"encoding/json"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
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

func participationFaults() faults {
	const below, above, share = "participation.below_zero", "participation.above_hundred", "participation_percentage"
	exactly := func(bound int64) effect {
		return dislikes(creating, func(q *call) bool {
			n, _ := q.values[share].(json.Number)
			given, ok := exactly(n)
			return ok && given.Cmp(big.NewRat(bound, 1)) == 0
		})
	}
	return slices.Concat(mishandled(creating,
		kind("create.participation.above_accepted _500", above, "more than 100", share+".above"),
		kind("create.participation.below_accepted _200", below, "less than 0", share+".below"),
		kind("create.participation.text_accepted", "participation.type", "a participation as text", share+".type.text"),
		kind("create.participation.boolean_accepted", "participation.type",
			"a boolean as participation", share+".type.boolean"),
		kind("create.participation.decimals_rejected", "", "decimals", share+"=decimals"),
		kind("create.participation.max_off_by_a_hundredth", above, "up to 100.01", share+".above", between("0", "100.01")),
		kind("create.participation.max_101", above, "up to 101", share+".above", between("0", "101")),
		kind("create.participation.min_off_by_a_hundredth", below,
			"down to -0.01", share+".below", between("-0.01", "0")),
		kind("create.participation.min_minus_1", below, "down to -1", share+".below", between("-1", "0")),
	),
		fault("create.participation.zero_rejected", "participation.zero", "refuses exactly 0", exactly(0)),
		fault("create.participation.hundred_rejected", "participation.hundred", "refuses exactly 100", exactly(100)),
	)
}

// valueFaults are about shareholder, money, CPF, qualification, e-mail address and flags.
func valueFaults() faults {
	return slices.Concat(mishandled(creating,
		kind("create.shareholder.unknown_accepted _500", "", "a shareholder that does not exist", "shareholder_id.unknown"),
		kind("create.shareholder.foreign_accepted _500", "",
			"a shareholder of another legal person", "shareholder_id.foreign"),
		kind("create.shareholder.malformed_accepted", "",
			"a shareholder ID that is not a UUID", "shareholder_id.format shareholder_id.type"),
		kind("create.shareholder.malformed_500", "", "a shareholder ID that is not a UUID", "shareholder_id.format"),
		kind("create.shareholder.foreign_capitals_accepted", "shareholder.foreign",
			"a shareholder of another legal person written in capitals", "shareholder_id.foreign",
			of(func(id string) bool { return id != strings.ToLower(id) })),
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
	),
		fault("create.shareholder.foreign_409", "shareholder.foreign_status",
			"answers a shareholder of another legal person with a conflict",
			onDefects(creating, []string{"shareholder_id.foreign"}, withStatus(http.StatusConflict))),
		fault("create.cpf.refused", "cpf.digits", "refuses every CPF", refusing(creating, "document_number")),
	)
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

// nearlyIDs are mishandlings of identifiers that are nearly a UUID v4.
func nearlyIDs(operation operation) []mishandling {
	start := string(operation) + ".header.FIELD"
	const ofVersion, malformed = "header.FIELD.version", "header.FIELD.malformed"
	undashed := func(id string) bool { return len(id) == 32 && uuid.Validate(id) == nil }
	return []mishandling{
		kind(start+".version.undashed", ofVersion,
			"a UUID without dashes as FIELD", "header.FIELD.format", of(undashed)),
		kind(start+".version.variant", ofVersion,
			"a UUID v4 of any variant as FIELD", "header.FIELD.version",
			of(func(id string) bool { return len(id) == 36 && id[14] == '4' })),
		kind(start+".malformed.empty", malformed,
			"an empty FIELD", "header.FIELD.absent", func(value any) bool { return value == "" }),
		kind(start+".malformed.beginning", malformed,
			"text that begins with a UUID v4 as FIELD", "header.FIELD.inside",
			of(func(id string) bool { return len(id) > 36 && uuidV4Shape.MatchString(id[:36]) })),
		kind(start+".malformed.ending", malformed,
			"text that ends with a UUID v4 as FIELD", "header.FIELD.inside",
			of(func(id string) bool { return len(id) > 36 && uuidV4Shape.MatchString(id[len(id)-36:]) })),
	}
}

// narrowFaults take a request that is nearly right.
func narrowFaults() faults {
	millionth := between("-0.000001", "0.000001")
	begins := func(listed ...string) func(any) bool {
		return of(func(s string) bool {
			return slices.ContainsFunc(listed, func(l string) bool { return strings.HasPrefix(s, l) })
		})
	}
	beginning := func(listed ...string) func(any) bool {
		return of(func(s string) bool {
			return slices.ContainsFunc(listed, func(l string) bool { return strings.HasPrefix(l, s) })
		})
	}
	padded := func(listed ...string) func(any) bool {
		return of(func(s string) bool { return slices.Contains(listed, strings.TrimSpace(s)) })
	}
	all := slices.Concat(mishandled(creating,
		kind("create.participation.type.array_accepted", "participation.type",
			"an array as participation", "participation_percentage.type.array"),
		kind("create.participation.above_hundred.by_a_millionth", "participation.above_hundred",
			"up to a millionth more than 100", "participation_percentage.above", between("100", "100.000001")),
		kind("create.participation.below_zero.by_a_millionth", "participation.below_zero",
			"down to a millionth less than 0", "participation_percentage.below", millionth),
		kind("create.type.address.array_accepted", "type.address",
			"an array as address", "address.type", isKind("array")),
		kind("create.type.address.true_accepted", "type.address",
			"true as address", "address.type", isKind("boolean")),
		kind("create.qualification.unknown.beginning_accepted", "qualification.unknown",
			"words that begin with a qualification", "qualification.set", begins(qualifications...)),
		kind("create.qualification.lower_case.padded_accepted", "qualification.lower_case",
			"qualifications with spaces around them", "qualification.set", padded(qualifications...)),
		kind("create.cpf.letters.last_accepted", "cpf.letters",
			"an X as the last character of a CPF", "document_number.letters", of(func(cpf string) bool {
				return cpf == digitsOf(cpf)+"X"
			})),
		kind("create.cpf.length.of_company_accepted", "cpf.length",
			"14 digits as CPF", "document_number.length", of(func(cpf string) bool { return len(cpf) == 14 })),
		kind("create.header.on_behalf_of.unknown_accepted", "header.on_behalf_of.unknown",
			"a user who does not belong to the product, and acts for the caller", "header.on_behalf_of.unknown"),
	), mishandledEach(creating, []string{"income", "patrimony"},
		kind("create.money.FIELD.string.true_accepted", "money.FIELD.string", "a boolean as FIELD", "FIELD.type.boolean"),
		kind("create.money.FIELD.fraction.by_a_millionth", "money.FIELD.fraction",
			"up to a millionth of a cent as FIELD", "FIELD.fraction", of(func(n string) bool {
				whole, fraction, _ := strings.Cut(n, ".")
				return whole != "" && millionth(json.Number("0."+fraction))
			})),
	), mishandledEach(creating, []string{"mother_name", "phone_number", "email"},
		kind("create.type.FIELD.number_accepted", "type.FIELD", "a number as FIELD", "FIELD.type", isKind("number")),
		kind("create.type.FIELD.boolean_accepted", "type.FIELD", "a boolean as FIELD", "FIELD.type", isKind("boolean")),
	), mishandled(exporting,
		kind("export.body.order.padded_accepted", "body.order",
			"an order with blanks around it", "order.set", padded("asc", "desc")),
		kind("export.body.sort.padded_accepted", "body.sort",
			"a sort with blanks around it", "sort.set", padded(byCreated, bySettled)),
		kind("export.body.date_start.day_accepted", "body.date_start",
			"a day as date_start", "date_start.format", of(dateShape.MatchString)),
		kind("export.body.null.scalar_accepted", "body.null", "a text or a number in place of an object", "body.shape",
			of(func(body string) bool { return body != "null" && !strings.ContainsAny(body[:1], "[{") })),
		kind("export.body.array.empty_accepted", "body.array",
			"an empty array in place of an empty object", "body.shape", padded("[]")),
	), mishandledEach(exporting, []string{"sort", "order"},
		kind("export.body.FIELD.beginning_accepted", "body.FIELD",
			"the beginning of a listed FIELD", "FIELD.set", beginning(byCreated, bySettled, "asc", "desc")),
	), narrowRanges(), narrowReplays(), narrowCredentials())
	braced := kind("create.header.FIELD.version.braced", "header.FIELD.version",
		"a UUID in braces as FIELD", "header.FIELD.inside", begins("{"))
	return slices.Concat(all, mishandledEach(creating, []string{"nonce", "transaction_id"},
		append(nearlyIDs(creating), braced)...), mishandledEach(exporting, []string{"nonce"}, nearlyIDs(exporting)...))
}
