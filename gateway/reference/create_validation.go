package reference

import (
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

var (
	qualifications = []string{"PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER"}
	// dateFields are those of a creation that hold a date.
	dateFields = []string{
		"birth_date", "relationship_start_date", "relationship_end_date", "registration_update_date",
	}
)

// readCreate checks the whole body of a create request.
func (q *call) readCreate() {
	q.checkShareholder()
	for _, field := range []string{"mother_name", "phone_number"} {
		q.takeText(field, true)
	}
	if email, ok := q.takeText("email", true); ok {
		q.checkEmail(email)
	}
	if number, ok := q.takeText("document_number", false); ok {
		q.checkCPF(number)
	}
	for _, field := range []string{"name", "document_country_of_issue"} {
		if text, ok := q.takeText(field, false); ok && strings.TrimSpace(text) == "" {
			q.spoilt(field, ".empty", "found empty text")
		}
	}
	for _, field := range dateFields {
		q.checkDate(field)
	}
	q.checkMoney("income")
	q.checkMoney("patrimony")
	q.checkParticipation()
	for _, flag := range []string{"pep", "is_public_server"} {
		value, ok := q.take(flag, false)
		if _, isFlag := value.(bool); ok && !isFlag {
			q.spoilt(flag, "."+kindOf(value), "expected true or false, found "+kindOf(value))
		}
	}
	if given, ok := q.takeText("qualification", false); ok && !slices.Contains(qualifications, given) {
		ending := ".set"
		if slices.Contains(qualifications, strings.ToUpper(given)) {
			ending = ".case"
		}
		q.spoilt("qualification", ending, "expected one of "+strings.Join(qualifications, ", "))
	}
	q.checkAddress()
	if q.g.choices.Narrow {
		q.checkRare()
	}
}

func (q *call) checkShareholder() {
	// It must not show that a shareholder exists elsewhere.
	const unknown = "no shareholder of this legal person has this ID"
	id, ok := q.takeText("shareholder_id", true)
	id = strings.ToLower(id)
	switch {
	case !ok, q.runsAs.person.shareholders[id]:
	case !uuidShape.MatchString(id):
		q.spoilt("shareholder_id", ".format", "expected a UUID")
	case slices.ContainsFunc(slices.Collect(maps.Values(q.g.data.users)),
		func(u *user) bool { return u.person.shareholders[id] }):
		q.spoilt("shareholder_id", ".foreign", unknown)
	default:
		q.spoilt("shareholder_id", ".unknown", unknown)
	}
}

func (q *call) checkEmail(email string) {
	local, domain, ok := strings.Cut(email, "@")
	switch {
	case !ok:
		q.spoilt("email", ".at", "expected an address with @")
	case strings.ContainsFunc(email, unicode.IsControl):
		q.spoilt("email", ".control", "expected an address without control characters")
	case strings.ContainsFunc(email, unicode.IsSpace):
		q.spoilt("email", ".space", "expected an address without spaces")
	case local == "" || domain == "" || strings.Contains(domain, "@"):
		q.spoilt("email", ".format", "expected one @ between a name and a domain")
	}
}

func (q *call) checkCPF(number string) {
	ending := ""
	switch digits := digitsOf(number); {
	case digits != number && strings.ContainsFunc(number, unicode.IsLetter):
		ending = ".letters"
	case digits != number && strings.ContainsFunc(number, unicode.IsSpace):
		ending = ".spaces"
	case digits != number:
		ending = ".punctuation"
	case number == "":
		ending = ".empty"
	case len(number) != 11:
		ending = ".length"
	case q.g.choices.CheckDigits && !checkDigitsHold(number):
		ending = ".check_digits"
	default:
		return
	}
	q.spoilt("document_number", ending, "expected the 11 digits of a CPF")
}

// digitsOf are the digits of a text.
func digitsOf(text string) string {
	return strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, text)
}

// checkDigitsHold verifies the two check digits of a CPF of 11 digits.
func checkDigitsHold(number string) bool {
	if strings.Count(number, number[:1]) == len(number) {
		return false
	}
	for _, length := range []int{9, 10} {
		sum := 0
		for i := range length {
			sum += int(number[i]-'0') * (length + 1 - i)
		}
		if sum*10%11%10 != int(number[length]-'0') {
			return false
		}
	}
	return true
}

