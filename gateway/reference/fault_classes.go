package reference

import (
	"encoding/json"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// classFaults take the wrong values of a class for right ones, in every field.
func classFaults() faults {
	const (
		optionalTexts = "name.* document_number.* document_country_of_issue.* qualification.* birth_date.* " +
			"relationship_start_date.* relationship_end_date.* registration_update_date.* address.*"
		numbers  = "income.* patrimony.* participation_percentage.*"
		required = "shareholder_id.* mother_name.* phone_number.* email.*"
	)
	text := func(holds func(text string) bool) func(any) bool {
		return func(value any) bool { s, ok := value.(string); return ok && holds(s) }
	}
	has := func(part string) func(any) bool {
		return text(func(s string) bool { return strings.Contains(s, part) && !strings.Contains(s, "@") })
	}
	// among holds for texts with a character from one to another.
	among := func(from, to rune) func(any) bool {
		return text(func(s string) bool {
			return strings.ContainsFunc(s, func(c rune) bool { return c >= from && c <= to })
		})
	}
	is := func(values ...string) func(any) bool {
		return text(func(s string) bool { return slices.Contains(values, s) })
	}
	control := func(s string) bool { return strings.ContainsAny(s, "\x00\a") }
	address := func(s string) bool { return strings.Contains(s, "@") }
	wrapped := func(value any) bool {
		list, _ := value.([]any)
		fields, _ := value.(object)
		return len(list) == 1 || len(fields) == 1
	}
	digits := regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
	return slices.Concat(mishandled(creating,
		kind("create.value.second_line_accepted", "", "a right value with more on a second line", "*",
			text(func(s string) bool { return strings.Contains(s, "\n") && !address(s) })),
		kind("create.value.line_end_accepted", "value.second_line", "a right value with a line end behind it", "*",
			text(func(s string) bool { return strings.HasSuffix(s, "\n") })),
		kind("create.value.nul_accepted", "value.control_characters", "a value up to a NUL, as C does", "*", has("\x00")),
		kind("create.value.bell_accepted", "value.control_characters", "a value with a BEL in it", "*", has("\a")),
		kind("create.value.control_characters_accepted", "", "a right value with control characters", "*",
			text(func(s string) bool { return control(s) && !address(s) })),
		kind("create.value.second_line.email_accepted", "", "an e-mail address of two lines", "email.*",
			text(func(s string) bool { return address(s) && strings.Contains(s, "\n") })),
		kind("create.value.other_digits_accepted", "", "a CPF in digits of another script", "document_number.*",
			text(func(s string) bool {
				return strings.ContainsFunc(s, func(c rune) bool { return c > unicode.MaxASCII && unicode.IsDigit(c) })
			})),
		kind("create.value.arabic_digits_accepted", "value.other_digits", "a CPF in Arabic digits", "document_number.*",
			among('\u0660', '\u0669')),
		kind("create.value.full_width_digits_accepted", "value.other_digits", "a CPF in full-width digits",
			"document_number.*", among('\uff10', '\uff19')),
		kind("create.value.superscript_accepted", "value.other_digits", "a CPF with a superscript", "document_number.*",
			has("²")),
		kind("create.value.full_width_accepted", "value.other_letters", "a date or listed value in full-width characters",
			optionalTexts, among('\uff01', '\uff5e')),
		kind("create.value.other_letters_accepted", "", "a date or listed value in characters that only look like its own",
			optionalTexts, text(func(s string) bool {
				return strings.ContainsFunc(s, func(c rune) bool { return c > unicode.MaxASCII }) && len([]rune(s)) != 11
			})),
		kind("create.value.wrapped_accepted", "", "a required value in an array or object", required, wrapped),
		kind("create.value.wrapped.optional_accepted", "", "a value that is not required in an array or object",
			optionalTexts+" "+numbers+" pep.* is_public_server.*", wrapped),
		kind("create.value.other_type_accepted", "", "a number or boolean in place of a text", optionalTexts,
			func(value any) bool {
				switch value.(type) {
				case json.Number, bool:
					return true
				}
				return false
			}),
		kind("create.value.number_prefix_accepted", "", "a text that only begins like a number", numbers,
			text(func(s string) bool { return !digits.MatchString(s) })),
		kind("create.value.empty_number_accepted", "value.number_prefix", "an empty text as a number", numbers, is("")),
		kind("create.value.unit_accepted", "value.number_prefix", "a number with a unit as text", numbers, is("50abc")),
		kind("create.value.hexadecimal_accepted", "value.number_prefix", "a hexadecimal number as text", numbers,
			text(func(s string) bool { return strings.HasPrefix(s, "0x") })),
		kind("create.value.not_a_number_accepted", "value.number_prefix", "NaN as text", numbers, is("NaN")),
		kind("create.value.not_a_flag_accepted", "", "what some languages take for true or false as a flag",
			"pep.* is_public_server.*", func(value any) bool {
				list, _ := value.([]any)
				return value == "yes" || value == "false" || value == json.Number("0") || list != nil && len(list) == 0
			}),
		kind("create.value.tab_accepted", "value.blank", "a required text of tabs and line ends", "required.*", has("\t")),
		kind("create.value.no_break_space_accepted", "value.blank", "a required text of no-break spaces", "required.*",
			has("\u00a0")),
		kind("create.value.em_space_accepted", "value.blank", "a required text of em spaces", "required.*", has("\u2003")),
		kind("create.value.blank_accepted", "", "a required text of white space", "required.*",
			text(func(s string) bool { return s != "" && strings.TrimSpace(s) == "" })),
	),
		lenient("create.value.wrapped_array_read", "value.wrapped", "an array of one required value as that value",
			required, inArray),
		lenient("create.value.wrapped_object_read", "value.wrapped", "an object with one required value as that value",
			required, inObjectOfOne),
		lenient("create.value.wrapped.optional_array_read", "value.wrapped.optional",
			"an array of one right value as that value", optionalTexts+" "+numbers, inArray),
		lenient("create.value.wrapped.optional_object_read", "value.wrapped.optional",
			"an object with one right value as that value", optionalTexts+" "+numbers, inObjectOfOne),
		lenient("create.value.scalar_read", "value.other_type", "a number or boolean as its text", optionalTexts, asText),
		fault("create.value.large_body_unchecked", "value.large_body", "checks nothing in a body of more than 4 KiB",
			ignoring(creating, "*").when(func(q *call) bool { return len(q.raw) > 4<<10 })),
		fault("create.value.key_twice_first_checked", "value.key_twice",
			"checks the first of two values of a key, and takes the last",
			onDefects(creating, []string{"qualification.*", "participation_percentage.*"}, func(q *call, i *issue) bool {
				key := i.Field[strings.LastIndexByte(i.Field, '.')+1:]
				return strings.Count(string(q.raw), strconv.Quote(key)) < 2
			})),
		ownField("create.response.own_fields_taken", "the ID of a record", "id"),
		ownField("create.response.own_fields_created_at_taken", "the date of creation", "created_at"),
		ownField("create.response.own_fields_document_id_taken", "the ID of a document", "document", "id"),
		ownField("create.response.own_fields_document_type_taken", "the type of a document", "document", "type"),
	)
}

// lenient declares a fault that reads wrong values as others, where what is wrong with them is under one of some keys.
func lenient(name, rule, what, keys string, other func(value any) (any, bool)) faults {
	return fault(name, rule, "reads "+what, understood(other, strings.Fields(keys)...))
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
func ownField(name, what string, steps ...string) faults {
	return fault(name, "response.own_fields", "takes "+what+" from the request",
		on(func(q *call, r object) {
			from, into := q.body, r
			for _, step := range steps[:len(steps)-1] {
				from, _ = from[step].(object)
				into, _ = into[step].(object)
			}
			if given, sent := from[steps[len(steps)-1]]; sent && into != nil {
				into[steps[len(steps)-1]] = given
			}
		}))
}

// misplacedFaults take a part of a credential, or one that comes in another place.
func misplacedFaults() faults {
	cookie := func(of func(t *tokens) string) effect {
		return admits(func(q *call) bool {
			return slices.ContainsFunc(q.r.Cookies(), func(c *http.Cookie) bool { return c.Value == of(q.g.tokens) })
		})
	}
	return slices.Concat(
		takenKey("auth.api_key.half_accepted", "api_key.part", "takes half of its API key for it",
			func(sent, own string) bool { return len(sent) == len(own)/2 && strings.Contains(own, sent) }),
		takenKey("auth.api_key.like_accepted", "api_key.wildcard", "compares API keys as SQL's LIKE does, with % and _",
			func(sent, own string) bool {
				pattern := strings.NewReplacer("%", ".*", "_", ".").Replace(regexp.QuoteMeta(sent))
				same, err := regexp.MatchString("^"+pattern+"$", own)
				return err == nil && same
			}),
		takenKey("auth.api_key.asterisk_accepted", "api_key.wildcard", "takes an asterisk in an API key for any letters",
			func(sent, own string) bool { same, err := path.Match(sent, own); return err == nil && same }),
		takenKey("auth.api_key.pattern_accepted", "api_key.wildcard", "takes API keys for regular expressions",
			func(sent, own string) bool {
				same, err := regexp.MatchString("^(?:"+sent+")$", own)
				return err == nil && same
			}),
		fault("auth.api_key.under_scheme_accepted", "api_key.elsewhere", "accepts an API key under any scheme",
			admits(func(q *call) bool {
				_, sent, _ := strings.Cut(q.r.Header.Get("Authorization"), " ")
				return sent == q.g.tokens.apiKey
			})),
		fault("auth.bearer.in_other_header_accepted", "bearer.elsewhere", "accepts a token in X-Access-Token",
			admits(func(q *call) bool { return q.r.Header.Get("X-Access-Token") == q.g.tokens.main })),
		fault("auth.bearer.in_query_accepted", "bearer.elsewhere", "accepts a token in the query",
			admits(func(q *call) bool { return q.r.URL.Query().Get("access_token") == q.g.tokens.main })),
		fault("auth.bearer.in_query_as_token_accepted", "bearer.elsewhere", "accepts a token in the query as token",
			admits(func(q *call) bool { return q.r.URL.Query().Get("token") == q.g.tokens.main })),
		fault("auth.bearer.in_cookie_accepted", "bearer.elsewhere", "accepts a token in a cookie",
			cookie(func(t *tokens) string { return t.main })),
		fault("auth.api_key.in_cookie_accepted", "api_key.elsewhere", "accepts an API key in a cookie",
			cookie(func(t *tokens) string { return t.apiKey })),
	)
}
