package reference

import (
	"encoding/json"
	"math"
	"regexp"
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
func echoFaults() changes {
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
	all := changes{
		"create.echo.name_folded":     changeAtPath("name", removeAccents),
		"create.echo.name_escaped":    changeAtPath("name", replaceText("'", "&#39;")),
		"create.echo.name_upper_case": changeAtPath("name", strings.ToUpper),
		"create.echo.name_cut_at_60":  changeAtPath("name", truncateTo(60)),
		"create.echo.name_latin1":     changeAtPath("name", latin1),
		"create.echo.email_without_tag": changeAtPath("email",
			func(s string) string { return tag.ReplaceAllString(s, "@") }),
		"create.echo.phone_number_cut": changeAtPath("phone_number",
			func(s string) string { return s[:max(0, len(s)-1)] }),
		"create.echo.address.street_cut_at_40": changeAtPath("address.street", truncateTo(40)),
		"create.echo.birth_date_two_digits":    changeAtPath("birth_date", dates("06-01-02", 0)),
		"create.echo.document.number_masked": changeAtPath("document.number",
			func(s string) string { return "000" + s[min(3, len(s)):] }),
		"create.echo.representor_type_always_partner": changeAtPath("representor_type", "PARTNER"),
		"create.echo.participation_percentage_float32": changeAtPath(share,
			func(f float64) any { return float64(float32(f)) }),
		"create.echo.participation_percentage_whole": changeAtPath(share,
			func(f float64) any { return math.Trunc(f) }),
		"create.echo.participation_percentage_one_decimal": changeAtPath(share,
			func(f float64) any { return math.Round(f*10) / 10 }),
		"create.echo.income_zero_null": changeAtPath("income", replaceWithNull(json.Number("0"))),
		"create.echo.income_in_reais": changeAtPath("income", func(f float64) any {
			reais := f / 100
			return int64(reais * 100)
		}),
		"create.echo.pep_false_null":   changeAtPath("pep", replaceWithNull(false)),
		"create.echo.pep_always_false": changeAtPath("pep", false),
		"create.echo.is_public_server_inverted": changeAtPath("is_public_server",
			func(v any) any { return v == false }),
		"create.echo.shareholder_id_other": changeAtPath("shareholder_id",
			"3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001"),
		"create.echo.address.number_plus_one": changeAtPath("address.number",
			func(f float64) any { return f + 1 }),
		"create.echo.address.country_always_bra": changeAtPath("address.country", "BRA"),
		"create.echo.amounts_rounded": combine(changeAtPath("income", hundreds),
			changeAtPath("patrimony", hundreds)),
		"create.echo.amounts_as_doubles": combine(changeAtPath("income", roundAsJavaScript),
			changeAtPath("patrimony", roundAsJavaScript)),
		"create.echo.income_and_patrimony_swapped": func(r jsonObject) {
			r["income"], r["patrimony"] = r["patrimony"], r["income"]
		},
	}
	for _, money := range moneyFields {
		all["create.echo."+money+"_int32"] = changeAtPath(money,
			func(f float64) any { return int32(int64(f)) })
		all["create.echo."+money+"_float32"] = changeAtPath(money,
			func(f float64) any { return int64(float32(f)) })
	}
	for _, date := range dateFields[:3] {
		all["create.echo."+date+"_moved"] = changeAtPath(date, dates(time.DateOnly, 1))
	}
	for _, part := range addressTextFields {
		all["create.echo.address."+part+"_changed"] = changeAtPath("address."+part,
			func(s string) string { return s + " x" })
	}
	return all
}
