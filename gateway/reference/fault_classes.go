package reference

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
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
		kind("create.value.control_characters_accepted", "", "a right value with control characters", "*",
			text(func(s string) bool { return control(s) && !address(s) })),
		kind("create.value.second_line.email_accepted", "", "an e-mail address of two lines", "email.*",
			text(func(s string) bool { return address(s) && strings.Contains(s, "\n") })),
		kind("create.value.other_digits_accepted", "", "a CPF in digits of another script", "document_number.*",
			text(func(s string) bool {
				return strings.ContainsFunc(s, func(c rune) bool { return c > unicode.MaxASCII && unicode.IsDigit(c) })
			})),
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
		kind("create.value.blank_accepted", "", "a required text of white space", "required.*",
			text(func(s string) bool { return s != "" && strings.TrimSpace(s) == "" })),
	),
		fault("create.response.own_fields_taken", "response.own_fields", "takes the ID of a record from the request",
			on(func(q *call, r object) {
				if id, given := q.body["id"]; given {
					r["id"] = id
				}
			})),
	)
}

// misplacedFaults take a part of a credential, or one that comes in another place.
func misplacedFaults() faults {
	key := func(name, rule, statement string, like func(sent, own string) bool) faults {
		return fault(name, rule, statement,
			admits(withKey(func(q *call, sent string) bool { return like(sent, q.g.tokens.apiKey) })))
	}
	cookie := func(of func(t *tokens) string) effect {
		return admits(func(q *call) bool {
			return slices.ContainsFunc(q.r.Cookies(), func(c *http.Cookie) bool { return c.Value == of(q.g.tokens) })
		})
	}
	return slices.Concat(
		key("auth.api_key.half_accepted", "api_key.part", "takes half of its API key for it",
			func(sent, own string) bool { return len(sent) == len(own)/2 && strings.Contains(own, sent) }),
		key("auth.api_key.like_accepted", "api_key.wildcard", "compares API keys as SQL's LIKE does, with % and _",
			func(sent, own string) bool {
				pattern := strings.NewReplacer("%", ".*", "_", ".").Replace(regexp.QuoteMeta(sent))
				same, err := regexp.MatchString("^"+pattern+"$", own)
				return err == nil && same
			}),
		fault("auth.bearer.in_cookie_accepted", "bearer.elsewhere", "accepts a token in a cookie",
			cookie(func(t *tokens) string { return t.main })),
		fault("auth.api_key.in_cookie_accepted", "api_key.elsewhere", "accepts an API key in a cookie",
			cookie(func(t *tokens) string { return t.apiKey })),
	)
}
