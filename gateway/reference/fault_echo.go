package reference

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// cutTo cuts text to a number of characters.
func cutTo(n int) func(string) string {
	return func(s string) string {
		r := []rune(s)
		return string(r[:min(n, len(r))])
	}
}

// folded loses accents.
func folded(s string) string {
	out, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s)
	if err != nil {
		return s
	}
	return out
}

func asciiOnly(s string) string { return runesReplaced(s, -1) }

// runesReplaced puts another character in place of what is not ASCII; -1: none.
func runesReplaced(s string, other rune) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return other
		}
		return r
	}, s)
}

// nullFor answers null for a value.
func nullFor(value any) func(any) any {
	return func(v any) any {
		if v == value {
			return nil
		}
		return v
	}
}

// echoFaults give back something else than was sent.
func echoFaults() faults {
	echo := func(name, path, statement string, change any) faults {
		return fault(name, "echo."+path, statement, at(path, change))
	}
	latin1 := func(s string) string { // UTF-8, read as Latin-1
		var out []rune
		for _, b := range []byte(s) {
			out = append(out, rune(b))
		}
		return string(out)
	}
	untagged := func(s string) string {
		local, domain, _ := strings.Cut(s, "@")
		local, _, _ = strings.Cut(local, "+")
		return local + "@" + domain
	}
	// century keeps two digits of years from one to another.
	century := func(first, from, to string) func(string) string {
		return func(s string) string {
			if from <= s && s < to {
				return first + s[2:]
			}
			return s
		}
	}
	otherDay := func(s string) string {
		if strings.HasSuffix(s, "-01") {
			return s[:8] + "02"
		}
		return s[:min(8, len(s))] + "01"
	}
	reversed := func(s string) string {
		digits := []byte(s)
		slices.Reverse(digits)
		return string(digits)
	}
	const share = "participation_percentage"
	return slices.Concat(mishandled(
		kind("create.echo.name_accents_rejected", "echo.name", "names with accents", "name", beyondASCII),
		kind("create.echo.name_apostrophe_rejected", "echo.name", "names with apostrophes", "name", has("'")),
		kind("create.echo.pep_true_rejected", "echo.pep", "politically exposed persons", "pep", is(true)),
		kind("create.echo.is_public_server_true_rejected", "echo.is_public_server", "public servants", "is_public_server", is(true)),
	),
		echo("create.echo.name_folded", "name", "loses the accents of names", folded),
		echo("create.echo.name_escaped", "name", "escapes the apostrophes of names", replaced("'", "&#39;")),
		echo("create.echo.name_quotes_doubled", "name", "doubles apostrophes in name, as SQL has them", replaced("'", "''")),
		echo("create.echo.name_upper_case", "name", "writes names in capitals", strings.ToUpper),
		echo("create.echo.name_cut", "name", "cuts names to 20 characters", cutTo(20)),
		echo("create.echo.name_cut_at_60", "name", "cuts names to 60 characters", cutTo(60)),
		echo("create.echo.name_without_hyphens", "name", "replaces the hyphens of names with spaces", replaced("-", " ")),
		echo("create.echo.name_latin1", "name", "breaks the encoding of names", latin1),
		echo("create.echo.email_without_tag", "email", "drops what follows a plus sign in e-mail addresses", untagged),
		echo("create.echo.email_changed", "email", "answers another e-mail address", func(s string) string { return "x" + s }),
		echo("create.echo.phone_number_cut", "phone_number", "loses the last digit of phone numbers",
			func(s string) string { return s[:max(0, len(s)-1)] }),
		echo("create.echo.address.street_cut_at_40", "address.street", "cuts streets to 40 characters", cutTo(40)),
		echo("create.echo.birth_date_two_digits", "birth_date", "keeps two digits of the year of birth", century("20", "1900", "1969")),
		echo("create.echo.relationship_end_date_two_digits", "relationship_end_date",
			"keeps two digits of the year in which a relationship ends", century("19", "2069", "3000")),
		echo("create.echo.document.number_masked", "document.number", "masks the CPF",
			func(s string) string { return "000" + s[min(3, len(s)):] }),
		echo("create.echo.document.number_reversed", "document.number", "answers the digits of the CPF in reverse", reversed),
		echo("create.echo.representor_type_always_partner", "representor_type", "answers PARTNER whatever was sent", "PARTNER"),
		echo("create.echo.representor_type_never_attorney", "representor_type", "answers ATTORNEY as OTHER", replaced("ATTORNEY", "OTHER")),
		echo("create.echo.participation_percentage_float32", share, "stores participations in 32 bits",
			func(f float64) any { return float64(float32(f)) }),
		echo("create.echo.participation_percentage_whole", share, "drops the decimals of participations",
			func(f float64) any { return math.Trunc(f) }),
		echo("create.echo.participation_percentage_one_decimal", share, "rounds participations to one decimal",
			func(f float64) any { return math.Round(f*10) / 10 }),
		echo("create.echo.participation_percentage_as_share", share, "answers participations as a share of 1",
			func(f float64) any { return f / 100 }),
		echo("create.echo.income_zero_null", "income", "answers null for an income of 0", nullFor(json.Number("0"))),
		echo("create.echo.pep_false_null", "pep", "answers null for a pep of false", nullFor(false)),
		echo("create.echo.pep_always_false", "pep", "answers false whatever was sent as pep", false),
		echo("create.echo.pep_always_true", "pep", "answers true whatever was sent as pep", true),
		echo("create.echo.is_public_server_always_false", "is_public_server",
			"answers false whatever was sent as is_public_server", false),
		echo("create.echo.is_public_server_inverted", "is_public_server", "inverts is_public_server",
			func(v any) any { return v == false }),
		echo("create.echo.shareholder_id_other", "shareholder_id", "answers another shareholder", "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001"),
		echo("create.echo.address.number_plus_one", "address.number", "adds one to street numbers", func(f float64) any { return f + 1 }),
		fault("create.echo.income_and_patrimony_swapped", "echo.income", "swaps income and patrimony",
			func(r object) { r["income"], r["patrimony"] = r["patrimony"], r["income"] }),
		forEach(moneyFields, func(money string) faults {
			return slices.Concat(
				echo("create.echo."+money+"_int32", money, "keeps "+money+" in 32 bits", func(f float64) any { return int32(int64(f)) }),
				echo("create.echo."+money+"_float32", money, "keeps "+money+" in a 32-bit float",
					func(f float64) any { return int64(float32(f)) }),
				echo("create.echo."+money+"_whole_units", money, "drops the cents of "+money,
					func(f float64) any { return int64(f) / 100 * 100 }))
		}),
		forEach(dateFields[:3], func(date string) faults {
			return echo("create.echo."+date+"_moved", date, "answers another day as "+date, otherDay)
		}),
		forEach(addressTexts, func(part string) faults {
			return echo("create.echo.address."+part+"_changed", "address."+part, "answers another "+part,
				func(s string) string { return s + " x" })
		}),
	)
}
