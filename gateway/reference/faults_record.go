package reference

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// spoiled declares a fault that changes one value of the record. The path is dotted; a nil value is passed too.
func spoiled(name, rule, statement, path string, change func(value any) any) definition {
	return definition{Fault: Fault{Name: name, Rule: rule, Statement: statement}, record: func(record object) {
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
	}}
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

func createRecordFaults() []definition {
	all := []definition{
		switched("create.success.status_200", "create.success.status", "answers a creation with 200"),
		switched("create.success.body_empty", "create.success.json", "answers a creation without a body"),
		switched("create.success.body_cut", "create.success.json", "cuts the record in the middle"),
		switched("create.success.body_list", "create.success.json", "gives the record inside a list"),
		switched("create.success.status_202", "create.success.status", "answers a creation with 202"),
		{
			Fault:  Fault{Name: "create.success.field_missing", Rule: "create.success.fields", Statement: "leaves the phone number out of the record"},
			record: func(r object) { delete(r, "phone_number") },
		},
		{
			Fault: Fault{Name: "create.success.many_fields_missing", Rule: "create.success.fields", Statement: "answers without names, amounts, flags and contacts"},
			record: func(r object) {
				for _, key := range []string{"name", "income", "patrimony", "pep", "is_public_server", "phone_number", "email"} {
					delete(r, key)
				}
			},
		},
		{
			Fault: Fault{Name: "create.success.enveloped", Rule: "create.success.fields", Statement: "wraps the record into another object"},
			record: func(r object) {
				inner := object{}
				for key, value := range r {
					inner[key] = value
					delete(r, key)
				}
				r["data"] = inner
			},
		},
		{
			Fault:  Fault{Name: "create.success.document_missing", Rule: "create.success.document", Statement: "leaves the document out of the record"},
			record: func(r object) { delete(r, "document") },
		},
		spoiled("create.success.document_text", "create.success.document", "gives the document as text", "document", constant("CPF")),
		{
			Fault:  Fault{Name: "create.success.address_missing", Rule: "create.success.address", Statement: "leaves the address out of the record"},
			record: func(r object) { delete(r, "address") },
		},
		spoiled("create.success.address_list", "create.success.address", "gives the address inside a list", "address", func(v any) any { return []any{v} }),
		spoiled("create.person_type.legal", "create.person_type", "calls representatives LEGAL_PERSON", "person_type", constant("LEGAL_PERSON")),
		spoiled("create.person_type.missing", "create.person_type", "leaves the person type null", "person_type", constant(nil)),
		switched("create.default.country_missing", "create.default.country_of_issue", "has no default for the country of issue"),
		switched("create.default.country_br", "create.default.country_of_issue", "defaults the country of issue to BR"),
		switched("create.default.country_overwritten", "create.default.country_of_issue_kept", "always puts BRA as country of issue"),
		switched("create.default.registration_today", "create.default.registration_update_date", "defaults the registration update to today"),
		switched("create.default.registration_missing", "create.default.registration_update_date", "has no default for the registration update"),
		switched("create.default.registration_end_date", "create.default.registration_update_date", "defaults the registration update to the end of the relationship"),
		switched("create.default.registration_overwritten", "create.default.registration_update_date_kept", "always puts the start of the relationship as registration update"),
	}
	return append(append(all, recordTypeFaults()...), recordEchoFaults()...)
}

// recordTypeFaults give fields another type or format than documented.
func recordTypeFaults() []definition {
	typed := func(path, what string, change func(any) any) definition {
		return spoiled("create.response."+path+"_"+strings.ReplaceAll(what, " ", "_"), "create.response."+path, "gives "+path+" as "+what, path, change)
	}
	slashes := onText(func(s string) string {
		if len(s) != 10 {
			return s
		}
		return s[8:] + "/" + s[5:7] + "/" + s[:4]
	})
	all := []definition{
		typed("id", "number", constant(42)),
		typed("id", "undashed text", onText(func(s string) string { return strings.ReplaceAll(s, "-", "") })),
		typed("document.id", "missing", constant(nil)),
		typed("document.id", "short text", constant("doc-1")),
		typed("document.type", "lower case", constant("cpf")),
		typed("document.type", "RG", constant("RG")),
		typed("document.number", "formatted CPF", onText(func(s string) string {
			if len(s) != 11 {
				return s
			}
			return s[:3] + "." + s[3:6] + "." + s[6:9] + "-" + s[9:]
		})),
		typed("document.number", "number", textTo(func(s string) any {
			n, err := strconv.ParseInt(s, 10, 64)
			if err != nil {
				return s
			}
			return n
		})),
		typed("document.country_of_issue", "object", func(v any) any { return object{"code": v} }),
		typed("address.id", "number", constant(7)),
		typed("address.number", "text", whenSent(asText)),
		typed("representor_type", "lower case", onText(strings.ToLower)),
		typed("representor_type", "object", func(v any) any { return object{"code": v} }),
		typed("participation_percentage", "text", whenSent(asText)),
		typed("pep", "text", whenSent(asText)),
		typed("pep", "number", whenSent(func(v any) any {
			if v == true {
				return 1
			}
			return 0
		})),
		typed("is_public_server", "text", whenSent(asText)),
		typed("created_at", "date", onText(func(s string) string { return s[:10] })),
		typed("created_at", "zoneless", onText(func(s string) string { return strings.TrimSuffix(s, "Z") })),
		typed("created_at", "epoch", constant(1735689600)),
		typed("created_at", "missing", constant(nil)),
		spoiled("create.response.created_at_long_ago", "create.response.created_at.now", "dates every record to 2001", "created_at", constant("2001-01-01T00:00:00.000Z")),
		typed("shareholder_id", "object", func(v any) any { return object{"id": v} }),
		typed("phone_number", "object", func(v any) any { return object{"number": v} }),
		typed("email", "list", func(v any) any { return []any{v} }),
		typed("name", "object", func(v any) any { return object{"full": v} }),
	}
	for _, money := range []string{"income", "patrimony"} {
		all = append(all,
			typed(money, "text", whenSent(asText)),
			typed(money, "decimal", onNumber(func(f float64) any { return json.Number(strconv.FormatFloat(f/100, 'f', 2, 64)) })),
		)
	}
	for _, date := range []string{"birth_date", "relationship_start_date", "relationship_end_date", "registration_update_date"} {
		all = append(all,
			typed(date, "date-time", onText(func(s string) string { return s + "T00:00:00Z" })),
			typed(date, "slashes", slashes),
		)
	}
	for _, part := range []string{"zip_code", "street", "neighborhood", "city", "federative_unit", "country", "complement"} {
		all = append(all, typed("address."+part, "object", func(v any) any { return object{"value": v} }))
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

func textTo(change func(string) any) func(any) any {
	return func(value any) any {
		if text, ok := value.(string); ok {
			return change(text)
		}
		return value
	}
}

// recordEchoFaults give back something else than was sent.
func recordEchoFaults() []definition {
	echo := func(path, how, statement string, change func(any) any) definition {
		return spoiled("create.echo."+path+"_"+how, "create.echo."+path, statement, path, change)
	}
	folded := onText(func(s string) string {
		out, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s)
		if err != nil {
			return s
		}
		return out
	})
	nextDay := onText(func(s string) string {
		if len(s) == 10 && s[8:] != "01" {
			return s[:8] + "01"
		}
		if len(s) == 10 {
			return s[:8] + "02"
		}
		return s
	})
	all := []definition{
		echo("name", "folded", "loses the accents of names", folded),
		echo("name", "escaped", "escapes the apostrophes of names", onText(func(s string) string { return strings.ReplaceAll(s, "'", "&#39;") })),
		echo("name", "upper_case", "writes names in capitals", onText(strings.ToUpper)),
		refuses("create.echo.name_accents_rejected", "create.echo.name", "refuses names with accents", "create:name=accents"),
		refuses("create.echo.name_apostrophe_rejected", "create.echo.name", "refuses names with apostrophes", "create:name=apostrophe"),
		refuses("create.echo.pep_true_rejected", "create.echo.pep", "refuses whoever is a PEP", "create:pep=true"),
		refuses("create.echo.is_public_server_true_rejected", "create.echo.is_public_server", "refuses public servers", "create:is_public_server=true"),
		echo("name", "cut", "cuts names to 20 characters", cutTo(20)),
		echo("name", "cut_at_60", "cuts names to 60 characters", cutTo(60)),
		echo("address.street", "cut_at_40", "cuts streets to 40 characters", cutTo(40)),
		echo("birth_date", "two_digits", "keeps two digits of the year of birth", onText(func(s string) string {
			if len(s) == 10 && s[:4] < "1969" {
				return "20" + s[2:]
			}
			return s
		})),
		echo("relationship_end_date", "two_digits", "keeps two digits of the year in which a relationship ends", onText(func(s string) string {
			if len(s) == 10 && s[:4] > "2068" {
				return "19" + s[2:]
			}
			return s
		})),
		spoiled("create.default.registration_leap_day", "create.default.registration_update_date_kept", "dates a registration update of 29 February a day earlier",
			"registration_update_date", onText(func(s string) string { return strings.Replace(s, "-02-29", "-02-28", 1) })),
		echo("name", "latin1", "breaks the encoding of names", onText(func(s string) string {
			var out []rune
			for _, b := range []byte(s) {
				out = append(out, rune(b))
			}
			return string(out)
		})),
		echo("document.number", "masked", "masks the CPF", onText(func(s string) string { return "000" + s[min(3, len(s)):] })),
		echo("document.number", "reversed", "answers the digits of the CPF in reverse", onText(func(s string) string {
			digits := []byte(s)
			slices.Reverse(digits)
			return string(digits)
		})),
		echo("representor_type", "always_partner", "answers PARTNER whatever was sent", constant("PARTNER")),
		echo("representor_type", "never_attorney", "answers ATTORNEY as OTHER", onText(func(s string) string { return strings.ReplaceAll(s, "ATTORNEY", "OTHER") })),
		echo("participation_percentage", "float32", "keeps participations in 32 bits", onNumber(func(f float64) any { return float64(float32(f)) })),
		echo("participation_percentage", "whole", "cuts the decimals of participations", onNumber(func(f float64) any { return math.Trunc(f) })),
		echo("participation_percentage", "one_decimal", "rounds participations to one decimal", onNumber(func(f float64) any { return math.Round(f*10) / 10 })),
		echo("participation_percentage", "as_share", "answers participations as a share of 1", onNumber(func(f float64) any { return f / 100 })),
		echo("pep", "always_false", "answers false whatever was sent as pep", constant(false)),
		echo("pep", "always_true", "answers true whatever was sent as pep", constant(true)),
		echo("is_public_server", "always_false", "answers false whatever was sent as public server flag", constant(false)),
		echo("is_public_server", "inverted", "inverts the public server flag", whenSent(func(v any) any { return v == false })),
		echo("phone_number", "cut", "loses the last digit of phone numbers", onText(func(s string) string { return s[:max(0, len(s)-1)] })),
		echo("email", "changed", "answers another e-mail address", onText(func(s string) string { return "x" + s })),
		echo("shareholder_id", "other", "answers another shareholder", constant("3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001")),
		echo("address.number", "plus_one", "adds one to street numbers", onNumber(func(f float64) any { return f + 1 })),
		{
			Fault:  Fault{Name: "create.echo.income_and_patrimony_swapped", Rule: "create.echo.income", Statement: "swaps income and patrimony"},
			record: func(r object) { r["income"], r["patrimony"] = r["patrimony"], r["income"] },
		},
	}
	for _, money := range []string{"income", "patrimony"} {
		all = append(all,
			echo(money, "int32", "keeps "+money+" in 32 bits", onNumber(func(f float64) any { return int32(int64(f)) })),
			echo(money, "float32", "keeps "+money+" in a 32-bit float", onNumber(func(f float64) any { return int64(float32(f)) })),
			echo(money, "whole_units", "cuts the cents of "+money, onNumber(func(f float64) any { return int64(f) / 100 * 100 })),
		)
	}
	for _, date := range []string{"birth_date", "relationship_start_date", "relationship_end_date"} {
		all = append(all, echo(date, "moved", "moves "+date+" by some days", nextDay))
	}
	for _, part := range []string{"zip_code", "street", "neighborhood", "city", "federative_unit", "country", "complement"} {
		all = append(all, echo("address."+part, "changed", "answers another "+part, onText(func(s string) string { return s + " x" })))
	}
	return all
}
