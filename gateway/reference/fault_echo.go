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

// cutTo cuts text to a number of characters.
func cutTo(n int) func(any) any {
	return onText(func(s string) string {
		if r := []rune(s); len(r) > n {
			return string(r[:n])
		}
		return s
	})
}

// century puts another beginning of the year into dates that some hold for.
func century(other string, holds func(date string) bool) func(any) any {
	return onText(func(s string) string {
		if len(s) == 10 && holds(s) {
			return other + s[2:]
		}
		return s
	})
}

func replaced(old, other string) func(any) any {
	return onText(func(s string) string { return strings.ReplaceAll(s, old, other) })
}

// echoFaults give back something else than was sent.
func echoFaults() faults {
	echo := func(path, how, statement string, change func(any) any) faults {
		return spoiled("echo."+path+"_"+how, "echo."+path, statement, path, change)
	}
	share := func(how, statement string, change func(float64) any) faults {
		return echo("participation_percentage", how, statement, onNumber(change))
	}
	folded := onText(func(s string) string {
		out, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s)
		if err != nil {
			return s
		}
		return out
	})
	nextDay := onText(func(s string) string {
		switch {
		case len(s) != 10:
			return s
		case s[8:] == "01":
			return s[:8] + "02"
		}
		return s[:8] + "01"
	})
	return append(mishandled(creating,
		kind("echo.name_accents", "echo.name", "names with accents", "_rejected", "name=accents"),
		kind("echo.name_apostrophe", "echo.name", "names with apostrophes", "_rejected", "name=apostrophe"),
		kind("echo.pep_true", "echo.pep", "whoever is a PEP", "_rejected", "pep=true"),
		kind("echo.is_public_server_true", "echo.is_public_server", "public servers", "_rejected",
			"is_public_server=true"),
	), under("create.",
		echo("name", "folded", "loses the accents of names", folded),
		echo("name", "escaped", "escapes the apostrophes of names", replaced("'", "&#39;")),
		echo("name", "upper_case", "writes names in capitals", onText(strings.ToUpper)),
		echo("name", "cut", "cuts names to 20 characters", cutTo(20)),
		echo("name", "cut_at_60", "cuts names to 60 characters", cutTo(60)),
		echo("name", "without_hyphens", "writes spaces for the hyphens of names", replaced("-", " ")),
		echo("email", "without_tag", "drops what follows a plus sign in addresses of mail",
			onText(func(s string) string {
				local, domain, _ := strings.Cut(s, "@")
				local, _, _ = strings.Cut(local, "+")
				return local + "@" + domain
			})),
		echo("address.street", "cut_at_40", "cuts streets to 40 characters", cutTo(40)),
		echo("birth_date", "two_digits", "keeps two digits of the year of birth",
			century("20", func(date string) bool { return date[:4] < "1969" })),
		echo("relationship_end_date", "two_digits", "keeps two digits of the year in which a relationship ends",
			century("19", func(date string) bool { return date[:4] > "2068" })),
		spoiled("default.registration_leap_day", "default.registration_update_date_kept",
			"dates a registration update of 29 February a day earlier", "registration_update_date",
			replaced("-02-29", "-02-28")),
		echo("name", "latin1", "breaks the encoding of names", onText(func(s string) string {
			var out []rune
			for _, b := range []byte(s) {
				out = append(out, rune(b))
			}
			return string(out)
		})),
		echo("document.number", "masked", "masks the CPF",
			onText(func(s string) string { return "000" + s[min(3, len(s)):] })),
		echo("document.number", "reversed", "answers the digits of the CPF in reverse", onText(func(s string) string {
			digits := []byte(s)
			slices.Reverse(digits)
			return string(digits)
		})),
		echo("representor_type", "always_partner", "answers PARTNER whatever was sent", constant("PARTNER")),
		echo("representor_type", "never_attorney", "answers ATTORNEY as OTHER", replaced("ATTORNEY", "OTHER")),
		share("float32", "keeps participations in 32 bits", func(f float64) any { return float64(float32(f)) }),
		share("whole", "cuts the decimals of participations", func(f float64) any { return math.Trunc(f) }),
		share("one_decimal", "rounds participations to one decimal",
			func(f float64) any { return math.Round(f*10) / 10 }),
		share("as_share", "answers participations as a share of 1", func(f float64) any { return f / 100 }),
		echo("pep", "always_false", "answers false whatever was sent as pep", constant(false)),
		echo("pep", "always_true", "answers true whatever was sent as pep", constant(true)),
		echo("is_public_server", "always_false", "answers false whatever was sent as public server flag",
			constant(false)),
		echo("is_public_server", "inverted", "inverts the public server flag",
			whenSent(func(v any) any { return v == false })),
		echo("phone_number", "cut", "loses the last digit of phone numbers",
			onText(func(s string) string { return s[:max(0, len(s)-1)] })),
		echo("email", "changed", "answers another e-mail address", onText(func(s string) string { return "x" + s })),
		echo("shareholder_id", "other", "answers another shareholder",
			constant("3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001")),
		echo("address.number", "plus_one", "adds one to street numbers",
			onNumber(func(f float64) any { return f + 1 })),
		recorded("echo.income_and_patrimony_swapped", "echo.income", "swaps income and patrimony",
			func(r object) { r["income"], r["patrimony"] = r["patrimony"], r["income"] }),
		forEach([]string{"income", "patrimony"}, func(money string) faults {
			return slices.Concat(
				echo(money, "int32", "keeps "+money+" in 32 bits",
					onNumber(func(f float64) any { return int32(int64(f)) })),
				echo(money, "float32", "keeps "+money+" in a 32-bit float",
					onNumber(func(f float64) any { return int64(float32(f)) })),
				echo(money, "whole_units", "cuts the cents of "+money,
					onNumber(func(f float64) any { return int64(f) / 100 * 100 })))
		}),
		forEach(dateFields[:3], func(date string) faults {
			return echo(date, "moved", "moves "+date+" by some days", nextDay)
		}),
		forEach(addressTexts, func(part string) faults {
			return echo("address."+part, "changed", "answers another "+part,
				onText(func(s string) string { return s + " x" }))
		}),
	)...)
}
