package create

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) observeStandardUpload() lab.AnswerObservation {
	return s.observeCompleteUpload("the three documents", withPlainCPF(), "")
}

// observeCompleteUpload uploads all documents for a new representative. The deployment may not
// know it everywhere at once.
func (s *Suite) observeCompleteUpload(
	what string, whose lab.Probe, kind string,
) lab.AnswerObservation {
	owner := s.observeValid(whose)
	return spec.ObserveAsCase(s.Plan, "upload of "+what, func(ctx spec.Context) (a target.Answer) {
		u := s.newUpload(ctx, owner)
		u.identityKind = kind
		for _, u.names = range s.documentBatches() {
			for pause := 400 * time.Millisecond; ; pause *= 5 {
				var err error
				a, err = s.lab.SendUntilConclusive(ctx, answers.ConclusiveForField,
					func() *client.Exchange { return s.sendUpload(ctx, u) },
					func(ctx context.Context) (*client.Exchange, bool) {
						return s.lab.SendLivenessProbe(ctx, client.OperationCreate)
					})
				ctx.StopOnError(err)
				if !a.IsClientError() || pause > 2*time.Second || !target.SleepContext(ctx, pause) {
					break
				}
			}
			if !a.IsSuccess() {
				break
			}
		}
		a.Preceding = []*client.Exchange{u.owner}
		return a
	})
}

// documentBatches returns the documents of each request.
func (s *Suite) documentBatches() [][]string {
	size := len(documentNames())
	if s.target.Deployment.LegalRepresentative.Documents.OneRequestPerDocument {
		size = 1
	}
	return slices.Collect(slices.Chunk(documentNames(), size))
}

// newUpload returns the first request of a complete upload for a creation's representative.
func (s *Suite) newUpload(ctx spec.Context, owner lab.AnswerObservation) documentUpload {
	made := owner.Await(ctx)
	if _, ok := answers.RecordID(made.Exchange); !ok {
		ctx.Inconclusivef(
			"the creation for which documents were to be uploaded gave no record with a usable id: %s", made)
	}
	return documentUpload{
		// exactly as in the answer
		owner: made.Exchange, label: "upload of the documents", id: representative.RecordID(made.Body),
		names: s.documentBatches()[0], credential: s.target.Deployment.Credentials.Main(),
	}
}

// observeCorruptUpload declares an upload with a defect for the control's representative, sent
// after the complete upload was accepted.
func (s *Suite) observeCorruptUpload(
	label string, isConclusive answers.ConclusiveFunc, spoil func(u *documentUpload),
) lab.AnswerObservation {
	complete := s.observeStandardUpload()
	return spec.ObserveAsCase(s.Plan, label, func(ctx spec.Context) target.Answer {
		ctx.StopOnError(lab.RequireAccepted(ctx, complete))
		whole := s.newUpload(ctx, s.lab.ControlCreation)
		defect := whole
		spoil(&defect)
		ctx.StopOnError(defect.err)
		defect.label, whole.label = label, "upload of the documents again, to see whether the "+
			"deployment answers"
		a, err := s.lab.SendUntilConclusive(ctx, isConclusive,
			func() *client.Exchange { return s.sendUpload(ctx, defect) },
			func(ctx context.Context) (*client.Exchange, bool) {
				x := s.sendUpload(ctx, whole)
				return x, answers.ConclusiveForField(x)
			})
		ctx.StopOnError(err)
		a.Preceding = []*client.Exchange{whole.owner}
		return a
	})
}

// sendUpload sends documents for a representative. Uploads have identifiers, too, and header
// names keep the deployment's spelling.
func (s *Suite) sendUpload(ctx context.Context, u documentUpload) *client.Exchange {
	lr := s.target.Deployment.LegalRepresentative
	body, contentType := multipartForm(lr.Documents, u.names, u.identityKind)
	return s.target.Client.Send(ctx, func(int) *client.Request {
		r := &client.Request{
			Label: u.label, Operation: client.OperationDocuments, Method: http.MethodPost,
			Path:   strings.ReplaceAll(lr.Documents.Path, "{id}", url.PathEscape(u.id)),
			Header: http.Header{"Content-Type": {contentType}}, Body: body,
			Credential: u.credential,
		}
		for _, name := range []string{lr.Headers.TransactionID, lr.Headers.Nonce} {
			if name != "" {
				r.Header[name] = []string{target.NewUUID()}
				r.FreshHeaders = append(r.FreshHeaders, name)
			}
		}
		return r
	})
}

// documentFiles holds the documents that are uploaded: two small pictures and a page.
//
//go:embed documents
var documentFiles embed.FS

// multipartForm returns a multipart body with some of the documents and the further form fields
// of the deployment file. A form field that holds a kind of identity document gets the given
// kind, in the same letter case.
func multipartForm(
	d *deployment.Documents, names []string, kind string,
) (body []byte, contentType string) {
	var out bytes.Buffer // writes to it never fail
	w := multipart.NewWriter(&out)
	for _, field := range slices.Sorted(maps.Keys(d.Form)) {
		text, as := d.Form[field], strings.ToLower
		if text == strings.ToUpper(text) {
			as = strings.ToUpper
		}
		if kind != "" && slices.Contains([]string{"id", "rg", "cnh", "passport"}, strings.ToLower(text)) {
			text = as(kind)
		}
		_ = w.WriteField(field, text)
	}
	for _, name := range names {
		found, _ := fs.Glob(documentFiles, "documents/"+name+".*")
		content, err := documentFiles.ReadFile(found[0])
		if err != nil {
			panic("a document is missing from the program: " + err.Error())
		}
		extension, file := path.Ext(found[0]), name
		if name == identityDocument && kind != "" {
			file = strings.ToLower(kind)
		}
		p, _ := w.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {
				fmt.Sprintf(`form-data; name=%q; filename=%q`, cmp.Or(d.Parts[name], name), file+extension),
			},
			"Content-Type": {mime.TypeByExtension(extension)},
		})
		_, _ = p.Write(content)
	}
	_ = w.Close()
	return out.Bytes(), w.FormDataContentType()
}
