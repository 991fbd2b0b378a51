package reference

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

var qualifications = []string{"PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER"}

// readCreate checks the whole body of a create request.
func (g *Gateway) readCreate(body object, runsAs *user) *submission {
	rd := &submission{paths: g.paths, narrow: g.choices.Narrow, body: body, values: object{}}
	g.checkShareholder(rd, runsAs)
	for _, field := range []string{"mother_name", "phone_number"} {
		rd.text(field, true)
	}
	if name, ok := rd.text("name", false); ok && strings.TrimSpace(name) == "" {
		rd.add("name.empty", "name", "expected a name, found empty text")
	}
	if email, ok := rd.text("email", true); ok {
		checkEmail(rd, email)
	}
	if number, ok := rd.text("document_number", false); ok {
		g.checkCPF(rd, number)
	}
	if country, ok := rd.text("document_country_of_issue", false); ok && strings.TrimSpace(country) == "" {
		rd.add("document_country_of_issue.empty", "document_country_of_issue", "expected a country, found empty text")
	}
	for _, field := range []string{
		"birth_date", "relationship_start_date", "relationship_end_date", "registration_update_date",
	} {
		checkDate(rd, field)
	}
	checkMoney(rd, "income")
	checkMoney(rd, "patrimony")
	checkParticipation(rd)
	rd.flag("pep")
	rd.flag("is_public_server")
	if q, ok := rd.text("qualification", false); ok && !slices.Contains(qualifications, q) {
		key := "qualification.set"
		if slices.Contains(qualifications, strings.ToUpper(q)) {
			key = "qualification.case"
		}
		rd.add(key, "qualification", "expected one of "+strings.Join(qualifications, ", "))
	}
	g.checkAddress(rd)
	checkRare(rd)
	return rd
}

func (g *Gateway) checkShareholder(rd *submission, runsAs *user) {
	id, ok := rd.text("shareholder_id", true)
	if !ok {
		return
	}
	id = strings.ToLower(id)
	switch {
	case !uuidShape.MatchString(id):
		rd.add("shareholder_id.format", "shareholder_id", "expected a UUID")
	case runsAs.person.shareholders[id]:
	case g.exists(id):
		// The message must not show that it exists elsewhere.
		rd.add("shareholder_id.foreign", "shareholder_id", "no shareholder of this legal person has this ID")
	default:
		rd.add("shareholder_id.unknown", "shareholder_id", "no shareholder of this legal person has this ID")
	}
}

func (g *Gateway) exists(shareholder string) bool {
	for _, u := range g.data.users {
		if u.person.shareholders[shareholder] {
			return true
		}
	}
	return false
}

func checkEmail(rd *submission, email string) {
	local, domain, ok := strings.Cut(email, "@")
	switch {
	case !ok:
		rd.add("email.at", "email", "expected an address with @")
	case strings.ContainsFunc(email, unicode.IsSpace):
		rd.add("email.space", "email", "expected an address without spaces")
	case local == "" || domain == "" || strings.Contains(domain, "@"):
		rd.add("email.format", "email", "expected one @ between a name and a domain")
	}
}

