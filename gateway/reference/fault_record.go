package reference

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// spoiled declares a fault that changes one value of the record. The path is dotted; a nil value is passed too.
func spoiled(name, rule, statement, path string, change func(value any) any) declaration {
	return fault(name, rule, statement, effect{record: func(_ *call, record object) {
		steps := strings.Split(path, ".")
		for _, step := range steps[:len(steps)-1] {
			inner, ok := record[step].(object)
			if !ok {
				return
			}
			record = inner
		}
		last := steps[len(steps)-1]
		record[last] = change(record[last])
	}})
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

func asText(value any) any { return fmt.Sprint(value) }

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
func recordTypeFaults() []declaration {
	typed := func(rule, what string, change func(any) any) declaration {
		path := strings.TrimPrefix(rule, "create.response.")
		return spoiled(rule+"_"+strings.ReplaceAll(what, " ", "_"), rule, "gives "+path+" as "+what, path, change)
	}
	slashes := onText(func(s string) string {
		if len(s) != 10 {
			return s
		}
		return s[8:] + "/" + s[5:7] + "/" + s[:4]
	})
	all := []declaration{
		typed("create.response.id", "number", func(id any) any { return crc32.ChecksumIEEE([]byte(fmt.Sprint(id))) }),
		typed("create.response.id", "undashed text",
			onText(func(s string) string { return strings.ReplaceAll(s, "-", "") })),
		spoiled("create.response.document.id_missing", "create.success.fields", "gives document.id as missing",
			"document.id", constant(nil)),
		typed("create.response.document.id", "short text", constant("doc-1")),
		typed("create.response.document.type", "lower case", constant("cpf")),
		typed("create.response.document.type", "RG", constant("RG")),
		typed("create.response.document.number", "formatted CPF", onText(func(s string) string {
			if len(s) != 11 {
				return s
			}
			return s[:3] + "." + s[3:6] + "." + s[6:9] + "-" + s[9:]
		})),
		typed("create.response.document.number", "number", whenSent(func(v any) any {
			if n, err := strconv.ParseInt(fmt.Sprint(v), 10, 64); err == nil {
				return n
			}
			return v
		})),
		typed("create.response.document.country_of_issue", "object", func(v any) any { return object{"code": v} }),
		typed("create.response.address.id", "number", constant(7)),
		typed("create.response.address.number", "text", whenSent(asText)),
		typed("create.response.representor_type", "lower case", onText(strings.ToLower)),
		typed("create.response.representor_type", "object", func(v any) any { return object{"code": v} }),
		typed("create.response.participation_percentage", "text", whenSent(asText)),
		spoiled("create.response.participation_percentage_in_hundredths",
			"create.response.participation_percentage.range",
			"answers participations in hundredths of a percent", "participation_percentage",
			onNumber(func(f float64) any { return 100 * f })),
		typed("create.response.pep", "text", whenSent(asText)),
		typed("create.response.pep", "number", whenSent(func(v any) any {
			if v == true {
				return 1
			}
			return 0
		})),
		typed("create.response.is_public_server", "text", whenSent(asText)),
		typed("create.response.created_at", "date", onText(func(s string) string { return s[:10] })),
		spoiled("create.response.created_at_zoneless", "create.response.created_at.zone",
			"gives created_at without its zone",
			"created_at", onText(func(s string) string { return strings.TrimSuffix(s, "Z") })),
		typed("create.response.created_at", "epoch", constant(1735689600)),
		spoiled("create.response.created_at_missing", "create.success.fields", "gives created_at as missing",
			"created_at", constant(nil)),
		spoiled("create.response.created_at_long_ago", "create.response.created_at.now", "dates every record to 2001",
			"created_at", constant("2001-01-01T00:00:00.000Z")),
		typed("create.response.shareholder_id", "object", func(v any) any { return object{"id": v} }),
		typed("create.response.phone_number", "object", func(v any) any { return object{"number": v} }),
		typed("create.response.email", "list", func(v any) any { return []any{v} }),
		typed("create.response.name", "object", func(v any) any { return object{"full": v} }),
	}
	for _, rule := range []string{"create.response.income", "create.response.patrimony"} {
		all = append(all, typed(rule, "text", whenSent(asText)), typed(rule, "decimal", onNumber(func(f float64) any {
			return json.Number(strconv.FormatFloat(f/100, 'f', 2, 64))
		})),
		)
	}
	for _, rule := range []string{
		"create.response.birth_date", "create.response.relationship_start_date",
		"create.response.relationship_end_date", "create.response.registration_update_date",
	} {
		all = append(all, typed(rule, "date-time", onText(func(s string) string { return s + "T00:00:00Z" })),
			typed(rule, "slashes", slashes),
		)
	}
	for _, rule := range []string{
		"create.response.address.zip_code", "create.response.address.street", "create.response.address.neighborhood",
		"create.response.address.city", "create.response.address.federative_unit", "create.response.address.country",
		"create.response.address.complement",
	} {
		all = append(all, typed(rule, "object", func(v any) any { return object{"value": v} }))
	}
	return all
}

func cutTo(n int) func(any) any {
	return onText(func(s string) string {
		if r := []rune(s); len(r) > n {
			return string(r[:n])
		}
		return s
	})
}
