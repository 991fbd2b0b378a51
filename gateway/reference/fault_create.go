package reference

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// fieldFaults are about the fields of a creation, one by one.
func fieldFaults() faults {
	const share, below, above = "participation_percentage", "participation.below_zero", "participation.above_hundred"
	zero, leap := between("0", "0"), of(func(s string) bool { return dateShape.MatchString(s) && s[5:] == "02-29" })
	fraction := of(func(s string) bool { n, ok := exactly(json.Number(s)); return ok && !n.IsInt() })
	inCapitals := of(func(id string) bool { return id != strings.ToLower(id) })
	truthy := func(value any) (any, bool) { return value != "" && value != json.Number("0"), true }
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
			"a shareholder of another legal person written in capitals", "shareholder_id.foreign", inCapitals),
		kind("create.cpf.punctuation_accepted", "cpf.formatted", "a CPF with dots and a dash", "document_number.punctuation"),
		kind("create.cpf.letters_accepted _500", "", "a CPF with letters", "document_number.letters"),
		kind("create.cpf.spaces_accepted", "", "a CPF with spaces", "document_number.spaces"),
		kind("create.cpf.length_accepted _200", "", "a CPF of another length", "document_number.length"),
		kind("create.cpf.number_accepted", "cpf.type", "a CPF as a JSON number", "document_number.type"),
		kind("create.cpf.zero_rejected", "cpf.digits", "a CPF that begins with a zero", "document_number",
			of(func(s string) bool { return strings.HasPrefix(s, "0") })),
		kind("create.qualification.unknown_accepted _500", "", "an unknown qualification", "qualification.set"),
		kind("create.qualification.lower_case_accepted", "", "qualifications in lower case", "qualification.case"),
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
		kind("create.participation.decimals_rejected", "", "decimals", share, fraction),
		kind("create.participation.max_off_by_a_hundredth", above, "up to 100.01", share+".above", between("0", "100.01")),
		kind("create.participation.max_101", above, "up to 101", share+".above", between("0", "101")),
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
		fault("create.cpf.refused", "cpf.digits", "refuses every CPF", refusing(creating, nil, "document_number")),
		lenient("create.cpf.number_read", "cpf.type", "a number as the text of a CPF", "document_number.type", asText),
		lenient("create.participation.beginning_read", "participation.type",
			"the number that a text begins with as a participation", share+".type.*", asNumber),
		forEach(moneyFields, func(field string) faults {
			return append(lenient("create.money."+field+".beginning_read", "money."+field+".string",
				"the number that a text begins with as "+field, field+".type.*", asNumber),
				fault("create.money."+field+".rounded", "money."+field+".fraction", "rounds fractions of a cent of "+field,
					understood(rounded, field+".fraction"))...)
		}),
		forEach(flagFields, func(field string) faults {
			return lenient("create.flags."+field+"_truthy", "flags."+field, "any text, number or list as true for "+field,
				field+".*", truthy)
		}),
		forEach([]string{"mother_name", "phone_number", "email", "name"}, func(field string) faults {
			return lenient("create.type."+field+".scalar_read", "type."+field, "a number or a boolean as the text of "+field,
				field+".type", asText)
		}),
	)
}

// lenient declares a fault that reads wrong values as others, where what is wrong with them is under one of some keys.
func lenient(name, rule, what, keys string, other func(value any) (any, bool)) faults {
	return fault(name, rule, "reads "+what, understood(other, strings.Fields(keys)...))
}

// asText reads a number or a boolean as the text that it is written as.
func asText(value any) (any, bool) { return fmt.Sprint(value), isKind("number", "boolean")(value) }

var numberInFront = regexp.MustCompile(`^\d+(\.\d+)?`)

// asNumber reads the number that a text begins with.
func asNumber(value any) (any, bool) {
	text, _ := value.(string)
	found := numberInFront.FindString(text)
	return json.Number(found), found != ""
}

func rounded(value any) (any, bool) {
	f, err := value.(json.Number).Float64()
	return json.Number(strconv.FormatFloat(math.Round(f), 'f', 0, 64)), err == nil
}

