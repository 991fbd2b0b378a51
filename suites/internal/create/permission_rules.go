package create

import (
	"net/http"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareShareholderRules declares the rules on the shareholder that a creation is for.
func (s *Suite) declareShareholderRules() {
	const field = "shareholder_id"
	s.Describe(field, func() {
		s.lab.RuleRejects("create.shareholder.unknown", Must, SectionRequest,
			"A shareholder that does not exist is rejected.",
			[]lab.Probe{
				withFieldSpelled("a shareholder that does not exist", field,
					func(any) any { return target.NewUUID() }).InAllConfigurations(),
				withFieldSpelled("the shareholder's ID with another end", field, func(any) any {
					const end = 12 // the last part of a UUID: a part of an ID must not be enough
					id, other := s.target.Deployment.Fixtures.ShareholderID, target.NewUUID()
					return id[:max(0, len(id)-end)] + other[len(other)-end:]
				}),
			})
		s.lab.RuleRejects("create.shareholder.malformed", Must, SectionRequest,
			"A shareholder ID that is not a UUID is rejected.",
			[]lab.Probe{withField(field, "not-a-uuid").InAllConfigurations()})
		s.GroupRules(spec.NeedsKeys("fixtures.foreign_shareholder_id"), s.declareForeignShareholder)
	})
}

// foreignShareholderText describes a creation for a shareholder of another legal person.
const foreignShareholderText = "another legal person's shareholder"

// declareForeignShareholder declares the rules on shareholders of another legal person. Any
// refusal protects them; which status it has is the subject of another rule. The configurations
// vary the caller, the target user and the product.
func (s *Suite) declareForeignShareholder() {
	const field = "shareholder_id"
	theirs := s.target.Deployment.Fixtures.ForeignShareholderID
	foreign := withDescribedField(foreignShareholderText, field, theirs)
	foreign.Matcher = BeRefused()
	also := func(how string) lab.Probe {
		return foreign.As(foreign.Description + how).AfterRejectionOf(foreign.Description)
	}
	capitals := also(" in capitals")
	capitals.Edit = withField(field, strings.ToUpper(theirs)).Edit

	s.lab.RuleRejects("create.shareholder.foreign_status", Must, SectionRequest,
		"A shareholder of another legal person is refused with 400, 403, 404 or 422.",
		[]lab.Probe{also(", once more").Expecting(shareholderRejected)})
	s.lab.RuleRejects("create.shareholder.foreign", Must, SectionRequest,
		"A shareholder of another legal person is rejected for every caller, target user and product.",
		[]lab.Probe{foreign, also(", with other options").InAllConfigurations(), capitals},
		spec.Security,
	)
}

const (
	unprivilegedKey       = "credentials.unprivileged"
	withoutPermissionText = "a user without the permission"
)

// declarePermission declares the rules that a missing permission gets 403, not 401. If the
// request names a product, which is not this user's, the answer may be about that; but the
// caller is known.
func (s *Suite) declarePermission() {
	forbidden, known := HaveStatus(http.StatusForbidden), BeRefused(http.StatusUnauthorized)
	s.Rule("create.permission", Must, SectionErrors,
		"An authenticated user without the permission gets 403.",
		spec.NeedsKeys(unprivilegedKey), func() {
			p := newProbe(withoutPermissionText,
				func(r *target.Request) { r.Credential = s.target.Deployment.Credentials.Unprivileged })
			p.Conclusive, p.Matcher = answers.ConclusiveForCaller, forbidden
			plainly := s.lab.ObserveProbe(p)
			elsewhere := p.As(withoutPermissionText + ", with other options").InAllConfigurations()
			elsewhere.Matcher = known
			anywhere := s.lab.ObserveProbe(elsewhere)
			// A 401 is wrong for a known caller, and right for an invalid credential.
			recognised := spec.ObserveAsCase(s.Plan, "export, "+unprivilegedKey,
				func(ctx spec.Context) bool {
					if plainly.Await(ctx).Status != http.StatusUnauthorized {
						return true
					}
					export, err := s.lab.SendInConfigurations(ctx, lab.Probe{
						Operation: client.OperationExport, Label: "export, " + unprivilegedKey,
						Expectation: lab.Expectation{Conclusive: answers.ConclusiveForCaller},
						Valid:       true, Edit: p.Edit,
					})
					return err == nil && export.Status != http.StatusUnauthorized
				}, spec.PhaseAfterAcceptances)
			s.It("refuses a creation by a user without the permission", func(ctx spec.Context) {
				a := plainly.Await(ctx)
				if !recognised.Await(ctx) {
					ctx.Inconclusivef("the credential gets 401 wherever it is sent: check the value of %s",
						unprivilegedKey)
				}
				switch a.Status {
				case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity:
					ctx.NotVerifiedf(unprivilegedKey,
						"answered %s, which may be about the shareholder: it is the caller's, "+
							"not this user's, and the document does not say which is checked first", a)
				}
				ctx.Expect(a).To(forbidden)
				ctx.Expect(anywhere.Await(ctx)).To(known)
			})
		})
}
