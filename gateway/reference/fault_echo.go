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

// echoFaults give back something else than was sent.
func echoFaults() []declaration {
	echo := func(rule, how, statement string, change func(any) any) declaration {
		return spoiled(rule+"_"+how, rule, statement, strings.TrimPrefix(rule, "create.echo."), change)
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
	all := append(slices.Concat(
		mishandled("create.echo.name_accents", "create.echo.name", "names with accents", "_rejected", "name=accents"),
		mishandled("create.echo.name_apostrophe", "create.echo.name", "names with apostrophes", "_rejected",
			"name=apostrophe"),
		mishandled("create.echo.pep_true", "create.echo.pep", "whoever is a PEP", "_rejected", "pep=true"),
		mishandled("create.echo.is_public_server_true", "create.echo.is_public_server", "public servers", "_rejected",
			"is_public_server=true"),
	), echo("create.echo.name", "folded", "loses the accents of names", folded),
		echo("create.echo.name", "escaped", "escapes the apostrophes of names",
			onText(func(s string) string { return strings.ReplaceAll(s, "'", "&#39;") })),
		echo("create.echo.name", "upper_case", "writes names in capitals", onText(strings.ToUpper)),
		echo("create.echo.name", "cut", "cuts names to 20 characters", cutTo(20)),
		echo("create.echo.name", "cut_at_60", "cuts names to 60 characters", cutTo(60)),
		echo("create.echo.name", "without_hyphens", "writes spaces for the hyphens of names",
			onText(func(s string) string { return strings.ReplaceAll(s, "-", " ") })),
		echo("create.echo.email", "without_tag", "drops what follows a plus sign in addresses of mail",
			onText(func(s string) string {
				local, domain, _ := strings.Cut(s, "@")
				local, _, _ = strings.Cut(local, "+")
				return local + "@" + domain
			})),
		echo("create.echo.address.street", "cut_at_40", "cuts streets to 40 characters", cutTo(40)),
		echo("create.echo.birth_date", "two_digits", "keeps two digits of the year of birth",
			onText(func(s string) string {
				if len(s) == 10 && s[:4] < "1969" {
					return "20" + s[2:]
				}
				return s
			})),
		echo("create.echo.relationship_end_date", "two_digits",
			"keeps two digits of the year in which a relationship ends", onText(func(s string) string {
				if len(s) == 10 && s[:4] > "2068" {
					return "19" + s[2:]
				}
				return s
			})),
		spoiled("create.default.registration_leap_day", "create.default.registration_update_date_kept",
			"dates a registration update of 29 February a day earlier",
			"registration_update_date", onText(func(s string) string {
				return strings.Replace(s, "-02-29", "-02-28", 1)
			})),
		echo("create.echo.name", "latin1", "breaks the encoding of names", onText(func(s string) string {
			var out []rune
			for _, b := range []byte(s) {
				out = append(out, rune(b))
			}
			return string(out)
		})), echo("create.echo.document.number", "masked", "masks the CPF",
			onText(func(s string) string { return "000" + s[min(3, len(s)):] })),
		echo("create.echo.document.number", "reversed", "answers the digits of the CPF in reverse",
			onText(func(s string) string {
				digits := []byte(s)
				slices.Reverse(digits)
				return string(digits)
			})),
		echo("create.echo.representor_type", "always_partner", "answers PARTNER whatever was sent",
			constant("PARTNER")),
		echo("create.echo.representor_type", "never_attorney", "answers ATTORNEY as OTHER",
			onText(func(s string) string { return strings.ReplaceAll(s, "ATTORNEY", "OTHER") })),
		echo("create.echo.participation_percentage", "float32", "keeps participations in 32 bits",
			onNumber(func(f float64) any { return float64(float32(f)) })),
		echo("create.echo.participation_percentage", "whole", "cuts the decimals of participations",
			onNumber(func(f float64) any { return math.Trunc(f) })),
		echo("create.echo.participation_percentage", "one_decimal", "rounds participations to one decimal",
			onNumber(func(f float64) any { return math.Round(f*10) / 10 })),
		echo("create.echo.participation_percentage", "as_share", "answers participations as a share of 1",
			onNumber(func(f float64) any { return f / 100 })),
		echo("create.echo.pep", "always_false", "answers false whatever was sent as pep", constant(false)),
		echo("create.echo.pep", "always_true", "answers true whatever was sent as pep", constant(true)),
		echo("create.echo.is_public_server", "always_false", "answers false whatever was sent as public server flag",
			constant(false)),
		echo("create.echo.is_public_server", "inverted", "inverts the public server flag",
			whenSent(func(v any) any { return v == false })),
		echo("create.echo.phone_number", "cut", "loses the last digit of phone numbers",
			onText(func(s string) string { return s[:max(0, len(s)-1)] })),
		echo("create.echo.email", "changed", "answers another e-mail address",
			onText(func(s string) string { return "x" + s })),
		echo("create.echo.shareholder_id", "other", "answers another shareholder",
			constant("3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001")),
		echo("create.echo.address.number", "plus_one", "adds one to street numbers",
			onNumber(func(f float64) any { return f + 1 })),
		fault("create.echo.income_and_patrimony_swapped", "create.echo.income", "swaps income and patrimony",
			effect{record: func(_ *call, r object) { r["income"], r["patrimony"] = r["patrimony"], r["income"] }}),
	)
	for _, rule := range []string{"create.echo.income", "create.echo.patrimony"} {
		money := lastOf(rule)
		all = append(all,
			echo(rule, "int32", "keeps "+money+" in 32 bits", onNumber(func(f float64) any { return int32(int64(f)) })),
			echo(rule, "float32", "keeps "+money+" in a 32-bit float",
				onNumber(func(f float64) any { return int64(float32(f)) })),
			echo(rule, "whole_units", "cuts the cents of "+money,
				onNumber(func(f float64) any { return int64(f) / 100 * 100 })),
		)
	}
	for _, rule := range []string{
		"create.echo.birth_date", "create.echo.relationship_start_date", "create.echo.relationship_end_date",
	} {
		all = append(all, echo(rule, "moved", "moves "+lastOf(rule)+" by some days", nextDay))
	}
	for _, rule := range []string{
		"create.echo.address.zip_code", "create.echo.address.street", "create.echo.address.neighborhood",
		"create.echo.address.city", "create.echo.address.federative_unit", "create.echo.address.country",
		"create.echo.address.complement",
	} {
		all = append(all,
			echo(rule, "changed", "answers another "+lastOf(rule), onText(func(s string) string { return s + " x" })))
	}
	return all
}
