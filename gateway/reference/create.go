package reference

import (
	"encoding/json"
	"errors"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/internal/creationfields"
)

// handleCreate answers POST /v3/users/legal-representatives.
func (q *request) handleCreate() {
	if !q.requireCaller() {
		return
	}
	if !q.caller.mayCreate {
		q.respondRefusal(http.StatusForbidden, "forbidden")
		return
	}
	q.transaction, _ = q.readUUIDHeader(q.names.TransactionID, "header.transaction_id", true)
	q.readCommonHeaders()
	q.readJSONBody()
	if q.values = (jsonObject{}); q.body != nil {
		q.gateway.applyEffects(q, postedFields(q.body))
		q.validateCreation()
	}
	if !q.refuseIfDefective() {
		q.createUnlessRepeated()
	}
}

// legalRepresentative is a created representative.
type legalRepresentative struct {
	ID            string
	Owner, Caller string   // users: on whose behalf, and by whom it was created
	Answer        []byte   // the record, as it was first answered
	Documents     []string // the parts uploaded so far
}

// creationIdentity identifies a creation, so that a repeat is recognized.
type creationIdentity struct{ user, transaction string }

// findRepresentative returns the representative of an ID, or nil. Call it inside atomically.
func (s *store) findRepresentative(id string) *legalRepresentative {
	var rep legalRepresentative
	if !s.get("representative", id, &rep) {
		return nil
	}
	return &rep
}

func (s *store) storeRepresentative(rep *legalRepresentative) {
	s.put("representative", rep.ID, rep)
}

// createUnlessRepeated creates the representative unless its transaction ID was used before.
func (q *request) createUnlessRepeated() {
	record := q.newRecord()
	fresh := &legalRepresentative{ID: record["id"].(string), Owner: q.runsAs.id, Caller: q.caller.id}
	q.gateway.applyEffects(q, record)
	fresh.Answer, _ = json.Marshal(record) // strings, numbers and booleans always marshal
	key := creationIdentity{q.runsAs.id, q.transaction}
	q.gateway.applyEffects(q, &key)
	place, store := key.user+" "+key.transaction, q.gateway.store
	q.checkThenNote(func() bool {
		var id string
		if q.countsAsRepeat(store.get("creation", place, &id)) {
			q.earlier = store.findRepresentative(id)
		}
		return q.earlier == nil
	}, func() {
		store.storeRepresentative(fresh)
		store.put("creation", place, fresh.ID)
	})
	switch status := q.gateway.choices.RepeatStatus; {
	case q.earlier != nil && status == http.StatusConflict:
		q.respondRefusal(status, "conflict")
	case q.earlier != nil:
		q.respond("repeated", status, q.earlier.Answer)
	default:
		q.respond("created", http.StatusCreated, fresh.Answer)
	}
}

// findUploadOwner returns the representative that the path names, or nil if the caller may not
// see it.
func (q *request) findUploadOwner() *legalRepresentative {
	rep := q.gateway.store.findRepresentative(strings.ToLower(q.r.PathValue("id")))
	if rep == nil ||
		rep.Caller != q.caller.id && q.gateway.data.users[rep.Owner].person != q.caller.person {
		return nil
	}
	return rep
}

// newRecord returns the record that a creation describes. Omitted fields are null.
func (q *request) newRecord() jsonObject {
	document := jsonObject{"id": uuid.NewString(), "type": "CPF"}
	record := jsonObject{
		"id": uuid.NewString(), "document": document, "address": jsonObject{"id": uuid.NewString()},
		"person_type": "NATURAL_PERSON", "created_at": q.gateway.now().UTC().Format(dateTimeMillis),
	}
	for _, field := range requestFields {
		if field != "mother_name" && field != "address" {
			changeAtPath(creationfields.ResponsePath(field), q.values[field])(record)
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

// documentParts are the file parts of an upload.
var documentParts = []string{"selfie", "identity_document", "qualification_declaration"}

// handleUpload answers POST /users/legal-representatives/{id}/documents.
func (q *request) handleUpload() {
	if !q.requireCaller() {
		return
	}
	var rep *legalRepresentative
	q.gateway.store.atomically(func() { rep = q.findUploadOwner() })
	if rep == nil {
		q.respondRefusal(http.StatusNotFound, "not_found")
		return
	}
	if !q.requireMediaType("multipart/form-data") {
		q.refuseIfDefective()
		return
	}
	q.r.Body = http.MaxBytesReader(q.w, q.r.Body, maxUploadBytes)
	err := q.r.ParseMultipartForm(1 << 20)
	if over := (*http.MaxBytesError)(nil); errors.As(err, &over) {
		q.addDefect(http.StatusRequestEntityTooLarge, "body.size", "", nil,
			"the body is larger than 32 MiB")
	} else if err != nil {
		q.addDefect(0, "body.syntax", "", nil, "the body is not a multipart form")
	} else {
		defer func() { _ = q.r.MultipartForm.RemoveAll() }()
		q.checkDocuments(q.r.MultipartForm)
	}
	if q.refuseIfDefective() {
		return
	}
	q.gateway.store.atomically(func() {
		rep = q.findUploadOwner() // another upload may have changed it
		for _, part := range documentParts {
			if len(q.r.MultipartForm.File[part]) > 0 && !slices.Contains(rep.Documents, part) {
				rep.Documents = append(slices.Clone(rep.Documents), part)
			}
		}
		q.gateway.store.storeRepresentative(rep)
	})
	q.respond("uploaded", http.StatusCreated,
		jsonObject{"id": rep.ID, "documents": slices.Sorted(slices.Values(rep.Documents))})
}

// checkDocuments requires every document, or exactly one with PerDocument, as a file that is
// not empty.
func (q *request) checkDocuments(form *multipart.Form) {
	each, found := q.gateway.choices.PerDocument, 0
	for _, part := range documentParts {
		switch files := form.File[part]; {
		case len(files) == 0 && !each:
			q.addDefect(0, "part."+part, part, nil, "this document is required as a file")
		case len(files) > 1:
			q.addDefect(0, "part.twice", part, nil, "expected one file")
		case len(files) == 1 && files[0].Size == 0:
			q.addDefect(0, "part.empty", part, nil, "the file is empty")
		case len(files) == 1:
			found++
		}
	}
	if each && found != 1 {
		q.addDefect(0, "part.one", "", nil, "expected exactly one document")
	}
	for field := range q.gateway.choices.DocumentForm {
		if len(form.Value[field]) != 1 || form.Value[field][0] == "" {
			q.addDefect(0, "form."+field, field, nil, "this form field is required")
		}
	}
}
