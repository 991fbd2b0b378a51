package reference

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

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
		echo("name", "without_hyphens", "writes spaces for the hyphens of names", onText(func(s string) string { return strings.ReplaceAll(s, "-", " ") })),
		echo("email", "without_tag", "drops what follows a plus sign in addresses of mail", onText(func(s string) string {
			local, domain, _ := strings.Cut(s, "@")
			local, _, _ = strings.Cut(local, "+")
			return local + "@" + domain
		})),
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
