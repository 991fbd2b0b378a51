package create

import (
	"context"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// shareholder: the representative belongs to a shareholder of the caller's own legal person.
func (s *Suite) shareholder() {
	const field = "shareholder_id"
	s.Describe(field, func() {
		s.rejects("create.shareholder.unknown", Must, RequestTable, "A shareholder that does not exist is rejected.",
			s.unknownShareholder().inEveryContext(), spelled("the shareholder's ID with another end", field, func(any) any {
				const end = 12 // the last part of a UUID: part of an ID is not the ID
				id, other := s.t.Deployment.Fixtures.ShareholderID, target.UUID()
				return id[:max(0, len(id)-end)] + other[len(other)-end:]
			}))
		s.rejects("create.shareholder.malformed", Must, RequestTable,
			"A shareholder ID that is not a UUID is rejected.", with(field, "not-a-uuid").inEveryContext())
		s.Group(spec.Needs("fixtures.foreign_shareholder_id"), s.foreignShareholder)
	})
}

func (s *Suite) unknownShareholder() edit {
	return spelled("a shareholder that does not exist", "shareholder_id", func(any) any { return target.UUID() })
}

// foreignShareholder: whatever refuses a shareholder of another legal person reaches nothing of theirs, so which status
// that is has a rule of its own.
func (s *Suite) foreignShareholder() {
	const field = "shareholder_id"
	theirs, headers := s.t.Deployment.Fixtures.ForeignShareholderID, s.t.Deployment.LegalRepresentative.Headers
	refused := outcome{clear: target.AboutCaller, matcher: BeRefused()}
	foreign := worded("another legal person's shareholder", field, theirs).rejected(refused)
	anywhere := worded(foreign.name+", with other options", field, theirs).rejected(ofShareholder()).inEveryContext()
	seen := func() answer { return s.refused(anywhere.only(rejecting(s.refused(foreign)))) }
	s.Rule("create.shareholder.foreign_status", Must, RequestTable,
		"A shareholder of another legal person is refused with 400, 403, 404 or 422.", func() {
			plainly, anywhere := s.refused(foreign), seen()
			s.It("rejects a "+label(foreign), func(ctx spec.Context) {
				for _, o := range []answer{plainly, anywhere} {
					if a := o.Await(ctx); a.Refusal() {
						ctx.Expect(a).To(ofShareholder().matcher)
					} else {
						ctx.NotVerified("", "it is not refused, see %s", spec.Ref("create.shareholder.foreign"))
					}
				}
			})
		})
	s.Group(spec.Security, func() {
		s.rejects("create.shareholder.foreign", Must, RequestTable, "A shareholder of another legal person is rejected.",
			foreign, anywhere.rejected(refused).likeTheFirst(),
			worded(foreign.name+" in capitals", field, strings.ToUpper(theirs)).rejected(refused).likeTheFirst())
		by := func(id, how string, with design.Context, needs ...string) {
			spec.Helper()
			s.Rule(id, Must, RequestTable, "A shareholder of another legal person is rejected "+how+", too.",
				spec.Needs(needs...), s.namesOf(field), func() {
					s.isRejectedWith(with, worded(foreign.name+", "+how, field, theirs).rejected(refused), foreign)
				})
		}
		key, product := record.Setting{Factor: control.Method}, record.Setting{Factor: target.HeaderProduct}
		by("create.shareholder.foreign_by_api_key", "from a caller with an API key", design.Context{key}, "credentials.api_key")
		by("create.shareholder.foreign_by_product", "with a product", design.Context{product}, "fixtures.product_id")
		by("create.shareholder.foreign_on_behalf", "on behalf of a user of the product",
			design.Context{{Factor: headers.OnBehalfOf}, product}, "fixtures.product_id", "fixtures.target_user_id")
	})
}

// isRejectedWith declares the case that a defect is rejected in a context, where a valid creation is accepted in that, and
// one like it is rejected in none.
func (s *Suite) isRejectedWith(with design.Context, e, alike edit) {
	spec.Helper()
	e = e.only(rejecting(s.refused(alike))).only(func(ctx context.Context) error {
		valid, err := s.c.In(client.Create, with).Get(ctx)
		if err == nil && len(valid.Context) < len(with) {
			return spec.Unmet("", "a valid creation with %s is refused as well", with)
		}
		return err
	})
	seen := spec.Observe(s.Plan, label(e), func(ctx context.Context) (target.Answer, error) {
		return s.send(ctx, e, []design.Context{with})
	}, spec.Yielding)
	s.It("rejects a "+label(e), func(ctx spec.Context) { ctx.Expect(seen.Await(ctx)).To(e.how.matcher) })
}

const unprivilegedKey = "credentials.unprivileged"

func (s *Suite) unprivileged() edit {
	return changed("a user without the permission",
		func(c *target.Creation) { c.Credential = s.t.Deployment.Credentials.Unprivileged })
}

// permission: 403 distinguishes a lack of permission from a lack of identity. A product that is named is not this
// user's, which may be what the answer is about; who asks is known all the same.
func (s *Suite) permission() {
	forbidden := outcome{clear: target.AboutCaller, matcher: HaveStatus(http.StatusForbidden)}
	known := outcome{clear: target.AboutCaller, matcher: BeRefusedBut(http.StatusUnauthorized)}
	s.Rule("create.permission", Must, Errors, "An authenticated user without the permission gets 403.",
		spec.Needs(unprivilegedKey), func() {
			e := s.unprivileged()
			plainly := s.refused(e.rejected(forbidden))
			e.name += ", with other options"
			anywhere, recognised := s.refused(e.rejected(known).inEveryContext()), s.recognised(plainly)
			s.It("refuses a creation by a user without the permission", func(ctx spec.Context) {
				a := plainly.Await(ctx)
				if !recognised.Await(ctx) {
					ctx.Inconclusive("the credential gets 401 wherever it is sent: check the value of %s", unprivilegedKey)
				}
				if a.Refusal() && a.Status != http.StatusForbidden && control.AboutShareholder(a.Exchange) {
					ctx.Expect("let through as far as its shareholder").To(BeNothing("Creation by a user without the permission", "403"))
				}
				ctx.Expect(a).To(forbidden.matcher)
				ctx.Expect(anywhere.Await(ctx)).To(known.matcher)
			})
		})
}

// recognised reports whether the credential is known anywhere: a 401 is the wrong answer to somebody who is, and the
// right one to a credential that is worth nothing.
func (s *Suite) recognised(creation answer) *spec.Observation[bool] {
	return spec.Observe(s.Plan, "export, "+unprivilegedKey, func(ctx context.Context) (bool, error) {
		a, err := creation.Get(ctx)
		if err != nil || a.Status != http.StatusUnauthorized {
			return true, err
		}
		export, err := s.t.Settle(ctx, target.AboutCaller, func() *client.Exchange {
			return s.t.StartExport(ctx, func() target.ExportCall {
				call := s.t.Export("export, "+unprivilegedKey, s.t.Unique(unprivilegedKey))
				call.Credential = s.t.Deployment.Credentials.Unprivileged
				return call
			})
		}, s.c.ExportAlive)
		return err == nil && export.Status != http.StatusUnauthorized, nil
	})
}
