package create

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/curl"
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
	altered   *curl.Alteration       // how as was made of the platform token; nil: it was not
}

// uploaded is a complete upload, of one request or one for each document.
type uploaded struct {
	id            string
	target.Answer // to the first request that was not accepted, or to the last
}

// documents: the upload that completes a creation. Its payload is not shown, and ours are neither photographs nor
// identities: that they are refused says nothing.
func (s *Suite) documents() {
	s.Describe("documents", func() {
		s.Group(spec.Needs("legal_representative.documents"), func() {
			s.Rule("create.documents.accepted", Should, RequestTable,
				"After creation, the selfie, the identity document and the declaration of powers are accepted.",
				func() {
					s.takes("accepts an upload of the three documents", s.complete())
				})
			s.takesIdentity("create.documents.identity.id", "ID", "an ID", qualified("ATTORNEY"))
			s.takesIdentity("create.documents.identity.cnh", "CNH", "a CNH", qualified("ADMINISTRATOR"))
			s.takesIdentity("create.documents.identity.passport", "Passport", "a passport", qualified("OTHER"))

			s.Rule("create.documents.missing", Observe, RequestTable,
				"How an upload without a required document is answered.", func() {
					var kinds []kind
					for _, name := range documentNames() {
						kinds = append(kinds, kind{"without the " + name, s.uploadWithout(name)})
					}
					s.It("sends every two of the three documents", func(ctx spec.Context) { noteStatuses(ctx, kinds) })
				})

			s.Rule("create.documents.authenticated", Should, Authentication,
				"An upload without authentication is refused.", func() {
					seen := s.spoiled("upload without a credential", target.AboutCaller, func(u *upload) { u.as = nil })
					s.It("refuses an upload without a credential",
						func(ctx spec.Context) { ctx.Expect(seen.Await(ctx)).To(BeRefused()) })
					const changed = "a token whose signature was changed"
					altered := s.spoiled("upload with "+changed, target.AboutCaller,
						func(u *upload) {
							u.as, u.altered = s.t.Tampered(changed, token.SignatureChanged), target.SignatureChanged
						})
					s.It("refuses an upload with "+changed,
						func(ctx spec.Context) { ctx.Expect(altered.Await(ctx)).To(BeRefused()) })
					if expired := s.t.Deployment.Credentials.ExpiredToken; expired != nil {
						late := s.spoiled("upload with an expired token", target.AboutCaller,
							func(u *upload) { u.as = expired })
						s.It("refuses an upload with an expired token",
							func(ctx spec.Context) { ctx.Expect(late.Await(ctx)).To(BeRefused()) })
					}
				})

			s.Rule("create.documents.unknown_id", Should, CreateOperation,
				"An upload for a representative that does not exist is rejected.", func() {
					const what = "upload for a representative that does not exist"
					seen := s.spoiled(what, target.AboutCaller, func(u *upload) { u.id = target.UUID() })
					s.It("refuses an upload for a representative that does not exist",
						func(ctx spec.Context) { ctx.Expect(seen.Await(ctx)).To(BeRefused()) })
				})
		})
	})
}

// takes declares that an upload is accepted; a refusal as invalid leaves that open.
func (s *Suite) takes(text string, seen *spec.Observation[uploaded]) {
	spec.Helper()
	complete := s.complete()
	s.It(text, func(ctx spec.Context) {
		if complete != seen && !complete.Await(ctx).Success() {
			ctx.NotVerified("", "no upload is accepted, see %s", spec.Ref("create.documents.accepted"))
		}
		a := seen.Await(ctx).Answer
		if a.Status == http.StatusNotFound || a.Status == http.StatusMethodNotAllowed {
			ctx.Inconclusive("the upload got %s: the deployment does not know this path or representative; check "+
				"legal_representative.documents.path", a)
		}
		if a.Refusal() {
			ctx.Inconclusive("the upload was refused (%s); check legal_representative.documents.parts and form, unless "+
				"the deployment accepts only photographs", target.Quoted(a.Exchange))
		}
		ctx.Expect(a).To(BeAccepted())
	})
}

func (s *Suite) takesIdentity(id, kind, what string, of edit) {
	spec.Helper()
	s.Rule(id, Should, RequestTable, "As the identity document, "+what+" is accepted.", func() {
		s.takes("accepts an upload with "+what+" as identity document",
			s.uploadFor("upload with "+what+" as identity document", of, kind))
	})
}

// complete uploads all documents for a representative.
func (s *Suite) complete() *spec.Observation[uploaded] {
	return s.uploadFor("upload of the three documents", another(), "")
}

