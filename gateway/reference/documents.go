package reference

import (
	"errors"
	"maps"
	"mime"
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
	err := q.g.store.look(func(l ledger) { rep = q.find(l) })
	switch {
	case err != nil:
		q.refuse(http.StatusInternalServerError, "internal")
		return
	case rep == nil:
		q.refuse(http.StatusNotFound, "not_found")
		return
	}
	media, _, err := mime.ParseMediaType(q.r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" {
		q.refused([]issue{{
			"body.media", "Content-Type", "expected multipart/form-data",
			http.StatusUnsupportedMediaType,
		}})
		return
	}
	if !enter(q.r, q.g.uploads) {
		return
	}
	defer func() { <-q.g.uploads }()
	q.r.Body = http.MaxBytesReader(q.w, q.r.Body, maxUpload)
	if err := q.r.ParseMultipartForm(1 << 20); err != nil {
		issues := wrong("body.syntax", "", "the body is not a multipart form")
		if over := (*http.MaxBytesError)(nil); errors.As(err, &over) {
			issues = []issue{{"body.size", "", "the body is larger than 32 MiB", http.StatusRequestEntityTooLarge}}
		}
		q.refused(issues)
		return
	}
	defer func() { _ = q.r.MultipartForm.RemoveAll() }()
	if q.refused(q.g.documentIssues(q.r.MultipartForm)) {
		return
	}
	var kept []string
	err = q.g.store.step(func(l ledger) {
		rep = q.find(l) // another upload may have ended meanwhile
		rep.note(q.r.MultipartForm)
		rep.keep(l)
		kept = slices.Sorted(maps.Keys(rep.Documents))
	})
	if err != nil {
		q.refuse(http.StatusInternalServerError, "internal")
		return
	}
	q.answer("uploaded", http.StatusCreated, object{"id": rep.ID, "documents": kept})
}

// documentIssues checks that every document, or with one request for each exactly one, is there and not empty.
func (g *Gateway) documentIssues(form *multipart.Form) []issue {
	var issues []issue
	found := 0
	for _, part := range documentParts {
		files := form.File[part]
		switch {
		case len(files) == 0 && g.choices.PerDocument:
		case len(files) == 0:
			issues = append(issues, wrong("part."+part, part, "this document is required as a file")...)
		case len(files) > 1:
			issues = append(issues, wrong("part.twice", part, "expected one file")...)
		case files[0].Size == 0:
			issues = append(issues, wrong("part.empty", part, "the file is empty")...)
		default:
			found++
		}
	}
	if g.choices.PerDocument && found != 1 {
		issues = append(issues, wrong("part.one", "", "expected exactly one document")...)
	}
	for field := range g.choices.DocumentForm {
		if len(form.Value[field]) != 1 || form.Value[field][0] == "" {
			issues = append(issues, wrong("form."+field, field, "this form field is required")...)
		}
	}
	return issues
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
