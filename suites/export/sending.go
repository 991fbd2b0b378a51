package export

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// build makes the request of an attempt out of a valid one, which has bounds that no other request shares.
type build func(valid *target.ExportCall)

// edit is a build and what is special about it.
type edit struct {
	what string
	make build
}

type edits []edit

// fields replaces the body's fields.
func fields(f target.Fields) build { return func(c *target.ExportCall) { c.Fields = f } }

// with sets one field.
func with(name string, value any) build {
	return func(c *target.ExportCall) { c.Fields = c.Fields.With(name, value) }
}

// body replaces the whole body.
func body(text string) build { return func(c *target.ExportCall) { c.Body = []byte(text) } }

// header sets one header; an empty value is sent as such.
func header(name, value string) build { return func(c *target.ExportCall) { *c = c.Set(name, value) } }

func nonce(make func() string) build { return func(c *target.ExportCall) { c.Nonce = make() } }

// uncompared leaves replay protection at its default, which does not look at the nonce.
func uncompared(c *target.ExportCall) { c.Mode = "" }

// both applies one build after another.
func both(a, b build) build { return func(c *target.ExportCall) { a(c); b(c) } }

// filter asks for a client.
func filter(id string) build { return both(with("filter_type", "client_id"), with("filter_text", id)) }

// someClient is the client that filters ask for: the fixture, or a name that nobody has.
func (s *Suite) someClient() string {
	if id := s.t.Deployment.Fixtures.ClientID; id != "" {
		return id
	}
	return "gateassay-" + s.t.Run
}

// attempt is an export that is not followed to its file, and what is special about it.
type attempt struct {
	what string
	*spec.Observation[target.Answer]
}

// send declares a valid export. It does not rest on another export being accepted.
func (s *Suite) send(label string, make build) attempt {
	return attempt{label, spec.Observe(s.Plan, "export: "+label, func(ctx context.Context) (target.Answer, error) {
		return s.c.Settle(ctx, client.Export, target.AboutField, func(x control.Call) {
			x.Label = label
			make(x.Export)
		})
	})}
}

// only is an export with a single field.
func (s *Suite) only(field string, value any) attempt {
	return s.send(fmt.Sprintf("only %s %v", field, value), fields(target.Fields{field: value}))
}

// rejection is which answers are clear, and which of them reject.
type rejection struct {
	clear target.Clear
	match Matcher
	// for whom a request runs is what it is about: its contexts name neither a product nor a user nor a wallet
	caller bool
}

// rejected is how exports are rejected that a rule is about: to a header, a 401 or 403 is an answer as well.
func rejected(rule string) rejection {
	if !strings.HasPrefix(rule, "export.header.") {
		return rejection{target.AboutField, BeRejected(), false}
	}
	caller := strings.HasPrefix(rule, "export.header.product.") || strings.HasPrefix(rule, "export.header.target_user.")
	return rejection{target.AboutCaller, BeRefused(), caller}
}

// unwelcome declares an export that should not be accepted, or need not be: its answer is not an example of what an
// accepted export gets. It is sent in one context after the other, up to the first that is not right.
func (s *Suite) unwelcome(how rejection, e edit, contexts func() []design.Context) attempt {
	s.Uses(s.c.Export)
	right := func(a target.Answer) bool { ok, err := how.match.Match(a); return ok && err == nil }
	return attempt{e.what, spec.Observe(s.Plan, "export: "+e.what, func(ctx context.Context) (target.Answer, error) {
		var about []string
		if how.caller {
			about = s.c.Whose(client.Export)
		}
		return s.c.Try(ctx, control.Trial{
			Op: client.Export, In: contexts(), Without: about, Clear: how.clear, Right: right,
			Edit: func(x control.Call) {
				x.Label, x.Unwelcome = e.what, true
				e.make(x.Export)
			},
		})
	})}
}

// rejects declares a rule that an export is rejected with each of some flaws.
func (s *Suite) rejects(id string, level Level, statement string, bad edits, options ...any) {
	spec.Helper()
	how := rejected(id)
	s.Rule(id, level, ExportOperation, statement, append(options, func() {
		for i, e := range bad {
			a := s.unwelcome(how, e, func() []design.Context { return s.c.Assign(client.Export, id, len(bad))[i] })
			s.rejected = append(s.rejected, attempt{strings.TrimPrefix(id, "export."), a.Observation})
			s.It("refuses an export with "+e.what, func(ctx spec.Context) { ctx.Expect(a.Await(ctx)).To(how.match) })
		}
	})...)
}

// doubting ends a case where a refusal may be about something else than what the export is about.
type doubting func(ctx spec.Context, got target.Answer)

// accepts declares the spec that a valid export is accepted.
func (s *Suite) accepts(a attempt, doubts ...doubting) {
	spec.Helper()
	s.Uses(a, s.c.Export)
	s.It("accepts an export with "+a.what, func(ctx spec.Context) {
		got := a.Await(ctx)
		for _, doubt := range doubts {
			doubt(ctx, got)
		}
		ctx.Expect(got).To(BeAccepted())
	})
}

// controlled doubts what is refused where no valid export is accepted.
func (s *Suite) controlled(ctx spec.Context, _ target.Answer) { s.c.Export.Await(ctx) }

// found doubts that there is an export operation: a deployment that refuses every export breaks the rule, and one that has
// nothing at the path was not found.
func (s *Suite) found(ctx spec.Context, got target.Answer) {
	ctx.GiveUp(target.WebPage(got.Exchange))
	if got.Status != http.StatusNotFound && got.Status != http.StatusMethodNotAllowed {
		return
	}
	if _, ok := s.c.Export.Settled(ctx); !ok {
		ctx.Inconclusive("every export gets %s: there seems to be no such operation; check base_url and export.path", got)
	}
}

// example is an answered export and what was special about it.
type example struct {
	what   string
	answer target.Answer
}
