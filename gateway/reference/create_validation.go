package reference

import (
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
)

// validateCreation checks the body of a create request.
func (q *request) validateCreation() {
	q.checkShareholder()
	for _, field := range []string{"mother_name", "phone_number"} {
		q.takeText(field)
	}
	if _, ok := q.takeText("email"); ok {
		q.addMalformation("email", emailMalformations,
			"expected one @ between a name and a domain, and no spaces")
	}
	if _, ok := q.takeText("document_number"); ok {
		q.addMalformation("document_number", cpfMalformations, "expected the 11 digits of a CPF")
	}
	for _, field := range []string{"name", "document_country_of_issue"} {
		if text, ok := q.takeText(field); ok && strings.TrimSpace(text) == "" {
			q.addFieldDefect(field, ".empty", "found empty text")
		}
	}
	for _, field := range dateFields {
		text, ok := q.takeText(field)
		if _, err := time.Parse(time.DateOnly, text); ok && err != nil {
			q.addMalformation(field, dateMalformations, "expected a day as YYYY-MM-DD")
		}
	}
	for _, field := range moneyFields {
		q.checkMoney(field)
	}
	q.checkParticipation()
	for _, flag := range booleanFields {
		value, ok := q.takeField(flag)
		if _, isFlag := value.(bool); ok && !isFlag {
			q.addFieldDefect(flag, "."+jsonKindOf(value), "expected true or false, found "+jsonKindOf(value))
		}
	}
	if given, ok := q.takeText("qualification"); ok && !slices.Contains(qualifications, given) {
		ending := ".set"
		if slices.Contains(qualifications, strings.ToUpper(given)) {
			ending = ".case"
		}
		q.addFieldDefect("qualification", ending, "expected one of "+strings.Join(qualifications, ", "))
	}
	q.checkAddress()
}

func (q *request) checkShareholder() {
	// The message must not reveal that another legal person has the shareholder.
	const unknown = "no shareholder of this legal person has this ID"
	id, ok := q.takeText("shareholder_id")
	id = strings.ToLower(id)
	switch {
	case !ok, q.runsAs.person.shareholders[id]:
	case !uuidPattern.MatchString(id):
		q.addFieldDefect("shareholder_id", ".format", "expected a UUID")
	case slices.ContainsFunc(slices.Collect(maps.Values(q.gateway.data.users)),
		func(u *user) bool { return u.person.shareholders[id] }):
		q.addFieldDefect("shareholder_id", ".foreign", unknown)
	default:
		q.addFieldDefect("shareholder_id", ".unknown", unknown)
	}
}

// malformation is a way in which text is malformed: the ending of the defect's key, and a
// pattern.
type malformation struct {
	ending  string
	pattern *regexp.Regexp
}

func newMalformations(pairs ...string) (all []malformation) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, malformation{"." + pairs[i], regexp.MustCompile(pairs[i+1])})
	}
	return all
}

// Malformations of e-mail addresses, CPFs and dates. The first match counts.
var (
	emailMalformations = newMalformations("at", `^[^@]*$`, "control", `\p{Cc}`, "space", `[\s\pZ]`,
		"format", `^@|@$|@.*@`)
	cpfMalformations = newMalformations("letters", `\pL`, "spaces", `[\s\pZ]`, "punctuation",
		`[^0-9]`, "empty", `^$`, "length", `^([0-9]{1,10}|[0-9]{12,})$`)
	dateMalformations = newMalformations("zero", `^\d{4}-(00-\d\d|\d\d-00)$`, "month",
		`^\d{4}-(1[3-9]|[2-9]\d)-\d\d$`, "day_32", `^\d{4}-\d\d-(3[2-9]|[4-9]\d)$`, "leap",
		`^\d{4}-02-29$`, "thirty_first", `^\d{4}-(0[^2]|1\d)-31$`, "day", datePattern.String(),
		"date_time", `^\d{4}-\d\d-\d\d[Tt ]\d\d`, "month_first",
		`^(0[1-9]|1[0-2])/(1[3-9]|2\d|3[01])/\d{4}$`, "slashes", `^\d{1,4}/\d{1,2}/\d{1,4}$`, "format",
		``)
	datePattern = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
)

// addMalformation adds a defect for the first malformation of a text field, if there is one.
func (q *request) addMalformation(field string, wrong []malformation, message string) {
	i := slices.IndexFunc(wrong,
		func(s malformation) bool { return s.pattern.MatchString(q.textOfField(field)) })
	if i >= 0 {
		q.addFieldDefect(field, wrong[i].ending, message)
	}
}

func (q *request) checkMoney(field string) {
	switch exact, ok := q.takeNumber(field); {
	case !ok:
	case exact == nil:
		q.addFieldDefect(field, ".range", "out of range")
	case !exact.IsInt():
		q.addFieldDefect(field, ".fraction", "expected whole cents")
	case exact.Sign() < 0:
		q.addFieldDefect(field, ".negative", "expected zero or more cents")
	case !exact.Num().IsInt64():
		q.addFieldDefect(field, ".range", "out of range")
	default:
		q.values[field] = json.Number(exact.Num().String()) // normalizes 1e2 and 100.0 to 100
	}
}

func (q *request) checkParticipation() {
	const field = "participation_percentage"
	if _, lacking := q.lookupField(field); lacking == "null" {
		q.addFieldDefect(field, ".type.null", "expected a number, found null")
	}
	switch exact, ok := q.takeNumber(field); {
	case !ok:
	case exact == nil || exact.Cmp(big.NewRat(100, 1)) > 0:
		q.addFieldDefect(field, ".above", "expected 100 or less")
	case exact.Sign() < 0:
		q.addFieldDefect(field, ".below", "expected 0 or more")
	}
}

func (q *request) checkAddress() {
	if q.gateway.paths["address"] != nil {
		value, ok := q.takeField("address")
		address, isObject := value.(jsonObject)
		switch {
		case !ok:
			return
		case value == "" || isObject && len(address) == 0:
			q.addFieldDefect("address", "required.empty", "required, found nothing in it")
			return
		case !isObject:
			q.addFieldDefect("address", ".type", "expected an object, found "+jsonKindOf(value))
			return
		}
	} else if !slices.ContainsFunc(addressParts, func(part string) bool {
		_, lacking := q.lookupField("address." + part)
		return lacking == ""
	}) {
		q.addFieldDefect("address", "required.absent", "required")
		return
	}
	for _, part := range addressParts {
		field := "address." + part
		if part == "number" && !q.gateway.choices.NumberAsText {
			if exact, ok := q.takeNumber(field); ok && exact == nil {
				q.addFieldDefect(field, ".range", "out of range")
			}
			continue
		}
		text, ok := q.takeText(field)
		switch {
		case !ok || part != "number":
		case !plainIntegerPattern.MatchString(text):
			q.addFieldDefect(field, ".format", "expected digits")
		default:
			q.values[field] = json.Number(text)
		}
	}
}

// plainIntegerPattern matches text that is also a JSON number.
var plainIntegerPattern = regexp.MustCompile(`^(0|[1-9]\d{0,17})$`)
