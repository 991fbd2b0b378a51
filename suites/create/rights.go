package create

import (
	"context"
	"net/http"
	"slices"
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
			spelled("a shareholder that does not exist", field, func(any) any { return target.UUID() }).inEveryContext(),
			spelled("the shareholder's ID with another end", field, func(any) any {
				const end = 12 // the last part of a UUID: part of an ID is not the ID
				id, other := s.t.Deployment.Fixtures.ShareholderID, target.UUID()
				return id[:max(0, len(id)-end)] + other[len(other)-end:]
			}))
		s.rejects("create.shareholder.malformed", Must, RequestTable,
			"A shareholder ID that is not a UUID is rejected.", with(field, "not-a-uuid").inEveryContext())
		s.Group(spec.Needs("fixtures.foreign_shareholder_id"), s.foreignShareholder)
	})
}

// foreignShareholder: whatever refuses a shareholder of another legal person reaches nothing of theirs, so which status
// that is has a rule of its own.
func (s *Suite) foreignShareholder() {
	const field, product = "shareholder_id", target.HeaderProduct
	theirs, refused := s.t.Deployment.Fixtures.ForeignShareholderID, outcome{clear: target.AboutCaller, matcher: BeRefused()}
	foreign := worded("another legal person's shareholder", field, theirs).rejected(refused)
	also := func(how, id string) edit {
		return s.unless(foreign.name, worded(foreign.name+how, field, id).rejected(refused))
	}
	anywhere := also(", with other options", theirs).inEveryContext()

	s.rejects("create.shareholder.foreign_status", Must, RequestTable,
		"A shareholder of another legal person is refused with 400, 403, 404 or 422.",
		s.unless(foreign.name, foreign.named(foreign.name+", once more").rejected(ofShareholder())))
	s.Group(spec.Security, func() {
		s.rejects("create.shareholder.foreign", Must, RequestTable, "A shareholder of another legal person is rejected.",
			foreign, anywhere, also(" in capitals", strings.ToUpper(theirs)))
		by := func(id, how string, needs []string, factors ...string) {
			spec.Helper()
			var with design.Context
			for _, f := range factors {
				with = append(with, record.Setting{Factor: f})
			}
			e := also(", "+how, theirs).only(func(ctx context.Context) error {
				valid, err := s.c.In(client.Create, with).Get(ctx)
				if err == nil && len(valid.Context) < len(with) {
					err = spec.Unmet("", "a valid creation with %s is refused as well", with)
				}
				return err
			})
			e.in = with
			s.rejects(id, Must, RequestTable, "A shareholder of another legal person is rejected "+how+", too.", spec.Needs(needs...), e)
		}
		by("create.shareholder.foreign_by_api_key", "from a caller with an API key", []string{"credentials.api_key"}, control.Method)
		by("create.shareholder.foreign_by_product", "with a product", []string{"fixtures.product_id"}, product)
		by("create.shareholder.foreign_on_behalf", "on behalf of a user of the product",
			[]string{"fixtures.product_id", "fixtures.target_user_id"}, s.t.Deployment.LegalRepresentative.Headers.OnBehalfOf, product)
	})
}

const (
	unprivilegedKey = "credentials.unprivileged"
	noPermission    = "a user without the permission"
)

// permission: 403 distinguishes a lack of permission from a lack of identity. A product that is named is not this
// user's, which may be what the answer is about; who asks is known all the same.
func (s *Suite) permission() {
	forbidden := outcome{clear: target.AboutCaller, matcher: HaveStatus(http.StatusForbidden)}
	known := outcome{clear: target.AboutCaller, matcher: BeRefused(http.StatusUnauthorized)}
	s.Rule("create.permission", Must, Errors, "An authenticated user without the permission gets 403.",
		spec.Needs(unprivilegedKey), func() {
			e := changed(noPermission, func(c *target.Creation) { c.Credential = s.t.Deployment.Credentials.Unprivileged })
			plainly := s.refused(e.rejected(forbidden))
			e.name += ", with other options"
			anywhere := s.refused(e.rejected(known).inEveryContext())
			// A 401 is the wrong answer to somebody who is known, and the right one to a credential that is worth nothing.
			recognised := spec.Observe(s.Plan, "export, "+unprivilegedKey, func(ctx context.Context) (bool, error) {
				a, err := plainly.Get(ctx)
				if err != nil || a.Status != http.StatusUnauthorized {
					return true, err
				}
				export, err := s.c.Exports(ctx, target.AboutCaller, func(x *target.ExportCall) {
					x.Label, x.Credential = "export, "+unprivilegedKey, s.t.Deployment.Credentials.Unprivileged
				})
				return err == nil && export.Status != http.StatusUnauthorized, nil
			})
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

// ownFields: what only the service sets.
func (s *Suite) ownFields() {
	sent := map[string]any{
		"id": target.UUID(), "document.id": target.UUID(), "document.type": "CNPJ", "person_type": "LEGAL_PERSON",
		"created_at": "2001-02-03T04:05:06Z",
	}
	s.Rule("create.response.own_fields", Should, RecordTable,
		"What only the service sets is not taken from the request: id, document.id, document.type, person_type, created_at.",
		func() {
			e := all("fields that only the service sets", sent)
			seen := s.sound(e)
			s.It("sets them itself, or rejects a "+label(e), func(ctx spec.Context) {
				a := seen.Await(ctx)
				if !a.Success() {
					ctx.Expect(a).To(BeAnswered())
					return
				}
				found := read(a)
				needRecord(ctx, found)
				taken := slices.DeleteFunc(slices.Clone(e.fields), func(path string) bool { got, _ := found.record.Get(path); return got != sent[path] })
				ctx.Expect(strings.Join(taken, ", ")).To(BeNothing("Taken from the request", "none of them"))
			})
		})
}
