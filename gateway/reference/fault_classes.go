package reference

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// classFaults take the wrong values of a class for right ones, in every field.
func classFaults() faults {
	const (
		texts = "name document_number document_country_of_issue qualification birth_date relationship_start_date " +
			"relationship_end_date registration_update_date"
		numbers  = "income patrimony participation_percentage"
		required = "shareholder_id mother_name phone_number email"
		flags    = "pep.* is_public_server.*"
		cpf      = "document_number.*"
	)
	// wrong are the keys of whatever is wrong with fields.
	wrong := func(fields string) string { return strings.ReplaceAll(fields+" ", " ", ".* ") }
	optionalTexts := wrong(texts + " address")
	// aside matches what is no e-mail address: the other cases are about those.
	aside := func(pattern string) func(any) bool { return like("^[^@]*" + pattern + "[^@]*$") }
	wrapped := func(value any) bool {
		list, _ := value.([]any)
		fields, _ := value.(object)
		return len(list) == 1 || len(fields) == 1
	}
	notAFlag := func(value any) bool {
		list, _ := value.([]any)
		return value == "yes" || value == "false" || value == json.Number("0") || list != nil && len(list) == 0
	}
	return slices.Concat(mishandled(
		kind("create.value.second_line_accepted", "", "a right value with more on a second line", "*", aside(`\n`)),
		kind("create.value.line_end_accepted", "value.second_line", "a right value with a line end behind it", "*", like(`\n$`)),
		kind("create.value.nul_accepted", "value.control_characters", "a value up to a NUL, as C does", "*", aside(`\x00`)),
		kind("create.value.control_characters_accepted", "", "a right value with control characters", "*", aside(`[\x00\a]`)),
		kind("create.value.second_line.email_accepted", "", "an e-mail address of two lines", "email.*", like(`(?s)@.*\n|\n.*@`)),
		kind("create.value.other_digits_accepted", "", "a CPF in digits of another script", cpf, like(`[^\P{Nd}0-9]`)),
		kind("create.value.full_width_digits_accepted", "value.other_digits", "a CPF in full-width digits", cpf, like("[０-９]")),
		kind("create.value.superscript_accepted", "value.other_digits", "a CPF with a superscript", cpf, like("[⁰¹²³⁴-⁹]")),
		kind("create.value.full_width_accepted", "value.other_letters", "a date or listed value in full-width characters",
			optionalTexts, like("[！-～]")),
		kind("create.value.other_letters_accepted", "", "a date or listed value in characters that only look like its own",
			strings.Replace(optionalTexts, cpf, "", 1), like(beyondASCII)),
		kind("create.value.wrapped_accepted", "", "a required value in an array or object", wrong(required), wrapped),
		kind("create.value.wrapped.optional_accepted", "", "a value that is not required in an array or object",
			optionalTexts+wrong(numbers)+flags, wrapped),
		kind("create.value.other_type_accepted", "", "a number or boolean in place of a text", optionalTexts, isKind("number", "boolean")),
		kind("create.value.number_prefix_accepted", "", "a text that only begins like a number", wrong(numbers),
			like(`^\d+[^\d.eE]`)),
		kind("create.value.empty_number_accepted", "value.number_prefix", "an empty text as a number", wrong(numbers), like("^$")),
		kind("create.value.hexadecimal_accepted", "value.number_prefix", "a hexadecimal number as text", wrong(numbers), like("0x")),
		kind("create.value.not_a_number_accepted", "value.number_prefix", "NaN as text", wrong(numbers), like("NaN")),
		kind("create.value.not_a_flag_accepted", "", "what some languages take for true or false as a flag", flags, notAFlag),
		kind("create.value.tab_accepted", "value.blank", "a required text of tabs and line ends", "required.*", like(`\t`)),
		kind("create.value.no_break_space_accepted", "value.blank", "a required text of no-break spaces", "required.*", like(`\x{a0}`)),
		kind("create.value.blank_accepted", "", "a required text of white space", "required.*", like(`^[\s\pZ]+$`)),
	),
		reading("create.value.wrapped_object_read", "value.wrapped", "an object with one required value as it", required, inObjectOfOne),
		reading("create.value.wrapped.optional_array_read", "value.wrapped.optional",
			"an array of one right value as that value", texts+" "+numbers, inArray),
		fault("create.value.large_body_unchecked", "value.large_body", "checks nothing in a body of more than 4 KiB",
			when(func(q *call) bool { return len(q.raw) > 4<<10 }, ignoring(creating, "*"))),
		fault("create.value.key_twice_first_checked", "value.key_twice",
			"checks the first of two values of a key, and takes the last",
			onDefects(creating, []string{"qualification.*", "participation_percentage.*"}, func(q *call, i *issue) bool {
				key := i.Field[strings.LastIndexByte(i.Field, '.')+1:]
				return strings.Count(string(q.raw), strconv.Quote(key)) < 2
			})),
		ownField("create.response.own_fields_taken", "response.own_fields", "the ID of a record", "id"),
		ownField("create.response.own_fields_created_at_taken", "response.own_fields", "the date of creation", "created_at"),
		ownField("create.person_type.echoed", "person_type", "the person type", "person_type"),
	)
}

// inArray and inObjectOfOne are what an array or object holds, where that is one value.
func inArray(value any) any {
	if list, _ := value.([]any); len(list) == 1 {
		return list[0]
	}
	return value
}

func inObjectOfOne(value any) any {
	if fields, _ := value.(object); len(fields) == 1 {
		return inArray(slices.Collect(maps.Values(fields)))
	}
	return value
}

// ownField takes from a request what only the service sets.
func ownField(name, rule, what, field string) faults {
	return fault(name, rule, "takes "+what+" from the request", func(q *call, r object) {
		if given, sent := q.body[field]; sent {
			r[field] = given
		}
	})
}
