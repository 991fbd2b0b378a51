package reference

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
)

// create answers POST /v3/users/legal-representatives.
func (g *Gateway) create(w http.ResponseWriter, r *http.Request) {
	caller := g.authenticated(w, r, "create")
	if caller == nil {
		return
	}
	if !caller.mayCreate && !g.fault("create.permission.ignored") {
		status := http.StatusForbidden
		switch {
		case g.fault("create.permission.answered_401"):
			status = http.StatusUnauthorized
		case g.fault("create.permission.answered_400"):
			status = http.StatusBadRequest
		}
		g.refuse(w, r, status, "forbidden")
		return
	}
	raw, tooLarge, err := readBody(w, r, maxJSON)
	if err != nil && !tooLarge {
		return // the client is gone
	}
	transaction, nonce, runsAs, issues := g.createHeaders(r, caller)
	media := g.forgiven("create", mediaIssues(r))
	issues = append(issues, media...)
	if tooLarge {
		issues = append(issues, issue{"body.size", "", "the body is larger than 1 MiB"})
		g.refuseInvalid(w, r, "create", issues)
		return
	}
	body, more := parseObject(raw)
	if body != nil || len(media) == 0 { // what is declared as another type is not read
		issues = append(issues, more...)
	}
	if body == nil && (len(media) == 0 && g.broken.forgives.holds("create:"+more[0].Key) || g.understands(media)) {
		// What reads nothing notices nothing else.
		g.answer(w, http.StatusCreated, g.recordOf(&reading{values: object{}}))
		return
	}
	rd := &reading{}
	if body != nil {
		rd = g.readCreate(body, runsAs)
		issues = append(issues, rd.issues...)
	}
	issues = append(g.forgiven("create", issues), g.unwelcome("create", rd, r)...)
	if len(issues) > 0 {
		g.refuseInvalid(w, r, "create", issues)
		return
	}
	g.admit(w, r, runsAs, transaction, nonce, rd)
}

// understands tells a body of another type that a fault takes although it is no JSON.
func (g *Gateway) understands(issues []issue) bool {
	return slices.ContainsFunc(issues, func(i issue) bool {
		return i.Key == "body.media.form" && g.fault("create.body.form_accepted") || i.Key == "body.media.xml" && g.fault("create.body.xml_accepted")
	})
}

// admit stores the record under its transaction ID, or answers as a repeat is answered.
func (g *Gateway) admit(w http.ResponseWriter, r *http.Request, runsAs *user, transaction, nonce string, rd *reading) {
	record := g.recordOf(rd)
	data, err := json.Marshal(record)
	if err != nil {
		g.refuse(w, r, http.StatusInternalServerError, "internal")
		return
	}
	// The ID is the representative's own even where a fault hides it from the answer.
	made := &representative{id: rd.id, owner: runsAs.person, answer: data}
	earlier, nonceUsed := g.representatives.admit(g, runsAs.id, transaction, nonce, made)
	switch {
	case earlier != nil && g.fault("create.repeat.answered_500"):
		g.refuse(w, r, http.StatusInternalServerError, "internal")
	case earlier != nil && g.fault("create.repeat.answered_202_empty"):
		w.WriteHeader(http.StatusAccepted)
	case earlier != nil && g.fault("create.repeat.answered_302"):
		w.Header().Set("Location", "/")
		w.WriteHeader(http.StatusFound)
	case earlier != nil && g.fault("create.repeat.record_changes"):
		g.answerBytes(w, http.StatusOK, withOtherDocument(earlier.answer))
	case earlier != nil && g.choices.RepeatStatus == http.StatusConflict:
		g.refuse(w, r, http.StatusConflict, "conflict")
	case earlier != nil:
		g.answerBytes(w, g.choices.RepeatStatus, earlier.answer)
	case nonceUsed:
		g.refuse(w, r, http.StatusConflict, "nonce_used")
	default:
		g.answerBytes(w, g.createdStatus(), g.spoilBody(data))
	}
}

// withOtherDocument gives the document of a record another ID.
func withOtherDocument(record []byte) []byte {
	var fields map[string]json.RawMessage
	var document object
	if json.Unmarshal(record, &fields) != nil || json.Unmarshal(fields["document"], &document) != nil {
		return record
	}
	document["id"] = uuid.NewString()
	changed, err := json.Marshal(document)
	if err != nil {
		return record
	}
	fields["document"] = changed
	if changed, err = json.Marshal(fields); err != nil {
		return record
	}
	return changed
}

// spoilBody applies the faults of the record as text.
func (g *Gateway) spoilBody(data []byte) []byte {
	switch {
	case g.fault("create.success.body_empty"):
		return nil
	case g.fault("create.success.body_cut"):
		return data[:len(data)/2]
	case g.fault("create.success.body_list"):
		return slices.Concat([]byte("["), data, []byte("]"))
	}
	return data
}

func (g *Gateway) createdStatus() int {
	switch {
	case g.fault("create.success.status_200"):
		return http.StatusOK
	case g.fault("create.success.status_202"):
		return http.StatusAccepted
	}
	return http.StatusCreated
}