// narrowFaults take a request that is nearly right, or show for some requests only.
func narrowFaults() faults {
	begins := of(func(s string) bool {
		return slices.ContainsFunc(qualifications, func(listed string) bool { return strings.HasPrefix(s, listed) })
	})
	long := func(n int) func(any) bool { return of(func(s string) bool { return len(s) == n }) }
	nearlyIDs := func(operation operation) []mishandling {
		name := string(operation) + ".header.FIELD."
		return []mishandling{
			kind(name+"version.undashed", "header.FIELD.version", "a UUID without dashes as FIELD", "header.FIELD.format", long(32)),
			kind(name+"version.braced", "header.FIELD.version", "a UUID in braces as FIELD", "header.FIELD.inside", has("{")),
			kind(name+"malformed.empty", "header.FIELD.malformed", "an empty FIELD", "header.FIELD.absent", anyOf("")),
		}
	}
	someLost := kept(func(_ *choice, quotes []*quote) []*quote {
		return slices.DeleteFunc(quotes, func(q *quote) bool { return q.id < "4" })
	})
	return slices.Concat(mishandled(
		kind("create.participation.above_hundred.by_a_millionth", "participation.above_hundred",
			"up to a millionth more than 100", "participation_percentage.above", between("100", "100.000001")),
		kind("create.qualification.unknown.beginning_accepted", "qualification.unknown",
			"words that begin with a qualification", "qualification.set", begins),
		kind("create.qualification.lower_case.padded_accepted", "qualification.lower_case",
			"qualifications with spaces around them", "qualification.set", anyOf(qualifications...)),
		kind("create.cpf.length.of_company_accepted", "cpf.length", "14 digits as CPF", "document_number.length", long(14)),
		kind("create.header.on_behalf_of.unknown_accepted", "header.on_behalf_of.unknown",
			"a user who does not belong to the product, and acts for the caller", "header.on_behalf_of.unknown"),
		kind("export.body.order.padded_accepted", "body.order", "an order with blanks around it", "order.set", anyOf("asc", "desc")),
		kind("export.body.sort.padded_accepted", "body.sort", "a sort with blanks around it", "sort.set", anyOf(byCreated, bySettled)),
		kind("export.body.date_start.day_accepted", "body.date_start", "a day as date_start", "date_start.format", of(dateShape.MatchString)),
		kind("export.body.array.empty_accepted", "body.array", "an empty array in place of an empty object", "body.shape", anyOf("[]")),
	), mishandledEach([]string{"nonce", "transaction_id"}, nearlyIDs(creating)...), mishandledEach([]string{"nonce"}, nearlyIDs(exporting)...),
		fault("create.header.together.product_rejected", "header.together", "refuses a product for an API key",
			when((*call).byAPIKey, refusing(creating, nil, "header.product"))),
		fault("export.method.some_lost", "method.same_rows", "loses a quarter of the quotes for an API key",
			under((*call).byAPIKey, someLost)),
		fault("export.header.language.some_lost", "header.language.rows", "loses a quarter of the quotes when en-US is preferred",
			under(func(q *call) bool { return q.preferred() == "en-US" }, someLost)),
		fault("export.file.again.newest", "file.again", "gives the newest file of a user in place of one that is fetched again", newestFile()),
		fault("replay.none.same.passes_empty", "none.same", "with no replay value, never blocks a request with an empty body",
			when(spelling(0).sends, when(func(q *call) bool { return len(q.body) == 0 }, forgetting))),
		fault("replay.nonce.other_nonce.beginning", "nonce.other_nonce", "compares the first eight characters of the nonce",
			func(s *sighting) { s.nonce = s.nonce[:min(8, len(s.nonce))] }),
		fault("auth.api_key.altered.any_case", "api_key.altered", "compares API keys without case",
			takesKeys(strings.EqualFold)),
		fault("auth.bearer.signature.any_case", "bearer.signature", "compares signatures without case",
			believes(func(f forgery) bool { return f.other() && strings.EqualFold(f.signature, f.genuine[2]) })),
	)
}
