package create

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/repeat"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"

	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// shareholder: the representative belongs to a shareholder of the caller's own legal person.
func (s *Suite) shareholder() {
	const field = "shareholder_id"
	s.Describe(field, func() {
		s.rejects("create.shareholder.unknown", Must, RequestTable, "A shareholder that does not exist is rejected.",
			[]edit{
				spelled("a shareholder that does not exist", field, func(any) any { return target.UUID() }).inEveryContext(),
				spelled("the shareholder's ID with another end", field, func(any) any {
					const end = 12 // the last part of a UUID: part of an ID is not the ID
					id, other := s.t.Deployment.Fixtures.ShareholderID, target.UUID()
					return id[:max(0, len(id)-end)] + other[len(other)-end:]
				}),
			})
		s.rejects("create.shareholder.malformed", Must, RequestTable,
			"A shareholder ID that is not a UUID is rejected.", []edit{with(field, "not-a-uuid").inEveryContext()})
		s.Group(spec.Needs("fixtures.foreign_shareholder_id"), s.foreignShareholder)
	})
}

// foreignShareholder: whatever refuses a shareholder of another legal person reaches nothing of theirs, so which status
// that is has a rule of its own. Whoever asks, for whom and for which product is up to the contexts.
func (s *Suite) foreignShareholder() {
	const field = "shareholder_id"
	theirs := s.t.Deployment.Fixtures.ForeignShareholderID
	foreign := worded("another legal person's shareholder", field, theirs)
	foreign.matcher = BeRefused()
	also := func(how string) edit { return foreign.named(foreign.name + how).after(foreign.name) }
	capitals := also(" in capitals")
	capitals.apply = with(field, strings.ToUpper(theirs)).apply

	s.rejects("create.shareholder.foreign_status", Must, RequestTable,
		"A shareholder of another legal person is refused with 400, 403, 404 or 422.", []edit{also(", once more").expecting(ofShareholder())})
	s.rejects("create.shareholder.foreign", Must, RequestTable,
		"A shareholder of another legal person is rejected, whoever asks, for whom and for which product.",
		[]edit{foreign, also(", with other options").inEveryContext(), capitals}, spec.Security)
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
			plainly := s.refused(e.expecting(forbidden))
			anywhere := s.refused(e.named(noPermission + ", with other options").expecting(known).inEveryContext())
			// A 401 is the wrong answer to somebody who is known, and the right one to a credential that is worth nothing.
			recognised := spec.Observe(s.Plan, "export, "+unprivilegedKey, func(ctx context.Context) (bool, error) {
				a, err := plainly.Get(ctx)
				if err != nil || a.Status != http.StatusUnauthorized {
					return true, err
				}
				export, err := s.c.Send(ctx, client.Export, target.AboutCaller, nil, func(x control.Call) {
					x.Label, x.Credential = "export, "+unprivilegedKey, s.t.Deployment.Credentials.Unprivileged
				})
				return err == nil && export.Status != http.StatusUnauthorized, nil
			}, spec.AfterAcceptances)
			s.It("refuses a creation by a user without the permission", func(ctx spec.Context) {
				a := plainly.Await(ctx)
				if !recognised.Await(ctx) {
					ctx.Inconclusive("the credential gets 401 wherever it is sent: check the value of %s", unprivilegedKey)
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
	e := all("fields that only the service sets", sent)
	s.Rule("create.response.own_fields", Should, RecordTable,
		"What only the service sets is not taken from the request: id, document.id, document.type, person_type, created_at.",
		func() {
			seen := s.sound(e)
			s.It("sets them itself, or rejects a "+label(e), func(ctx spec.Context) {
				a := seen.Await(ctx)
				if ctx.Expect(a).To(BeAnswered()); !a.Success() {
					return
				}
				found := read(a)
				needRecord(ctx, found)
				var taken []string
				evidence := spec.Evidence{Repeat: spec.Requests(a.Exchange)}
				for _, path := range e.fields {
					if got, _ := found.record.Get(path); got == sent[path] {
						taken = append(taken, path)
						evidence.Sign = repeat.Value{Path: path, Right: regexp.QuoteMeta(fmt.Sprintf("%q", got)), Not: true}
					}
				}
				ctx.Expect(Flaw{Found: strings.Join(taken, ", "), Evidence: evidence}).To(BeFlawless("Taken from the request", "none of them"))
			})
		})
}
