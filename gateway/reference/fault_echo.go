package reference

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// truncateTo returns a function that cuts text to n characters.
func truncateTo(n int) func(string) string {
	return func(s string) string {
		r := []rune(s)
		return string(r[:min(n, len(r))])
	}
}

// removeAccents removes accents from letters.
func removeAccents(s string) string {
	bare := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
	out, _, err := transform.String(bare, s)
	if err != nil {
		return s
	}
	return out
}

func removeNonASCII(s string) string { return nonASCIIPattern.ReplaceAllString(s, "") }

var nonASCIIPattern = regexp.MustCompile(nonASCIIClass)

// replaceWithNull returns a function that replaces a value with null.
func replaceWithNull(value any) func(any) any {
	return func(v any) any {
		if v == value {
			return nil
		}
		return v
	}
}

// echoFaults declares faults that answer something else than was sent.
func echoFaults() faultDeclarations {
	echo := func(name, path string, change any) faultDeclarations {
		return declareFault(name, changeAtPath(path, change))
	}
	// dates parses a date in a layout, adds some days and formats it as YYYY-MM-DD.
	dates := func(layout string, later int) func(string) string {
		return func(s string) string {
			day, _ := time.Parse(layout, s[max(0, len(s)-len(layout)):])
			return day.AddDate(0, 0, later).Format(time.DateOnly)
		}
	}
	// latin1 misreads UTF-8 as ISO 8859-1.
	latin1 := func(s string) string {
		read, _ := charmap.ISO8859_1.NewDecoder().String(s)
		return read
	}
	hundreds := func(f float64) any { return math.Round(f/100) * 100 }
	tag := regexp.MustCompile(`\+.*@`)
	const share = "participation_percentage"
	return slices.Concat(
		mishandlingFaults("echoes"),
		echo("create.echo.name_folded", "name", removeAccents),
		echo("create.echo.name_escaped", "name", replaceText("'", "&#39;")),
		echo("create.echo.name_upper_case", "name", strings.ToUpper),
		echo("create.echo.name_cut_at_60", "name", truncateTo(60)),
		echo("create.echo.name_latin1", "name", latin1),
		echo("create.echo.email_without_tag",
			"email", func(s string) string { return tag.ReplaceAllString(s, "@") }),
		echo("create.echo.phone_number_cut",
			"phone_number", func(s string) string { return s[:max(0, len(s)-1)] }),
		echo("create.echo.address.street_cut_at_40", "address.street", truncateTo(40)),
		echo("create.echo.birth_date_two_digits", "birth_date", dates("06-01-02", 0)),
		echo("create.echo.document.number_masked",
			"document.number", func(s string) string { return "000" + s[min(3, len(s)):] }),
		echo("create.echo.representor_type_always_partner", "representor_type", "PARTNER"),
		echo("create.echo.participation_percentage_float32",
			share, func(f float64) any { return float64(float32(f)) }),
		echo("create.echo.participation_percentage_whole",
			share, func(f float64) any { return math.Trunc(f) }),
		echo("create.echo.participation_percentage_one_decimal",
			share, func(f float64) any { return math.Round(f*10) / 10 }),
		echo("create.echo.income_zero_null", "income", replaceWithNull(json.Number("0"))),
		echo("create.echo.pep_false_null", "pep", replaceWithNull(false)),
		echo("create.echo.pep_always_false", "pep", false),
		echo("create.echo.is_public_server_inverted",
			"is_public_server", func(v any) any { return v == false }),
		echo("create.echo.shareholder_id_other",
			"shareholder_id", "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001"),
		echo("create.echo.address.number_plus_one",
			"address.number", func(f float64) any { return f + 1 }),
		echo("create.echo.address.country_always_bra", "address.country", "BRA"),
		declareFault("create.echo.amounts_rounded", changeAtPath("income", hundreds),
			changeAtPath("patrimony", hundreds)),
		declareFault("create.echo.amounts_as_doubles",
			changeAtPath("income", roundAsJavaScript), changeAtPath("patrimony", roundAsJavaScript)),
		declareFault("create.echo.income_and_patrimony_swapped",
			func(r jsonObject) { r["income"], r["patrimony"] = r["patrimony"], r["income"] }),
		faultsForEach(moneyFields, func(money string) faultDeclarations {
			return slices.Concat(
				echo("create.echo."+money+"_int32", money, func(f float64) any { return int32(int64(f)) }),
				echo("create.echo."+money+"_float32", money, func(f float64) any { return int64(float32(f)) }))
		}),
		faultsForEach(dateFields[:3], func(date string) faultDeclarations {
			return echo("create.echo."+date+"_moved", date, dates(time.DateOnly, 1))
		}),
		faultsForEach(addressTextFields, func(part string) faultDeclarations {
			return echo("create.echo.address."+part+"_changed",
				"address."+part, func(s string) string { return s + " x" })
		}),
	)
}
