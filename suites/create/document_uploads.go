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
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

const identityDocument = "identity_document"

// documentNames are the required documents, in the order in which they are uploaded one by one.
func documentNames() []string {
	return []string{"selfie", identityDocument, "qualification_declaration"}
}

// documentUpload is some documents for a representative.
type documentUpload struct {
	owner     *client.Exchange // the creation
	label, id string
	names     []string
	// of the identity document; empty: as the deployment file has it
	identityKind      string
	credential        *deployment.Credential // nil: nobody
	alteredCredential string                 // what as is, where it was made of the platform token
}

// declareDocumentRules: the upload that completes a creation. Its payload is not shown, and ours
// are neither photographs nor identities: that they are refused says nothing.
func (s *Suite) declareDocumentRules() {
	credentials := s.target.Deployment.Credentials
	s.Describe("documents", spec.NeedsKeys("legal_representative.documents"), func() {
		s.ruleAcceptsUpload("create.documents.accepted", "After creation, the selfie, the identity document and the declaration of powers are accepted.",
			"the three documents", withPlainCPF(), "")
		for _, d := range [][4]string{
			{"id", "ID", "an ID", "ATTORNEY"}, {"cnh", "CNH", "a CNH", "ADMINISTRATOR"}, {"passport", "Passport", "a passport", "OTHER"},
		} {
			s.ruleAcceptsUpload("create.documents.identity."+d[0], "As the identity document, "+d[2]+" is accepted.",
				d[2]+" as identity document", withQualification(d[3]), d[1])
		}
		s.Rule("create.documents.missing", Observe, SectionRequest,
			"How an upload without a required document is answered.", func() {
				for _, name := range documentNames() {
					seen := s.observeCorruptUpload("upload without the "+name, target.ConclusiveForField, func(u *documentUpload) {
						u.names = slices.DeleteFunc(documentNames(), func(other string) bool { return other == name })
					})
					s.It("sends the documents without the "+name, func(ctx spec.Context) { ctx.RecordObservedf("%s", StatusText(seen.Await(ctx).Exchange)) })
				}
			})
		const changed = "a token whose signature was changed"
		as := func(c *deployment.Credential) func(*documentUpload) {
			return func(u *documentUpload) { u.credential = c }
		}
		s.Rule("create.documents.authenticated", Should, SectionAuthentication, "An upload without authentication is refused.", spec.Security, func() {
			s.itRefusesUpload("without a credential", as(nil))
			s.itRefusesUpload("with "+changed, func(u *documentUpload) {
				u.credential, u.alteredCredential = s.target.TamperedToken(changed, token.WithChangedSignature), changed
			})
			if credentials.ExpiredToken != nil {
				s.itRefusesUpload("with an expired token", as(credentials.ExpiredToken))
			}
			if credentials.RevokedAPIKey != nil {
				s.itRefusesUpload("with a revoked API key", as(credentials.RevokedAPIKey))
			}
		})
		s.Rule("create.documents.foreign", Should, SectionCreate, "An upload for the representative of another legal person is refused.",
			spec.Security, spec.NeedsKeys("credentials.other_user"), func() {
				// whose it is may be looked at later
				s.itRefusesUpload("by another user", as(credentials.OtherUser), http.StatusAccepted)
			})
		s.Rule("create.documents.unknown_id", Should, SectionCreate,
			"An upload for a representative that does not exist is rejected.",
			func() {
				s.itRefusesUpload("for a representative that does not exist", func(u *documentUpload) { u.id = target.NewUUID() })
			})
	})
}

// ruleAcceptsUpload declares the rule that an upload for a new representative is accepted; a
// refusal as invalid leaves that open.
func (s *Suite) ruleAcceptsUpload(id, statement, what string, whose lab.Probe, kind string) {
	spec.Helper()
	s.Rule(id, Should, SectionRequest, statement, func() {
		seen, complete := s.observeCompleteUpload(what, whose, kind), s.observeStandardUpload()
		s.It("accepts an upload of "+what, func(ctx spec.Context) {
			if complete != seen && !complete.Await(ctx).IsSuccess() {
				ctx.NotVerifiedf("", "no upload is accepted, see create.documents.accepted")
			}
			a := seen.Await(ctx)
			if a.IsClientError() {
				ctx.Inconclusivef("the upload was refused (%s); check legal_representative.documents: path, parts and form, unless the "+
					"deployment accepts only photographs", target.DescribeWithMessage(a.Exchange))
			}
			ctx.Expect(a).To(BeAccepted())
		})
	})
}

// itRefusesUpload declares the case that an upload with a defect is refused. A redirect, to a page
// to log in on, leaves that open, and so do some other statuses.
func (s *Suite) itRefusesUpload(words string, spoil func(u *documentUpload), open ...int) {
	spec.Helper()
	seen := s.observeCorruptUpload("upload "+words, target.ConclusiveForCaller, spoil)
	s.It("refuses an upload "+words, func(ctx spec.Context) {
		a := seen.Await(ctx)
		if OutcomeOf(a.Exchange) == record.OutcomeRedirected || slices.Contains(open, a.Status) {
			ctx.Inconclusivef("neither accepted nor refused: %s", a)
		}
		ctx.Expect(a).To(BeRefused())
	})
}

