package reference

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
)

// spoiled declares a fault that changes one value of the record. The path is dotted; a nil value is passed too.
func spoiled(name, rule, statement, path string, change func(value any) any) faults {
	return recorded(name, rule, statement, func(record object) {
		steps := strings.Split(path, ".")
		last := len(steps) - 1
		for _, step := range steps[:last] {
			inner, ok := record[step].(object)
			if !ok {
				return
			}
			record = inner
		}
		record[steps[last]] = change(record[steps[last]])
	})
}

// whenSent leaves null alone.
func whenSent(change func(value any) any) func(any) any {
	return func(value any) any {
		if value == nil {
			return nil
		}
		return change(value)
	}
}

func constant(value any) func(any) any { return func(any) any { return value } }

func inList(value any) any { return []any{value} }

func inObject(key string) func(any) any { return func(value any) any { return object{key: value} } }

func onText(change func(string) string) func(any) any {
	return func(value any) any {
		if text, ok := value.(string); ok {
			return change(text)
		}
		return value
	}
}

func onNumber(change func(float64) any) func(any) any {
	return func(value any) any {
		if n, ok := value.(json.Number); ok {
			if f, err := n.Float64(); err == nil {
				return change(f)
			}
		}
		return value
	}
}

// recordTypeFaults give fields another type or format than documented.
func recordTypeFaults() faults {
	typed := func(path, what string, change func(any) any) faults {
		rule := "response." + path
		return spoiled("create."+rule+"_"+strings.ReplaceAll(what, " ", "_"), rule,
			"gives "+path+" as "+what, path, change)
	}
	asText := whenSent(func(value any) any { return fmt.Sprint(value) })
	slashes := onText(func(s string) string {
		if len(s) != 10 {
			return s
		}
		return s[8:] + "/" + s[5:7] + "/" + s[:4]
	})
	return under("create.",
		typed("id", "number", func(id any) any { return crc32.ChecksumIEEE([]byte(fmt.Sprint(id))) }),
		typed("id", "undashed text", onText(func(s string) string { return strings.ReplaceAll(s, "-", "") })),
		spoiled("create.response.document.id_missing", "success.fields", "gives document.id as missing",
			"document.id", constant(nil)),
		typed("document.id", "short text", constant("doc-1")),
		typed("document.type", "lower case", constant("cpf")),
		typed("document.type", "RG", constant("RG")),
		typed("document.number", "formatted CPF", onText(func(s string) string {
			if len(s) != 11 {
				return s
			}
			return s[:3] + "." + s[3:6] + "." + s[6:9] + "-" + s[9:]
		})),
		typed("document.number", "number", whenSent(func(v any) any {
			if n, err := strconv.ParseInt(fmt.Sprint(v), 10, 64); err == nil {
				return n
			}
			return v
		})),
		typed("document.country_of_issue", "object", inObject("code")),
		typed("address.id", "number", constant(7)),
		typed("address.number", "text", asText),
		typed("representor_type", "lower case", onText(strings.ToLower)),
		typed("representor_type", "object", inObject("code")),
		typed("participation_percentage", "text", asText),
		spoiled("create.response.participation_percentage_in_hundredths", "response.participation_percentage.range",
			"answers participations in hundredths of a percent",
			"participation_percentage", onNumber(func(f float64) any { return 100 * f })),
		typed("pep", "text", asText),
		typed("pep", "number", whenSent(func(v any) any {
			if v == true {
				return 1
			}
			return 0
		})),
		typed("is_public_server", "text", asText),
		typed("created_at", "date", onText(func(s string) string { return s[:10] })),
		spoiled("create.response.created_at_zoneless", "response.created_at.zone", "gives created_at without its zone",
			"created_at", onText(func(s string) string { return strings.TrimSuffix(s, "Z") })),
		typed("created_at", "epoch", constant(1735689600)),
		spoiled("create.response.created_at_missing", "success.fields", "gives created_at as missing",
			"created_at", constant(nil)),
		spoiled("create.response.created_at_long_ago", "response.created_at.now", "dates every record to 2001",
			"created_at", constant("2001-01-01T00:00:00.000Z")),
		typed("shareholder_id", "object", inObject("id")),
		typed("phone_number", "object", inObject("number")),
		typed("email", "list", inList),
		typed("name", "object", inObject("full")),
		forEach([]string{"income", "patrimony"}, func(money string) faults {
			return slices.Concat(typed(money, "text", asText), typed(money, "decimal", onNumber(func(f float64) any {
				return json.Number(strconv.FormatFloat(f/100, 'f', 2, 64))
			})))
		}),
		forEach(dateFields, func(date string) faults {
			return append(typed(date, "date-time", onText(func(s string) string { return s + "T00:00:00Z" })),
				typed(date, "slashes", slashes)...)
		}),
		forEach(addressTexts, func(part string) faults { return typed("address."+part, "object", inObject("value")) }),
	)
}

// addressTexts are the parts of an address that are text.
var addressTexts = []string{"zip_code", "street", "neighborhood", "city", "federative_unit", "country", "complement"}