// uploadFor uploads all documents for a representative of its own.
func (s *Suite) uploadFor(what string, of edit, kind string) *spec.Observation[uploaded] {
	whose := s.vary(target.AboutField, of)
	return spec.Observe(s.Plan, what, func(ctx context.Context) (uploaded, error) {
		made, err := whose.Get(ctx)
		if err != nil {
			return uploaded{}, err
		}
		if !made.Success() {
			return uploaded{}, spec.Unclear("the creation for which documents were to be uploaded was not accepted: %s",
				target.Describe(made.Exchange))
		}
		u := uploaded{}
		if u.id, err = documentsOf(made); err != nil {
			return u, err
		}
		for _, names := range s.batches() {
			u.Answer, err = s.t.Settle(ctx, target.AboutField, func() *client.Exchange {
				return s.upload(ctx, upload{
					label: "upload of the documents", id: u.id, names: names, kind: kind,
					as: s.t.Deployment.Credentials.Main(),
				})
			}, s.c.CreationAlive)
			if err != nil || !u.Success() {
				break
			}
		}
		return u, err
	})
}

// documentsOf is the id to upload documents for.
func documentsOf(made target.Answer) (string, error) {
	if _, ok := RecordID(made.Exchange); ok {
		return representative.ID(made.Body), nil // letter by letter, as the answer gave it
	}
	return "", spec.Unmet("", "the record has no usable id to upload documents for, see %s", spec.Ref("create.response.id"))
}

func (s *Suite) uploadWithout(name string) answer {
	return s.spoiled("upload without the "+name, target.AboutField, func(u *upload) {
		if u.names = nil; len(s.batches()) == 1 { // else no request lacks one
			u.names = slices.DeleteFunc(documentNames(), func(other string) bool { return other == name })
		}
	})
}

// spoiled declares an upload with a defect, for the control's representative, once the complete one was accepted.
func (s *Suite) spoiled(label string, clear target.Clear, spoil func(u *upload)) answer {
	complete := s.complete()
	return spec.Observe(s.Plan, label, func(ctx context.Context) (target.Answer, error) {
		base, err := s.c.Creation.Get(ctx)
		if err != nil {
			return target.Answer{}, err
		}
		id, err := documentsOf(base)
		if err != nil {
			return target.Answer{}, err
		}
		defect := upload{label: label, id: id, names: s.batches()[0], as: s.t.Deployment.Credentials.Main()}
		if spoil(&defect); len(defect.names) == 0 {
			return target.Answer{},
				spec.Unmet("", "each document is uploaded in a request of its own, so no request can lack one")
		}
		twin, err := complete.Get(ctx)
		if err != nil {
			return target.Answer{}, err
		}
		if !twin.Success() {
			return target.Answer{},
				spec.Unclear("the complete upload was not accepted (%s), so a rejection would prove nothing", twin)
		}
		alive := func(ctx context.Context) (*client.Exchange, bool) {
			const label = "upload of the documents again, to see whether the deployment answers"
			x := s.upload(ctx, upload{
				label: label, id: twin.id, names: s.batches()[0], as: s.t.Deployment.Credentials.Main(),
			})
			return x, target.AboutField(x)
		}
		return s.t.Settle(ctx, clear, func() *client.Exchange { return s.upload(ctx, defect) }, alive)
	})
}

// batches are the documents by request.
func (s *Suite) batches() [][]string {
	if !s.t.Deployment.LegalRepresentative.Documents.OneRequestPerDocument {
		return [][]string{documentNames()}
	}
	return slices.Collect(slices.Chunk(documentNames(), 1))
}

// upload sends some documents for a representative.
func (s *Suite) upload(ctx context.Context, u upload) *client.Exchange {
	lr := s.t.Deployment.LegalRepresentative
	body, contentType := form(lr.Documents, u.names, u.kind)
	return s.t.Client.Send(ctx, func(int) *client.Request {
		r := &client.Request{
			Label: u.label, Operation: client.Documents, Method: http.MethodPost,
			Path:   documentsPath(lr.Documents.Path, u.id),
			Header: http.Header{"Content-Type": {contentType}}, Body: body, Credential: u.as,
			Altered: u.altered,
		}
		// Every request has an identifier, uploads too; header names keep the deployment's spelling.
		for _, name := range []string{lr.Headers.TransactionID, lr.Headers.Nonce} {
			if name != "" {
				r.Header[name] = []string{target.UUID()}
				r.Fresh = append(r.Fresh, name)
			}
		}
		return r
	})
}

// inKind writes the kind of an identity document in the letters of another kind; any other text stays.
func inKind(text, kind string) string {
	if kind == "" || !slices.Contains([]string{"id", "rg", "cnh", "passport"}, strings.ToLower(text)) {
		return text
	}
	switch text {
	case strings.ToLower(text):
		return strings.ToLower(kind)
	case strings.ToUpper(text):
		return strings.ToUpper(kind)
	}
	return kind
}
