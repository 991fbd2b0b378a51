package create

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"fmt"
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

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/token"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// documentNames are the required documents, in the order in which they are uploaded one by one.
func documentNames() []string { return []string{"selfie", identity, "qualification_declaration"} }

const identity = "identity_document"

// upload is some documents for a representative.
type upload struct {
	label, id string
	names     []string
	kind      string                 // of the identity document; empty: as the deployment file has it
	as        *deployment.Credential // nil: nobody
	altered   string                 // what as is, where it was made of the platform token
}

// documents: the upload that completes a creation. Its payload is not shown, and ours are neither photographs nor
// identities: that they are refused says nothing.
func (s *Suite) documents() {
	credentials := s.t.Deployment.Credentials
	s.Describe("documents", spec.Needs("legal_representative.documents"), func() {
		s.takes("create.documents.accepted", "After creation, the selfie, the identity document and the declaration of powers are accepted.",
			"the three documents", another(), "")
		for _, d := range [][4]string{
			{"id", "ID", "an ID", "ATTORNEY"}, {"cnh", "CNH", "a CNH", "ADMINISTRATOR"}, {"passport", "Passport", "a passport", "OTHER"},
		} {
			s.takes("create.documents.identity."+d[0], "As the identity document, "+d[2]+" is accepted.",
				d[2]+" as identity document", qualified(d[3]), d[1])
		}
		s.Rule("create.documents.missing", Observe, RequestTable,
			"How an upload without a required document is answered.", func() {
				for _, name := range documentNames() {
					seen := s.spoiled("upload without the "+name, target.AboutField, func(u *upload) {
						u.names = slices.DeleteFunc(documentNames(), func(other string) bool { return other == name })
					})
					s.It("sends the documents without the "+name, func(ctx spec.Context) { ctx.Note("%s", Brief(seen.Await(ctx).Exchange)) })
				}
			})
		s.Rule("create.documents.authenticated", Should, Authentication, "An upload without authentication is refused.", func() {
			const changed = "a token whose signature was changed"
			s.refuses("without a credential", func(u *upload) { u.as = nil })
			s.refuses("with "+changed, func(u *upload) {
				u.as, u.altered = s.t.Tampered(changed, token.SignatureChanged), changed
			})
			if credentials.ExpiredToken != nil {
				s.refuses("with an expired token", func(u *upload) { u.as = credentials.ExpiredToken })
			}
			if credentials.RevokedAPIKey != nil {
				s.refuses("with a revoked API key", func(u *upload) { u.as = credentials.RevokedAPIKey })
			}
		})
		s.Rule("create.documents.foreign", Should, CreateOperation,
			"An upload for the representative of another legal person is refused.", spec.Needs("credentials.other_user"), func() {
				s.refuses("by another user", func(u *upload) { u.as = credentials.OtherUser })
			})
		s.Rule("create.documents.unknown_id", Should, CreateOperation,
			"An upload for a representative that does not exist is rejected.", func() {
				s.refuses("for a representative that does not exist", func(u *upload) { u.id = target.UUID() })
			})
	})
}

// takes declares the rule that an upload for a new representative is accepted; a refusal as invalid leaves that open.
func (s *Suite) takes(id, statement, what string, whose edit, kind string) {
	spec.Helper()
	s.Rule(id, Should, RequestTable, statement, func() {
		seen, complete := s.complete(what, whose, kind), s.threeDocuments()
		s.It("accepts an upload of "+what, func(ctx spec.Context) {
			if complete != seen && !complete.Await(ctx).Success() {
				ctx.NotVerified("", "no upload is accepted, see %s", spec.Ref("create.documents.accepted"))
			}
			a := seen.Await(ctx)
			if a.Refusal() {
				ctx.Inconclusive("the upload was refused (%s); check legal_representative.documents: path, parts and form, unless the "+
					"deployment accepts only photographs", target.Quoted(a.Exchange))
			}
			ctx.Expect(a).To(BeAccepted())
		})
	})
}

func (s *Suite) refuses(words string, spoil func(u *upload)) {
	spec.Helper()
	seen := s.spoiled("upload "+words, target.AboutCaller, spoil)
	s.It("refuses an upload "+words, func(ctx spec.Context) { ctx.Expect(seen.Await(ctx)).To(BeRefused()) })
}

func (s *Suite) threeDocuments() answer { return s.complete("the three documents", another(), "") }

// complete uploads all documents for a representative of its own. A deployment may take a moment to know it everywhere.
func (s *Suite) complete(what string, whose edit, kind string) answer {
	owner := s.sound(whose)
	return spec.Observe(s.Plan, "upload of "+what, func(ctx context.Context) (a target.Answer, err error) {
		u, err := s.whole(ctx, owner)
		u.label, u.kind = "upload of the documents", kind
		if err != nil {
			return a, err
		}
		for _, u.names = range s.batches() {
			for pause := 400 * time.Millisecond; ; pause *= 5 {
				a, err = s.t.Settle(ctx, target.AboutField, func() *client.Exchange { return s.upload(ctx, u) }, s.c.CreationAlive)
				if err != nil || !a.Refusal() || pause > 2*time.Second || !target.Wait(ctx, pause) {
					break
				}
			}
			if err != nil || !a.Success() {
				break
			}
		}
		return a, err
	})
}