var (
	dateShape     = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	dateTimeShape = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[Tt ]\d{2}`)
	slashShape    = regexp.MustCompile(`^\d{1,4}/\d{1,2}/\d{1,4}$`)
)

func (q *call) checkDate(field string) {
	text, ok := q.takeText(field, false)
	if !ok {
		return
	}
	ending, message := ".format", "expected a date as YYYY-MM-DD"
	_, err := time.Parse(time.DateOnly, text)
	_, american := time.Parse("01/02/2006", text)
	switch {
	case err == nil && q.g.choices.Narrow && (text < "1950" || text > "2070"):
		ending, message = ".far", "expected a date from 1950 to 2069"
	case err == nil:
		return
	case dateShape.MatchString(text):
		ending, message = "."+unlikeDate(text[5:7], text[8:]), "this day does not exist"
	case dateTimeShape.MatchString(text):
		ending = ".date_time"
	case american == nil && text[3:5] > "12":
		ending = ".month_first"
	case slashShape.MatchString(text):
		ending = ".slashes"
	}
	q.spoilt(field, ending, message)
}

// unlikeDate says why no calendar has a day.
func unlikeDate(month, day string) string {
	switch {
	case month == "00" || day == "00":
		return "zero"
	case month > "12":
		return "month"
	case day > "31":
		return "day_32"
	case month == "02" && day == "29":
		return "leap"
	case day == "31" && month != "02":
		return "thirty_first"
	}
	return "day"
}

// exactly reads a JSON number without rounding; false: it is too long, or far beyond every bound.
func exactly(n json.Number) (*big.Rat, bool) {
	const longest = 64
	text := string(n)
	f, err := strconv.ParseFloat(text, 64)
	if len(text) > longest || err != nil || f > 1e30 || f < -1e30 {
		return nil, false
	}
	// A tiny exponent would make an enormous denominator.
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); ok {
		if e, err := strconv.Atoi(exponent); err != nil || e < -400 || e > 400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

var hundred = big.NewRat(100, 1)

func (q *call) checkMoney(field string) {
	n, ok := q.takeNumber(field)
	if !ok {
		return
	}
	exact, ok := exactly(n)
	switch {
	case !ok:
		q.spoilt(field, ".range", "out of range")
	case !exact.IsInt():
		q.spoilt(field, ".fraction", "expected whole cents")
	case exact.Sign() < 0:
		q.spoilt(field, ".negative", "expected zero or more cents")
	case !exact.Num().IsInt64(), q.g.choices.Narrow && exact.Num().Int64() > 9e15:
		q.spoilt(field, ".range", "out of range")
	default:
		q.values[field] = json.Number(exact.Num().String()) // 1e2 and 100.0 are 100
	}
}

func (q *call) checkParticipation() {
	const field = "participation_percentage"
	if _, state := q.find(field); state == null {
		q.spoilt(field, ".type.null", "expected a number, found null")
		return
	}
	if n, ok := q.takeNumber(field); ok {
		if exact, ok := exactly(n); !ok || exact.Cmp(hundred) > 0 {
			q.spoilt(field, ".above", "expected 100 or less")
		} else if exact.Sign() < 0 {
			q.spoilt(field, ".below", "expected 0 or more")
		}
	}
}

// text is what a request gives as a field, if that is text.
func (q *call) text(field string) string {
	text, _ := q.values[field].(string)
	return text
}

// checkRare refuses what is sound and rare.
func (q *call) checkRare() {
	if strings.Contains(q.text("email"), "+") {
		q.spoilt("email", ".plus", "expected an address without a plus sign")
	}
	if share, ok := q.values["participation_percentage"].(json.Number); ok {
		if _, decimals, _ := strings.Cut(share.String(), "."); len(decimals) > 2 {
			q.spoilt("participation_percentage", ".fine", "expected at most two decimals")
		}
	}
	const updated = "registration_update_date"
	if q.text(updated) != "" && q.text(updated) < q.text("relationship_start_date") {
		q.spoilt(updated, ".early", "expected a date on or after the start of the relationship")
	}
}
