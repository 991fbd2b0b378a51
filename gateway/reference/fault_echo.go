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
func cutTo(n int) func(any) any {
	return onText(func(s string) string {
		r := []rune(s)
		return string(r[:min(n, len(r))])
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

// folded loses accents.
func folded(s string) string {
	out, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s)
	if err != nil {
		return s
	}
	return out
}

func asciiOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}, s)
}

// latin1 reads UTF-8 as Latin-1.
func latin1(s string) string {
	var out []rune
	for _, b := range []byte(s) {
		out = append(out, rune(b))
	}
	return string(out)
}

// otherDay is another day of the same month.
func otherDay(s string) string {
	switch {
	case len(s) != 10:
		return s
	case s[8:] == "01":
		return s[:8] + "02"
	}
	return s[:8] + "01"
}

func reversed(s string) string {
	digits := []byte(s)
	slices.Reverse(digits)
	return string(digits)
}

func untagged(s string) string {
	local, domain, _ := strings.Cut(s, "@")
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + domain
}

// echoFaults give back something else than was sent.
func echoFaults() faults {
	echo := func(name, path, statement string, change func(any) any) faults {
		return spoiled(name, "echo."+path, statement, path, change)
	}
	share := func(name, statement string, change func(float64) any) faults {
		return echo(name, "participation_percentage", statement, onNumber(change))
	}
	return slices.Concat(mishandled(creating,
		kind("create.echo.name_accents_rejected", "echo.name", "names with accents", "name=accents"),
		kind("create.echo.name_apostrophe_rejected", "echo.name", "names with apostrophes", "name=apostrophe"),
		kind("create.echo.pep_true_rejected", "echo.pep", "politically exposed persons", "pep=true"),
		kind("create.echo.is_public_server_true_rejected", "echo.is_public_server",
			"public servants", "is_public_server=true"),
	),
		echo("create.echo.name_folded", "name", "loses the accents of names", onText(folded)),
		echo("create.echo.name_escaped", "name", "escapes the apostrophes of names", replaced("'", "&#39;")),
		echo("create.echo.name_upper_case", "name", "writes names in capitals", onText(strings.ToUpper)),
		echo("create.echo.name_cut", "name", "cuts names to 20 characters", cutTo(20)),
		echo("create.echo.name_cut_at_60", "name", "cuts names to 60 characters", cutTo(60)),
		echo("create.echo.name_without_hyphens", "name", "replaces the hyphens of names with spaces", replaced("-", " ")),
		echo("create.echo.name_latin1", "name", "breaks the encoding of names", onText(latin1)),
		echo("create.echo.email_without_tag", "email", "drops what follows a plus sign in e-mail addresses",
			onText(untagged)),
		echo("create.echo.email_changed", "email", "answers another e-mail address",
			onText(func(s string) string { return "x" + s })),
		echo("create.echo.phone_number_cut", "phone_number", "loses the last digit of phone numbers",
			onText(func(s string) string { return s[:max(0, len(s)-1)] })),
		echo("create.echo.address.street_cut_at_40", "address.street", "cuts streets to 40 characters", cutTo(40)),
		echo("create.echo.birth_date_two_digits", "birth_date", "keeps two digits of the year of birth",
			century("20", func(date string) bool { return date[:4] < "1969" })),
		echo("create.echo.relationship_end_date_two_digits", "relationship_end_date",
			"keeps two digits of the year in which a relationship ends",
			century("19", func(date string) bool { return date[:4] > "2068" })),
		spoiled("create.default.registration_leap_day", "default.registration_update_date_kept",
			"moves a registration update on 29 February to the day before",
			"registration_update_date", replaced("-02-29", "-02-28")),
		echo("create.echo.document.number_masked", "document.number", "masks the CPF",
			onText(func(s string) string { return "000" + s[min(3, len(s)):] })),
		echo("create.echo.document.number_reversed", "document.number", "answers the digits of the CPF in reverse",
			onText(reversed)),
		echo("create.echo.representor_type_always_partner", "representor_type", "answers PARTNER whatever was sent",
			constant("PARTNER")),
		echo("create.echo.representor_type_never_attorney", "representor_type", "answers ATTORNEY as OTHER",
			replaced("ATTORNEY", "OTHER")),
		share("create.echo.participation_percentage_float32", "stores participations in 32 bits",
			func(f float64) any { return float64(float32(f)) }),
		share("create.echo.participation_percentage_whole", "drops the decimals of participations",
			func(f float64) any { return math.Trunc(f) }),
		share("create.echo.participation_percentage_one_decimal", "rounds participations to one decimal",
			func(f float64) any { return math.Round(f*10) / 10 }),
		share("create.echo.participation_percentage_as_share", "answers participations as a share of 1",
			func(f float64) any { return f / 100 }),
		echo("create.echo.income_zero_null", "income", "answers null for an income of 0", whenSent(func(v any) any {
			if v == json.Number("0") {
				return nil
			}
			return v
		})),
		echo("create.echo.pep_false_null", "pep", "answers null for a pep of false", whenSent(func(v any) any {
			if v == false {
				return nil
			}
			return v
		})),
		echo("create.echo.pep_always_false", "pep", "answers false whatever was sent as pep", constant(false)),
		echo("create.echo.pep_always_true", "pep", "answers true whatever was sent as pep", constant(true)),
		echo("create.echo.is_public_server_always_false", "is_public_server",
			"answers false whatever was sent as is_public_server", constant(false)),
		echo("create.echo.is_public_server_inverted", "is_public_server", "inverts is_public_server",
			whenSent(func(v any) any { return v == false })),
		echo("create.echo.shareholder_id_other", "shareholder_id", "answers another shareholder",
			constant("3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001")),
		echo("create.echo.address.number_plus_one", "address.number", "adds one to street numbers",
			onNumber(func(f float64) any { return f + 1 })),
		recorded("create.echo.income_and_patrimony_swapped", "echo.income", "swaps income and patrimony",
			func(r object) { r["income"], r["patrimony"] = r["patrimony"], r["income"] }),
		forEach([]string{"income", "patrimony"}, func(money string) faults {
			return slices.Concat(
				echo("create.echo."+money+"_int32", money, "keeps "+money+" in 32 bits",
					onNumber(func(f float64) any { return int32(int64(f)) })),
				echo("create.echo."+money+"_float32", money, "keeps "+money+" in a 32-bit float",
					onNumber(func(f float64) any { return int64(float32(f)) })),
				echo("create.echo."+money+"_whole_units", money, "drops the cents of "+money,
					onNumber(func(f float64) any { return int64(f) / 100 * 100 })))
		}),
		forEach(dateFields[:3], func(date string) faults {
			return echo("create.echo."+date+"_moved", date, "answers another day as "+date, onText(otherDay))
		}),
		forEach(addressTexts, func(part string) faults {
			return echo("create.echo.address."+part+"_changed", "address."+part, "answers another "+part,
				onText(func(s string) string { return s + " x" }))
		}),
	)
}