// whole is the first request of a complete upload for the representative that a creation made.
func (s *Suite) whole(ctx context.Context, owner answer) (u upload, err error) {
	made, err := owner.Get(ctx)
	switch {
	case err != nil:
		return u, err
	case !made.Success():
		return u, spec.Unclear("the creation for which documents were to be uploaded was not accepted: %s", made)
	}
	if _, ok := RecordID(made.Exchange); !ok {
		return u, spec.Unmet("", "the record has no usable id to upload documents for, see %s", spec.Ref("create.response.id"))
	}
	id := representative.ID(made.Body) // letter by letter, as the answer gave it
	return upload{id: id, names: s.batches()[0], as: s.t.Deployment.Credentials.Main()}, nil
}

// spoiled declares an upload with a defect, for the control's representative, once the complete one was accepted.
func (s *Suite) spoiled(label string, clear target.Clear, spoil func(u *upload)) answer {
	complete := s.threeDocuments()
	return spec.Observe(s.Plan, label, func(ctx context.Context) (a target.Answer, err error) {
		whole, err := s.whole(ctx, s.c.Creation)
		if err != nil {
			return a, err
		}
		valid, err := complete.Get(ctx)
		if err != nil {
			return a, err
		}
		if !valid.Success() {
			return a, spec.Unclear("the complete upload was not accepted (%s), so a rejection would prove nothing", valid)
		}
		defect := whole
		spoil(&defect)
		defect.label, whole.label = label, "upload of the documents again, to see whether the deployment answers"
		return s.t.Settle(ctx, clear, func() *client.Exchange { return s.upload(ctx, defect) },
			func(ctx context.Context) (*client.Exchange, bool) {
				x := s.upload(ctx, whole)
				return x, target.AboutField(x)
			})
	})
}

// batches are the documents by request.
func (s *Suite) batches() [][]string {
	if !s.t.Deployment.LegalRepresentative.Documents.OneRequestPerDocument {
		return [][]string{documentNames()}
	}
	return slices.Collect(slices.Chunk(documentNames(), 1))
}

// upload sends some documents for a representative. Every request has an identifier, uploads too; header names keep the
// deployment's spelling.
func (s *Suite) upload(ctx context.Context, u upload) *client.Exchange {
	lr := s.t.Deployment.LegalRepresentative
	body, contentType := multipartForm(lr.Documents, u.names, u.kind)
	return s.t.Client.Send(ctx, func(int) *client.Request {
		r := &client.Request{
			Label: u.label, Operation: client.Documents, Method: http.MethodPost,
			Path:   strings.ReplaceAll(lr.Documents.Path, "{id}", url.PathEscape(u.id)),
			Header: http.Header{"Content-Type": {contentType}}, Body: body, Credential: u.as, Altered: u.altered,
		}
		for _, name := range []string{lr.Headers.TransactionID, lr.Headers.Nonce} {
			if name != "" {
				r.Header[name] = []string{target.UUID()}
				r.Fresh = append(r.Fresh, name)
			}
		}
		return r
	})
}

// multipartForm writes a multipart body with some of the documents and the deployment's further form fields. Where one of these
// names a kind of identity document, it names the given one.
func multipartForm(d *deployment.Documents, names []string, kind string) (body []byte, contentType string) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for _, field := range slices.Sorted(maps.Keys(d.Form)) {
		_ = w.WriteField(field, inKind(d.Form[field], kind)) // a buffer takes everything
	}
	for _, name := range names {
		part := cmp.Or(d.Parts[name], name)
		file, media, content := document(name)
		if name == identity && kind != "" {
			file = strings.ToLower(kind) + ".jpg"
		}
		p, _ := w.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {fmt.Sprintf(`form-data; name=%q; filename=%q`, part, file)},
			"Content-Type":        {media},
		})
		_, _ = p.Write(content)
	}
	_ = w.Close()
	return out.Bytes(), w.FormDataContentType()
}

// The documents that are uploaded: two pictures and a page, small and plain.
//
//go:embed documents
var files embed.FS

// document is a small file of a kind that such a document usually has.
func document(name string) (file, media string, content []byte) {
	file = name + map[string]string{"selfie": ".png", identity: ".jpg", "qualification_declaration": ".pdf"}[name]
	content, err := files.ReadFile("documents/" + file)
	if err != nil {
		panic("a document is missing from the program: " + err.Error())
	}
	return file, mime.TypeByExtension(path.Ext(file)), content
}

// inKind writes the kind of an identity document in the letters of another kind; any other text stays.
func inKind(text, kind string) string {
	switch {
	case kind == "" || !slices.Contains([]string{"id", "rg", "cnh", "passport"}, strings.ToLower(text)):
		return text
	case text == strings.ToUpper(text):
		return strings.ToUpper(kind)
	}
	return strings.ToLower(kind)
}
