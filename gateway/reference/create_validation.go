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

// readCreate checks the whole body of a create request.
func (q *call) readCreate() {
	q.checkShareholder()
	for _, field := range []string{"mother_name", "phone_number"} {
		q.takeText(field)
	}
	if _, ok := q.takeText("email"); ok {
		q.misshapen("email", wrongEmails, "expected one @ between a name and a domain, and no spaces")
	}
	if _, ok := q.takeText("document_number"); ok {
		q.misshapen("document_number", wrongCPFs, "expected the 11 digits of a CPF")
	}
	for _, field := range []string{"name", "document_country_of_issue"} {
		if text, ok := q.takeText(field); ok && strings.TrimSpace(text) == "" {
			q.spoilt(field, ".empty", "found empty text")
		}
	}
	for _, field := range dateFields {
		text, ok := q.takeText(field)
		if _, err := time.Parse(time.DateOnly, text); ok && err != nil {
			q.misshapen(field, wrongDates, "expected a day as YYYY-MM-DD")
		}
	}
	for _, field := range moneyFields {
		q.checkMoney(field)
	}
	q.checkParticipation()
	for _, flag := range flagFields {
		value, ok := q.take(flag)
		if _, isFlag := value.(bool); ok && !isFlag {
			q.spoilt(flag, "."+kindOf(value), "expected true or false, found "+kindOf(value))
		}
	}
	if given, ok := q.takeText("qualification"); ok && !slices.Contains(qualifications, given) {
		ending := ".set"
		if slices.Contains(qualifications, strings.ToUpper(given)) {
			ending = ".case"
		}
		q.spoilt("qualification", ending, "expected one of "+strings.Join(qualifications, ", "))
	}
	q.checkAddress()
}

func (q *call) checkShareholder() {
	// It must not show that a shareholder exists elsewhere.
	const unknown = "no shareholder of this legal person has this ID"
	id, ok := q.takeText("shareholder_id")
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

// misshapen notes where the text of a field has one of some shapes.
func (q *call) misshapen(field string, wrong []shape, message string) {
	i := slices.IndexFunc(wrong, func(s shape) bool { return s.pattern.MatchString(q.text(field)) })
	if i >= 0 {
		q.spoilt(field, wrong[i].ending, message)
	}
}

func (q *call) checkMoney(field string) {
	switch exact, ok := q.takeNumber(field); {
	case !ok:
	case exact == nil:
		q.spoilt(field, ".range", "out of range")
	case !exact.IsInt():
		q.spoilt(field, ".fraction", "expected whole cents")
	case exact.Sign() < 0:
		q.spoilt(field, ".negative", "expected zero or more cents")
	case !exact.Num().IsInt64():
		q.spoilt(field, ".range", "out of range")
	default:
		q.values[field] = json.Number(exact.Num().String()) // 1e2 and 100.0 are 100
	}
}

func (q *call) checkParticipation() {
	const field = "participation_percentage"
	if _, lacking := q.find(field); lacking == "null" {
		q.spoilt(field, ".type.null", "expected a number, found null")
	}
	switch exact, ok := q.takeNumber(field); {
	case !ok:
	case exact == nil || exact.Cmp(big.NewRat(100, 1)) > 0:
		q.spoilt(field, ".above", "expected 100 or less")
	case exact.Sign() < 0:
		q.spoilt(field, ".below", "expected 0 or more")
	}
}

func (q *call) checkAddress() {
	if q.g.paths["address"] != nil {
		value, ok := q.take("address")
		address, isObject := value.(object)
		switch {
		case !ok:
			return
		case value == "" || isObject && len(address) == 0:
			q.spoilt("address", "required.empty", "required, found nothing in it")
			return
		case !isObject:
			q.spoilt("address", ".type", "expected an object, found "+kindOf(value))
			return
		}
	} else if !slices.ContainsFunc(addressParts, func(part string) bool {
		_, lacking := q.find("address." + part)
		return lacking == ""
	}) {
		q.spoilt("address", "required.absent", "required")
		return
	}
	for _, part := range addressParts {
		field := "address." + part
		if part == "number" && !q.g.choices.NumberAsText {
			if exact, ok := q.takeNumber(field); ok && exact == nil {
				q.spoilt(field, ".range", "out of range")
			}
			continue
		}
		text, ok := q.takeText(field)
		switch {
		case !ok || part != "number":
		case !numberText.MatchString(text):
			q.spoilt(field, ".format", "expected digits")
		default:
			q.values[field] = json.Number(text)
		}
	}
}

// numberText is text that is a JSON number as it stands.
var numberText = regexp.MustCompile(`^(0|[1-9]\d{0,17})$`)
