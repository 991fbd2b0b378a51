package reference

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// classFaults take the wrong values of a class for right ones, in every field.
func classFaults() faults {
	const (
		optionalTexts = "name.* document_number.* document_country_of_issue.* qualification.* birth_date.* " +
			"relationship_start_date.* relationship_end_date.* registration_update_date.* address.*"
		numbers  = "income.* patrimony.* participation_percentage.*"
		flags    = "pep.* is_public_server.*"
		required = "shareholder_id.* mother_name.* phone_number.* email.*"
		cpf      = "document_number.*"
	)
	// aside holds for what is no e-mail address: the other cases are about those.
	aside := func(holds func(any) bool) func(any) bool {
		return func(value any) bool { return holds(value) && !has("@")(value) }
	}
	wrapped := func(value any) bool {
		list, _ := value.([]any)
		fields, _ := value.(object)
		return len(list) == 1 || len(fields) == 1
	}
	notAFlag := func(value any) bool {
		list, _ := value.([]any)
		return value == "yes" || value == "false" || value == json.Number("0") || list != nil && len(list) == 0
	}
	number := regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)
	control := func(s string) bool { return strings.ContainsAny(s, "\x00\a") }
	otherDigit := func(c rune) bool { return c > unicode.MaxASCII && unicode.IsDigit(c) }
	return slices.Concat(mishandled(
		kind("create.value.second_line_accepted", "", "a right value with more on a second line", "*", aside(has("\n"))),
		kind("create.value.line_end_accepted", "value.second_line", "a right value with a line end behind it", "*",
			of(func(s string) bool { return strings.HasSuffix(s, "\n") })),
		kind("create.value.nul_accepted", "value.control_characters", "a value up to a NUL, as C does", "*", aside(has("\x00"))),
		kind("create.value.bell_accepted", "value.control_characters", "a value with a BEL in it", "*", aside(has("\a"))),
		kind("create.value.control_characters_accepted", "", "a right value with control characters", "*", aside(of(control))),
		kind("create.value.second_line.email_accepted", "", "an e-mail address of two lines", "email.*",
			of(func(s string) bool { return strings.Contains(s, "@") && strings.Contains(s, "\n") })),
		kind("create.value.other_digits_accepted", "", "a CPF in digits of another script", cpf,
			of(func(s string) bool { return strings.ContainsFunc(s, otherDigit) })),
		kind("create.value.arabic_digits_accepted", "value.other_digits", "a CPF in Arabic digits", cpf, among('\u0660', '\u0669')),
		kind("create.value.full_width_digits_accepted", "value.other_digits", "a CPF in full-width digits", cpf, among('\uff10', '\uff19')),
		kind("create.value.superscript_accepted", "value.other_digits", "a CPF with a superscript", cpf, has("²")),
		kind("create.value.full_width_accepted", "value.other_letters", "a date or listed value in full-width characters",
			optionalTexts, among('\uff01', '\uff5e')),
		kind("create.value.other_letters_accepted", "", "a date or listed value in characters that only look like its own",
			optionalTexts, of(func(s string) bool { return beyondASCII(s) && utf8.RuneCountInString(s) != 11 })),
		kind("create.value.wrapped_accepted", "", "a required value in an array or object", required, wrapped),
		kind("create.value.wrapped.optional_accepted", "", "a value that is not required in an array or object",
			optionalTexts+" "+numbers+" "+flags, wrapped),
		kind("create.value.other_type_accepted", "", "a number or boolean in place of a text", optionalTexts, isKind("number", "boolean")),
		kind("create.value.number_prefix_accepted", "", "a text that only begins like a number", numbers,
			of(func(s string) bool { return !number.MatchString(s) })),
		kind("create.value.empty_number_accepted", "value.number_prefix", "an empty text as a number", numbers, anyOf("")),
		kind("create.value.unit_accepted", "value.number_prefix", "a number with a unit as text", numbers, anyOf("50abc")),
		kind("create.value.hexadecimal_accepted", "value.number_prefix", "a hexadecimal number as text", numbers, has("0x")),
		kind("create.value.not_a_number_accepted", "value.number_prefix", "NaN as text", numbers, anyOf("NaN")),
		kind("create.value.not_a_flag_accepted", "", "what some languages take for true or false as a flag", flags, notAFlag),
		kind("create.value.tab_accepted", "value.blank", "a required text of tabs and line ends", "required.*", has("\t")),
		kind("create.value.no_break_space_accepted", "value.blank", "a required text of no-break spaces", "required.*", has("\u00a0")),
		kind("create.value.em_space_accepted", "value.blank", "a required text of em spaces", "required.*", has("\u2003")),
		kind("create.value.blank_accepted", "", "a required text of white space", "required.*",
			of(func(s string) bool { return s != "" && strings.TrimSpace(s) == "" })),
	),
		lenient("create.value.wrapped_array_read", "value.wrapped", "an array of one required value as that value", required, inArray),
		lenient("create.value.wrapped_object_read", "value.wrapped", "an object with one required value as that value",
			required, inObjectOfOne),
		lenient("create.value.wrapped.optional_array_read", "value.wrapped.optional",
			"an array of one right value as that value", optionalTexts+" "+numbers, inArray),
		lenient("create.value.wrapped.optional_object_read", "value.wrapped.optional",
			"an object with one right value as that value", optionalTexts+" "+numbers, inObjectOfOne),
		lenient("create.value.scalar_read", "value.other_type", "a number or boolean as its text", optionalTexts, asText),
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
func inArray(value any) (any, bool) {
	list, _ := value.([]any)
	if len(list) != 1 {
		return nil, false
	}
	return list[0], true
}

func inObjectOfOne(value any) (any, bool) {
	fields, _ := value.(object)
	return inArray(slices.Collect(maps.Values(fields)))
}

// ownField takes from a request what only the service sets.
func ownField(name, rule, what, field string) faults {
	return fault(name, rule, "takes "+what+" from the request", func(q *call, r object) {
		if given, sent := q.body[field]; sent {
			r[field] = given
		}
	})
}
