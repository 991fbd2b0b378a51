package reference

import (
	"errors"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
)

// documentParts are the parts of an upload.
var documentParts = []string{"selfie", "identity_document", "qualification_declaration"}

// uploadDocuments answers POST /users/legal-representatives/{id}/documents.
func (q *call) uploadDocuments() {
	if !q.authenticated() {
		return
	}
	var rep *representative
	err := q.g.store.look(func(l ledger) { rep = q.uploadsTo(l) })
	if q.broken(err) {
		return
	}
	if rep == nil {
		q.refuse(http.StatusNotFound, "not_found")
		return
	}
	if !q.isMedia("multipart/form-data") {
		q.refused()
		return
	}
	if !enter(q.r, q.g.uploads) {
		return
	}
	defer func() { <-q.g.uploads }()
	q.r.Body = http.MaxBytesReader(q.w, q.r.Body, maxUpload)
	err = q.r.ParseMultipartForm(1 << 20)
	if over := (*http.MaxBytesError)(nil); errors.As(err, &over) {
		q.wrongly(http.StatusRequestEntityTooLarge, "body.size", "", "the body is larger than 32 MiB")
	} else if err != nil {
		q.wrong("body.syntax", "", "the body is not a multipart form")
	} else {
		defer func() { _ = q.r.MultipartForm.RemoveAll() }()
		q.checkDocuments(q.r.MultipartForm)
	}
	if q.refused() {
		return
	}
	var kept []string
	err = q.g.store.step(func(l ledger) {
		rep = q.uploadsTo(l) // another upload may have ended meanwhile
		rep.note(q.r.MultipartForm)
		rep.keep(l)
		kept = slices.Sorted(maps.Keys(rep.Documents))
	})
	if !q.broken(err) {
		q.answer("uploaded", http.StatusCreated, object{"id": rep.ID, "documents": kept})
	}
}

// checkDocuments checks that every document, or with one request for each exactly one, is there and not empty.
func (q *call) checkDocuments(form *multipart.Form) {
	found := 0
	for _, part := range documentParts {
		files := form.File[part]
		switch {
		case len(files) == 0 && q.g.choices.PerDocument:
		case len(files) == 0:
			q.wrong("part."+part, part, "this document is required as a file")
		case len(files) > 1:
			q.wrong("part.twice", part, "expected one file")
		case files[0].Size == 0:
			q.wrong("part.empty", part, "the file is empty")
		default:
			found++
		}
	}
	if q.g.choices.PerDocument && found != 1 {
		q.wrong("part.one", "", "expected exactly one document")
	}
	for field := range q.g.choices.DocumentForm {
		if len(form.Value[field]) != 1 || form.Value[field][0] == "" {
			q.wrong("form."+field, field, "this form field is required")
		}
	}
}

// note adds the documents of a form.
func (rep *representative) note(form *multipart.Form) {
	if rep.Documents == nil {
		rep.Documents = map[string]int64{}
	}
	for _, part := range documentParts {
		if files := form.File[part]; len(files) > 0 {
			rep.Documents[part] = files[0].Size
		}
	}
}