// recordOf is the legal representative that a request describes. Fields that were not sent are null, or left out.
func (g *Gateway) recordOf(rd *reading) object {
	sent := func(field string) any { return rd.values[field] }
	rd.id = uuid.NewString()
	address := object{"id": uuid.NewString()}
	for _, part := range addressParts {
		address[part] = sent("address." + part)
	}
	country := sent("document_country_of_issue")
	if country == nil {
		country = "BRA"
	}
	updated := sent("registration_update_date")
	if updated == nil {
		updated = sent("relationship_start_date")
	}
	record := object{
		"id": rd.id,
		"document": object{
			"id": uuid.NewString(), "type": "CPF", "number": sent("document_number"), "country_of_issue": country,
		},
		"address": address, "person_type": "NATURAL_PERSON", "registration_update_date": updated,
		"representor_type": sent("qualification"),
		"created_at":       g.now().UTC().Format(dateTimeMillis),
	}
	for _, field := range []string{
		"name", "income", "patrimony", "participation_percentage", "pep", "is_public_server", "phone_number", "email",
		"birth_date", "relationship_start_date", "relationship_end_date", "shareholder_id",
	} {
		record[field] = sent(field)
	}
	if g.choices.FlagsDefault {
		for _, flag := range []string{"pep", "is_public_server"} {
			if record[flag] == nil {
				record[flag] = false
			}
		}
	}
	g.spoilDefaults(rd, record)
	for _, spoil := range g.broken.record {
		spoil(record)
	}
	if g.choices.OmitAbsent {
		leaveOutNulls(record)
	}
	return record
}

// spoilDefaults applies the faults that depend on whether a field was sent.
func (g *Gateway) spoilDefaults(rd *reading, record object) {
	if len(g.broken.names) == 0 {
		return
	}
	document := record["document"].(object)
	given := rd.values["document_country_of_issue"] != nil
	switch {
	case !given && g.fault("create.default.country_missing"):
		document["country_of_issue"] = nil
	case !given && g.fault("create.default.country_br"):
		document["country_of_issue"] = "BR"
	case given && g.fault("create.default.country_overwritten"):
		document["country_of_issue"] = "BRA"
	}
	given = rd.values["registration_update_date"] != nil
	switch {
	case !given && g.fault("create.default.registration_today"):
		record["registration_update_date"] = g.now().UTC().Format(time.DateOnly)
	case !given && g.fault("create.default.registration_missing"):
		record["registration_update_date"] = nil
	case !given && g.fault("create.default.registration_end_date"):
		record["registration_update_date"] = record["relationship_end_date"]
	case given && g.fault("create.default.registration_overwritten"):
		record["registration_update_date"] = record["relationship_start_date"]
	}
}

func leaveOutNulls(record object) {
	for key, value := range record {
		if value == nil {
			delete(record, key)
		} else if inner, ok := value.(object); ok {
			leaveOutNulls(inner)
		}
	}
}

// unwelcome are sound features of a request that a fault refuses.
func (g *Gateway) unwelcome(operation string, rd *reading, r *http.Request) []issue {
	if len(g.broken.rejects) == 0 {
		return nil
	}
	var issues []issue
	refuse := func(feature string) {
		if g.broken.rejects.holds(operation + ":" + feature) {
			issues = append(issues, issue{"unwelcome", "", "not accepted here"})
		}
	}
	for field, value := range rd.values {
		refuse(field)
		switch v := value.(type) {
		case string:
			refuse(field + "=" + v)
			if strings.ContainsFunc(v, func(c rune) bool { return c > unicode.MaxASCII }) {
				refuse(field + "=accents")
			}
			if strings.Contains(v, "'") {
				refuse(field + "=apostrophe")
			}
			if strings.HasPrefix(v, "0") {
				refuse(field + "=zero")
			}
			if len(v) == 10 && dateShape.MatchString(v) && v[5:] == "02-29" {
				refuse(field + "=leap")
			}
		case bool:
			if v {
				refuse(field + "=true")
			} else {
				refuse(field + "=false")
			}
		case json.Number:
			refuse(field + "=" + string(v))
			if exact, ok := exactly(v); ok && exact.Cmp(int32Limit) > 0 {
				refuse(field + "=large")
			}
		}
	}
	language := "header.language=" + r.Header.Get("x-lang")
	if operation == "create" {
		language = "header.language=" + r.Header.Get(g.choices.CreateHeaders.Language)
	}
	refuse(language)
	if r.Header.Get("x-product-uuid") != "" {
		refuse("header.product")
		target := "x-product-target-user-uuid"
		if operation == "create" {
			target = g.choices.CreateHeaders.OnBehalfOf
		}
		if r.Header.Get(target) != "" {
			refuse("header.on_behalf_of")
		}
	}
	if operation == "export" && r.Header.Get("x-wallet-uuid") != "" {
		refuse("header.wallet")
	}
	return issues
}