// crossedOnly are faults that are declared under a condition only.
func crossedOnly() faults {
	forgets := func(name, what string, part func(s *sighting) *string) faults {
		return fault(name, strings.TrimSuffix(name[len("replay."):], ".forgotten"),
			"without a replay value, does not compare the "+what,
			on(func(_ *call, s *sighting) { *part(s) = "" }).when(spelling(0).sends))
	}
	return slices.Concat(mishandled(creating, kind("create.header.language_rejected", "", "a language", "header.language")),
		spoiled("create.echo.document.number.zero_lost", "echo.document.number", "loses the zero that a CPF begins with",
			"document.number", onText(func(s string) string { return strings.TrimPrefix(s, "0") })),
		spoiled("create.echo.name.ascii_only", "echo.name", "drops letters of names that are not ASCII",
			"name", onText(asciiOnly)),
		fault("export.rows.some_lost", "", "loses a quarter of the quotes", on(func(_ *call, s *selected) {
			s.quotes = slices.DeleteFunc(s.quotes, func(q *quote) bool { return q.id < "4" })
		})),
		forgets("replay.none.other_body.forgotten", "body", func(s *sighting) *string { return &s.body }),
		forgets("replay.none.other_query.forgotten", "query", func(s *sighting) *string { return &s.query }),
		forgets("replay.none.other_user.forgotten", "user", func(s *sighting) *string { return &s.user }),
	)
}