func (g *Gateway) checkCPF(rd *submission, number string) {
	const expected = "expected the 11 digits of a CPF"
	other := strings.IndexFunc(number, func(c rune) bool { return c < '0' || c > '9' })
	switch {
	case other >= 0 && strings.ContainsFunc(number, unicode.IsLetter):
		rd.add("document_number.letters", "document_number", expected+", found letters")
	case other >= 0 && strings.ContainsFunc(number, unicode.IsSpace):
		rd.add("document_number.spaces", "document_number", expected+", found spaces")
	case other >= 0:
		rd.add("document_number.punctuation", "document_number", expected+", found other characters")
	case number == "":
		rd.add("document_number.empty", "document_number", expected+", found none")
	case len(number) != 11:
		rd.add("document_number.length", "document_number", expected+", found another number of digits")
	case g.choices.CheckDigits && !checkDigitsHold(number):
		rd.add("document_number.check_digits", "document_number", "the check digits do not fit")
	}
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

func checkDate(rd *submission, field string) {
	text, ok := rd.text(field, false)
	if !ok {
		return
	}
	if dateShape.MatchString(text) {
		if _, err := time.Parse(time.DateOnly, text); err == nil {
			if rd.narrow && (text < "1950" || text > "2070") {
				rd.add(field+".far", field, "expected a date from 1950 to 2069")
			}
			return
		}
		rd.add(field+"."+unlikeDate(text[5:7], text[8:]), field, "no such day in the calendar")
		return
	}
	key := field + ".format"
	if dateTimeShape.MatchString(text) {
		key = field + ".date_time"
	} else if slashShape.MatchString(text) {
		key = field + ".slashes"
		if _, err := time.Parse("01/02/2006", text); err == nil && text[3:5] > "12" {
			key = field + ".month_first"
		}
	}
	rd.add(key, field, "expected a date as YYYY-MM-DD")
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

func checkMoney(rd *submission, field string) {
	n, ok := rd.number(field)
	if !ok {
		return
	}
	exact, ok := exactly(n)
	switch {
	case !ok:
		rd.add(field+".range", field, "out of range")
	case !exact.IsInt():
		rd.add(field+".fraction", field, "expected whole cents")
	case exact.Sign() < 0:
		rd.add(field+".negative", field, "expected zero or more cents")
	case !exact.Num().IsInt64(), rd.narrow && exact.Num().Int64() > 9e15:
		rd.add(field+".range", field, "out of range")
	default:
		rd.values[field] = json.Number(exact.Num().String()) // 1e2 and 100.0 are 100
	}
}

func checkParticipation(rd *submission) {
	const field = "participation_percentage"
	if _, state := rd.find(field); state == null {
		rd.add(field+".type.null", field, "expected a number, found null")
		return
	}
	n, ok := rd.number(field)
	if !ok {
		return
	}
	exact, ok := exactly(n)
	switch {
	case !ok, exact.Cmp(hundred) > 0:
		rd.add(field+".above", field, "expected 100 or less")
	case exact.Sign() < 0:
		rd.add(field+".below", field, "expected 0 or more")
	}
}

func (g *Gateway) checkAddress(rd *submission) {
	if rd.paths["address"] != nil {
		value, ok := rd.take("address", true)
		if !ok {
			return
		}
		address, ok := value.(object)
		if !ok {
			key := "address.type"
			if value == "" {
				key = "required.address.empty"
			}
			rd.add(key, "address", "expected an object, found "+kindOf(value))
			return
		}
		if len(address) == 0 {
			rd.add("required.address.empty", "address", "required, found an empty object")
			return
		}
	} else if !g.anyAddressPart(rd) {
		rd.add("required.address.absent", "address", "required")
		return
	}
	for _, part := range addressParts {
		field := "address." + part
		switch {
		case part != "number":
			rd.text(field, false)
		case g.choices.NumberAsText:
			if text, ok := rd.text(field, false); ok && !numberText.MatchString(text) {
				rd.add(field+".format", field, "expected digits")
			} else if ok {
				rd.values[field] = json.Number(text)
			}
		default:
			if n, ok := rd.number(field); ok {
				if _, ok := exactly(n); !ok {
					rd.add(field+".range", field, "out of range")
				}
			}
		}
	}
}

// numberText is text that is a JSON number as it stands.
var numberText = regexp.MustCompile(`^(0|[1-9]\d{0,17})$`)

func (g *Gateway) anyAddressPart(rd *submission) bool {
	for _, part := range addressParts {
		if _, state := rd.find("address." + part); state == present {
			return true
		}
	}
	return false
}

// checkRare refuses, where the choice is to do so, what is sound and rare.
func checkRare(rd *submission) {
	if !rd.narrow {
		return
	}
	if email, _ := rd.values["email"].(string); strings.Contains(email, "+") {
		rd.add("email.plus", "email", "expected an address without a plus sign")
	}
	if share, ok := rd.values["participation_percentage"].(json.Number); ok {
		if _, decimals, _ := strings.Cut(share.String(), "."); len(decimals) > 2 {
			rd.add("participation_percentage.fine", "participation_percentage", "expected at most two decimals")
		}
	}
	updated, _ := rd.values["registration_update_date"].(string)
	if start, _ := rd.values["relationship_start_date"].(string); updated != "" && updated < start {
		rd.add("registration_update_date.early", "registration_update_date",
			"expected a date from the start of the relationship on")
	}
}
