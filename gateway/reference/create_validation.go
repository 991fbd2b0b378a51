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
	if _, ok := q.takeText("email", true); ok {
		q.misshapen("email", wrongEmails, "expected one @ between a name and a domain, and no spaces")
	}
	if _, ok := q.takeText("document_number", false); ok {
		q.checkCPF()
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

// shape is a way in which text is misshapen: the ending of the key, and a pattern.
type shape struct {
	ending  string
	pattern *regexp.Regexp
}

func shapes(pairs ...string) (all []shape) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, shape{"." + pairs[i], regexp.MustCompile(pairs[i+1])})
	}
	return all
}

// What is wrong with addresses, CPFs and dates: the first shape that they have.
var (
	wrongEmails = shapes("at", `^[^@]*$`, "control", `\p{Cc}`, "space", `[\s\pZ]`, "format", `^@|@$|@.*@`)
	wrongCPFs   = shapes("letters", `\pL`, "spaces", `[\s\pZ]`, "punctuation", `[^0-9]`, "empty", `^$`,
		"length", `^([0-9]{1,10}|[0-9]{12,})$`)
	wrongDates = shapes("zero", `^\d{4}-(00-\d\d|\d\d-00)$`, "month", `^\d{4}-(1[3-9]|[2-9]\d)-\d\d$`,
		"day_32", `^\d{4}-\d\d-(3[2-9]|[4-9]\d)$`, "leap", `^\d{4}-02-29$`, "thirty_first", `^\d{4}-(0[^2]|1\d)-31$`,
		"day", dateShape.String(), "date_time", `^\d{4}-\d\d-\d\d[Tt ]\d\d`,
		"month_first", `^(0[1-9]|1[0-2])/(1[3-9]|2\d|3[01])/\d{4}$`, "slashes", `^\d{1,4}/\d{1,2}/\d{1,4}$`, "format", ``)
	dateShape = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
)

// misshapen reports whether the text of a field has one of some shapes, and notes it.
func (q *call) misshapen(field string, wrong []shape, message string) bool {
	i := slices.IndexFunc(wrong, func(s shape) bool { return s.pattern.MatchString(q.text(field)) })
	if i >= 0 {
		q.spoilt(field, wrong[i].ending, message)
	}
	return i >= 0
}

func (q *call) checkCPF() {
	const field, message = "document_number", "expected the 11 digits of a CPF"
	if !q.misshapen(field, wrongCPFs, message) && q.g.choices.CheckDigits && !checkDigitsHold(q.text(field)) {
		q.spoilt(field, ".check_digits", message)
	}
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

func (q *call) checkDate(field string) {
	text, ok := q.takeText(field, false)
	if !ok {
		return
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		q.misshapen(field, wrongDates, "expected a day as YYYY-MM-DD")
	} else if q.g.choices.Narrow && (text < "1950" || text > "2070") {
		q.spoilt(field, ".far", "expected a date from 1950 to 2069")
	}
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