func (s *Suite) observeStandardUpload() answerObservation {
	return s.observeCompleteUpload("the three documents", withPlainCPF(), "")
}

// observeCompleteUpload uploads all documents for a representative of its own. A deployment may
// take a moment to know it everywhere.
func (s *Suite) observeCompleteUpload(what string, whose lab.Probe, kind string) answerObservation {
	owner := s.observeValid(whose)
	return spec.Observe(s.Plan, "upload of "+what, func(ctx context.Context) (a target.Answer, err error) {
		u, err := s.newUpload(ctx, owner)
		if err != nil {
			return a, err
		}
		u.identityKind = kind
		for _, names := range s.documentBatches() {
			u.names = names
			for pause := 400 * time.Millisecond; ; pause *= 5 {
				a, err = s.lab.SendUntilConclusive(ctx, target.ConclusiveForField, func() *client.Exchange { return s.sendUpload(ctx, u) },
					func(ctx context.Context) (*client.Exchange, bool) {
						return s.lab.SendLivenessProbe(ctx, lab.OperationCreate)
					})
				if err != nil || !a.IsClientError() || pause > 2*time.Second || !target.SleepContext(ctx, pause) {
					break
				}
			}
			if err != nil || !a.IsSuccess() {
				break
			}
		}
		a.Preceding = []*client.Exchange{u.owner}
		return a, err
	})
}

// documentBatches are the documents by request.
func (s *Suite) documentBatches() [][]string {
	size := len(documentNames())
	if s.target.Deployment.LegalRepresentative.Documents.OneRequestPerDocument {
		size = 1
	}
	return slices.Collect(slices.Chunk(documentNames(), size))
}

// newUpload is the first request of a complete upload for the representative that a creation made.
func (s *Suite) newUpload(ctx context.Context, owner answerObservation) (u documentUpload, err error) {
	made, err := owner.Get(ctx)
	if err != nil {
		return u, err
	}
	if _, ok := RecordID(made.Exchange); !ok {
		return u, spec.Inconclusivef("the creation for which documents were to be uploaded gave no record with a usable id: %s", made)
	}
	return documentUpload{
		// letter by letter, as the answer gave it
		owner: made.Exchange, label: "upload of the documents", id: representative.RecordID(made.Body),
		names: s.documentBatches()[0], credential: s.target.Deployment.Credentials.Main(),
	}, nil
}

// observeCorruptUpload declares an upload with a defect, for the control's representative, once the
// complete one was accepted.
func (s *Suite) observeCorruptUpload(label string, clear target.ConclusiveFunc, spoil func(u *documentUpload)) answerObservation {
	complete := s.observeStandardUpload()
	return spec.Observe(s.Plan, label, func(ctx context.Context) (a target.Answer, err error) {
		if err := lab.RequireAccepted(ctx, complete); err != nil {
			return a, err
		}
		whole, err := s.newUpload(ctx, s.lab.ControlCreation)
		if err != nil {
			return a, err
		}
		defect := whole
		spoil(&defect)
		defect.label, whole.label = label, "upload of the documents again, to see whether the deployment answers"
		a, err = s.lab.SendUntilConclusive(ctx, clear, func() *client.Exchange { return s.sendUpload(ctx, defect) },
			func(ctx context.Context) (*client.Exchange, bool) {
				x := s.sendUpload(ctx, whole)
				return x, target.ConclusiveForField(x)
			})
		a.Preceding = []*client.Exchange{whole.owner}
		return a, err
	})
}

// sendUpload sends some documents for a representative. Every request has an identifier, uploads
// too; header names keep the deployment's spelling.
func (s *Suite) sendUpload(ctx context.Context, u documentUpload) *client.Exchange {
	lr := s.target.Deployment.LegalRepresentative
	body, contentType := multipartForm(lr.Documents, u.names, u.identityKind)
	return s.target.Client.Send(ctx, func(int) *client.Request {
		r := &client.Request{
			Label: u.label, Operation: client.OperationDocuments, Method: http.MethodPost,
			Path:   strings.ReplaceAll(lr.Documents.Path, "{id}", url.PathEscape(u.id)),
			Header: http.Header{"Content-Type": {contentType}}, Body: body, Credential: u.credential, AlteredCredential: u.alteredCredential,
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

// The documents that are uploaded: two pictures and a page, small and plain.
//
//go:embed documents
var documentFiles embed.FS

// multipartForm writes a multipart body with some of the documents and the deployment's further
// form fields. Where one of these names a kind of identity document, it names the given one, in
// letters of the same case.
func multipartForm(d *deployment.Documents, names []string, kind string) (body []byte, contentType string) {
	var out bytes.Buffer // it takes everything
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
			"Content-Disposition": {fmt.Sprintf(`form-data; name=%q; filename=%q`, cmp.Or(d.Parts[name], name), file+extension)},
			"Content-Type":        {mime.TypeByExtension(extension)},
		})
		_, _ = p.Write(content)
	}
	_ = w.Close()
	return out.Bytes(), w.FormDataContentType()
}
