package reference

import (
	"errors"
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
		q.g.keep(rep)
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
