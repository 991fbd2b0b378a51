package reference

import (
	"encoding/json"
	"errors"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// create answers POST /v3/users/legal-representatives.
func (q *call) create() {
	if !q.authenticated() {
		return
	}
	if !q.caller.mayCreate {
		q.refuse(http.StatusForbidden, "forbidden")
		return
	}
	q.transaction, _ = q.headerID(q.names.TransactionID, "header.transaction_id", true)
	q.context()
	q.readObject()
	if q.values = (object{}); q.body != nil {
		q.g.pass(q, posted(q.body))
		q.readCreate()
	}
	if !q.refused() {
		q.admit()
	}
}

// legalRepresentative is one that was created.
type legalRepresentative struct {
	ID            string
	Owner, Caller string   // users for whom it was created, and by whom
	Answer        []byte   // its record, as it was first answered
	Documents     []string // the parts that were uploaded
}

// creation is what a creation is recognized by.
type creation struct{ user, transaction string }

// representative finds one by its ID; like keep it belongs into a step of work.
func (s *store) representative(id string) *legalRepresentative {
	var rep legalRepresentative
	if !s.get("representative", id, &rep) {
		return nil
	}
	return &rep
}

func (s *store) keepRepresentative(rep *legalRepresentative) { s.put("representative", rep.ID, rep) }

// admit makes the representative unless its transaction ID was used before.
func (q *call) admit() {
	record := q.record()
	fresh := &legalRepresentative{ID: record["id"].(string), Owner: q.runsAs.id, Caller: q.caller.id}
	q.g.pass(q, record)
	fresh.Answer, _ = json.Marshal(record) // strings, numbers and flags always can be
	key := creation{q.runsAs.id, q.transaction}
	q.g.pass(q, &key)
	place, store := key.user+" "+key.transaction, q.g.store
	q.once(func() bool {
		var id string
		if q.repeats(store.get("creation", place, &id)) {
			q.earlier = store.representative(id)
		}
		return q.earlier == nil
	}, func() {
		store.keepRepresentative(fresh)
		store.put("creation", place, fresh.ID)
	})
	switch status := q.g.choices.RepeatStatus; {
	case q.earlier != nil && status == http.StatusConflict:
		q.refuse(status, "conflict")
	case q.earlier != nil:
		q.answer("repeated", status, q.earlier.Answer)
	default:
		q.answer("created", http.StatusCreated, fresh.Answer)
	}
}

// uploadsTo returns the representative whose ID a path names, when it is one that the caller may see.
func (q *call) uploadsTo() *legalRepresentative {
	rep := q.g.store.representative(strings.ToLower(q.r.PathValue("id")))
	if rep == nil || rep.Caller != q.caller.id && q.g.data.users[rep.Owner].person != q.caller.person {
		return nil
	}
	return rep
}

// record is the legal representative that a request describes. Fields that were not sent are null.
func (q *call) record() object {
	document := object{"id": uuid.NewString(), "type": "CPF"}
	record := object{
		"id": uuid.NewString(), "document": document, "address": object{"id": uuid.NewString()},
		"person_type": "NATURAL_PERSON", "created_at": q.g.now().UTC().Format(dateTimeMillis),
	}
	for _, field := range requestFields {
		if field != "mother_name" && field != "address" {
			at(deployment.ResponsePath(field), q.values[field])(record)
		}
	}
	if document["country_of_issue"] == nil {
		document["country_of_issue"] = "BRA"
	}
	if record["registration_update_date"] == nil {
		record["registration_update_date"] = record["relationship_start_date"]
	}
	return record
}

// documentParts are the parts of an upload.
var documentParts = []string{"selfie", "identity_document", "qualification_declaration"}

// uploadDocuments answers POST /users/legal-representatives/{id}/documents.
func (q *call) uploadDocuments() {
	if !q.authenticated() {
		return
	}
	var rep *legalRepresentative
	q.g.store.step(func() { rep = q.uploadsTo() })
	if rep == nil {
		q.refuse(http.StatusNotFound, "not_found")
		return
	}
	if !q.isMedia("multipart/form-data") {
		q.refused()
		return
	}
	q.r.Body = http.MaxBytesReader(q.w, q.r.Body, maxUpload)
	err := q.r.ParseMultipartForm(1 << 20)
	if over := (*http.MaxBytesError)(nil); errors.As(err, &over) {
		q.wrong(http.StatusRequestEntityTooLarge, "body.size", "", nil, "the body is larger than 32 MiB")
	} else if err != nil {
		q.wrong(0, "body.syntax", "", nil, "the body is not a multipart form")
	} else {
		defer func() { _ = q.r.MultipartForm.RemoveAll() }()
		q.checkDocuments(q.r.MultipartForm)
	}
	if q.refused() {
		return
	}
	q.g.store.step(func() {
		rep = q.uploadsTo() // another upload may have ended meanwhile
		for _, part := range documentParts {
			if len(q.r.MultipartForm.File[part]) > 0 && !slices.Contains(rep.Documents, part) {
				rep.Documents = append(slices.Clone(rep.Documents), part)
			}
		}
		q.g.store.keepRepresentative(rep)
	})
	q.answer("uploaded", http.StatusCreated, object{"id": rep.ID, "documents": slices.Sorted(slices.Values(rep.Documents))})
}

// checkDocuments checks that every document, or with one request for each exactly one, is there and not empty.
func (q *call) checkDocuments(form *multipart.Form) {
	each, found := q.g.choices.PerDocument, 0
	for _, part := range documentParts {
		switch files := form.File[part]; {
		case len(files) == 0 && !each:
			q.wrong(0, "part."+part, part, nil, "this document is required as a file")
		case len(files) > 1:
			q.wrong(0, "part.twice", part, nil, "expected one file")
		case len(files) == 1 && files[0].Size == 0:
			q.wrong(0, "part.empty", part, nil, "the file is empty")
		case len(files) == 1:
			found++
		}
	}
	if each && found != 1 {
		q.wrong(0, "part.one", "", nil, "expected exactly one document")
	}
	for field := range q.g.choices.DocumentForm {
		if len(form.Value[field]) != 1 || form.Value[field][0] == "" {
			q.wrong(0, "form."+field, field, nil, "this form field is required")
		}
	}
}
