package create

import (
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

const identityDocument = "identity_document"

// documentNames returns the required documents, in the order of their upload.
func documentNames() []string {
	return []string{"selfie", identityDocument, "qualification_declaration"}
}

// documentUpload is an upload of documents for a representative.
type documentUpload struct {
	owner     *client.Exchange // the creation
	label, id string
	names     []string
	// identityKind is the kind of the identity document; empty: as in the deployment file.
	identityKind string
	credential   *deployment.Credential // nil: none
	err          error                  // why there is no such credential
}

// declareDocumentRules declares the rules on the upload that completes a creation. Its format is
// not documented, and the files sent are no real photographs or documents, so a refusal shows
// nothing.
func (s *Suite) declareDocumentRules() {
	credentials := s.target.Deployment.Credentials
	s.Describe("documents", spec.NeedsKeys("legal_representative.documents"), func() {
		s.ruleAcceptsUpload("create.documents.accepted",
			"After creation, the selfie, the identity document and the declaration of powers are accepted.",
			"the three documents", withPlainCPF(), "")
		for _, d := range [][4]string{
			{"id", "ID", "an ID", "ATTORNEY"},
			{"cnh", "CNH", "a CNH", "ADMINISTRATOR"},
			{"passport", "Passport", "a passport", "OTHER"},
		} {
			s.ruleAcceptsUpload("create.documents.identity."+d[0],
				"As the identity document, "+d[2]+" is accepted.", d[2]+" as identity document",
				withQualification(d[3]), d[1])
		}
		s.Rule("create.documents.missing", Observe, SectionRequest,
			"How an upload without a required document is answered.", func() {
				for _, name := range documentNames() {
					seen := s.observeCorruptUpload("upload without the "+name, answers.ConclusiveForField,
						func(u *documentUpload) {
							u.names = slices.DeleteFunc(documentNames(),
								func(other string) bool { return other == name })
						})
					s.It("sends the documents without the "+name, func(ctx spec.Context) {
						ctx.RecordObservedf("%s", answers.StatusText(seen.Await(ctx).Exchange))
					})
				}
			})
		const changed = "a token whose signature was changed"
		s.Rule("create.documents.authenticated", Should, SectionAuthentication,
			"An upload without authentication is refused.", spec.Security, func() {
				s.itRefusesUpload("without a credential", func(u *documentUpload) { u.credential = nil })
				if credentials.PlatformToken != nil {
					s.itRefusesUpload("with "+changed, func(u *documentUpload) {
						u.credential, u.err = target.Alter(credentials.PlatformToken, changed,
							token.ChangedSignature())
					})
				}
				if credentials.ExpiredToken != nil {
					s.itRefusesUpload("with an expired token",
						func(u *documentUpload) { u.credential = credentials.ExpiredToken })
				}
				if credentials.RevokedAPIKey != nil {
					s.itRefusesUpload("with a revoked API key",
						func(u *documentUpload) { u.credential = credentials.RevokedAPIKey })
				}
			})
		s.Rule("create.documents.foreign", Should, SectionCreate,
			"An upload for the representative of another legal person is refused.", spec.Security,
			spec.NeedsKeys("credentials.other_user"), func() {
				s.itRefusesUpload("by another user",
					func(u *documentUpload) { u.credential = credentials.OtherUser },
					http.StatusAccepted) // the owner may be checked later
			})
		s.Rule("create.documents.unknown_id", Should, SectionCreate,
			"An upload for a representative that does not exist is rejected.", func() {
				s.itRefusesUpload("for a representative that does not exist",
					func(u *documentUpload) { u.id = target.NewUUID() })
			})
	})
}

// ruleAcceptsUpload declares a rule that an upload for a new representative is accepted. A
// refusal as invalid is inconclusive.
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
				ctx.Inconclusivef("the upload was refused (%s); check legal_representative.documents: path, "+
					"parts and form, unless the deployment accepts only photographs",
					answers.DescribeWithMessage(a.Exchange))
			}
			ctx.Expect(a).To(BeAccepted())
		})
	})
}

// itRefusesUpload declares a case that an upload with a defect is refused. A redirect, such as
// to a login page, is inconclusive, and so are the statuses in open.
func (s *Suite) itRefusesUpload(words string, spoil func(u *documentUpload), open ...int) {
	spec.Helper()
	seen := s.observeCorruptUpload("upload "+words, answers.ConclusiveForCaller, spoil)
	s.It("refuses an upload "+words, func(ctx spec.Context) {
		a := seen.Await(ctx)
		if outcome.Of(a.Exchange) == outcome.Redirected || slices.Contains(open, a.Status) {
			ctx.Inconclusivef("neither accepted nor refused: %s", a)
		}
		ctx.Expect(a).To(BeRefused())
	})
}
