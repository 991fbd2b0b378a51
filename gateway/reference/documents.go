package reference

import (
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
)

// documentParts are the parts of an upload.
var documentParts = []string{"selfie", "identity_document", "qualification_declaration"}

// uploadDocuments answers POST /users/legal-representatives/{id}/documents.
func (g *Gateway) uploadDocuments(w http.ResponseWriter, r *http.Request) {
	var caller *user
	if anonymous := r.Header.Get("Authorization")+r.Header.Get("X-Api-Key") == ""; anonymous && g.fault("create.documents.anonymous_accepted") {
		caller = g.data.main
	} else if caller = g.authenticated(w, r, "documents"); caller == nil {
		return
	}
	rep := g.representatives.find(strings.ToLower(r.PathValue("id")))
	if rep == nil || rep.owner != caller.person {
		if g.fault("create.documents.unknown_accepted") {
			g.answer(w, http.StatusCreated, object{"documents": documentParts})
			return
		}
		if g.fault("create.documents.unknown_500") {
			g.refuse(w, r, http.StatusInternalServerError, "internal")
			return
		}
		g.refuse(w, r, http.StatusNotFound, "not_found")
		return
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" {
		g.refuseInvalid(w, r, "documents", []issue{{"body.media", "Content-Type", "expected multipart/form-data"}})
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		g.refuseInvalid(w, r, "documents", []issue{{"body.syntax", "", "the body is no multipart form"}})
		return
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }()
	if issues := g.forgiven("documents", g.documentIssues(r.MultipartForm)); len(issues) > 0 {
		g.refuseInvalid(w, r, "documents", issues)
		return
	}
	if g.fault("create.documents.refused") {
		g.refuse(w, r, g.choices.InvalidStatus, "invalid_request")
		return
	}
	if g.fault("create.documents.answered_500") {
		g.refuse(w, r, http.StatusInternalServerError, "internal")
		return
	}
	g.answer(w, http.StatusCreated, object{"id": rep.id, "documents": rep.keep(r.MultipartForm)})
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
			issues = append(issues, issue{"part." + part, part, "this document is required as a file"})
		case len(files) > 1:
			issues = append(issues, issue{"part.twice", part, "expected one file"})
		case files[0].Size == 0:
			issues = append(issues, issue{"part.empty", part, "the file is empty"})
		default:
			found++
		}
	}
	if g.choices.PerDocument && found != 1 {
		issues = append(issues, issue{"part.one", "", "expected exactly one document"})
	}
	for field := range g.choices.DocumentForm {
		if len(form.Value[field]) != 1 || form.Value[field][0] == "" {
			issues = append(issues, issue{"form." + field, field, "this form field is required"})
		}
	}
	return issues
}

// keep notes the documents of a form and lists all that the representative has.
func (rep *representative) keep(form *multipart.Form) []string {
	rep.mu.Lock()
	defer rep.mu.Unlock()
	if rep.documents == nil {
		rep.documents = map[string]int64{}
	}
	for _, part := range documentParts {
		if files := form.File[part]; len(files) > 0 {
			rep.documents[part] = files[0].Size
		}
	}
	names := make([]string, 0, len(rep.documents))
	for part := range rep.documents {
		names = append(names, part)
	}
	slices.Sort(names)
	return names
}
