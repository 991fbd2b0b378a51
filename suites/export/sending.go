package export

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// build makes the request of an attempt out of a valid one.
type build func(valid *target.ExportCall)

// edit is a build and what is special about it.
type edit struct {
	what string
	make build
}

type edits []edit

// fields replaces the body's fields.
func fields(f target.Fields) build { return func(c *target.ExportCall) { c.Fields = f } }

// with sets one field beside bounds that no other request shares.
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

// attempt is an export that is not followed to its file, and what is special about it.
type attempt struct {
	what string
	*spec.Observation[target.Answer]
}

// attempt declares an export that act sends.
func (s *Suite) attempt(label string, act func(ctx context.Context) (target.Answer, error)) attempt {
	return attempt{label, spec.Observe(s.Plan, "export: "+label, act)}
}

// send declares a valid export. It does not rest on another export being accepted.
func (s *Suite) send(label string, make build) attempt {
	return s.attempt(label, func(ctx context.Context) (target.Answer, error) { return s.settle(ctx, label, make) })
}

func (s *Suite) settle(ctx context.Context, label string, make build) (target.Answer, error) {
	return s.t.Settle(ctx, target.AboutField, func() *client.Exchange {
		return s.t.StartExport(ctx, func() target.ExportCall {
			call := s.t.Export(label, s.t.Unique(label))
			make(&call)
			return call
		})
	}, s.c.ExportAlive)
}

// vary declares an export that rests on the control being accepted, whatever comes of it.
func (s *Suite) vary(label string, make build) attempt {
	return s.attempt(label, func(ctx context.Context) (target.Answer, error) {
		return s.ordinary(ctx, label, target.AboutField, make)
	})
}

// unwelcome declares an export that should not be accepted, or need not be: its answer is not an example of what an
// accepted export gets. It is sent in one context after the other, up to the first that is not right.
func (s *Suite) unwelcome(how rejection, e edit, contexts func() []design.Context) attempt {
	s.Uses(s.c.Export)
	right := func(a target.Answer) bool { ok, err := how.match.Match(a); return ok && err == nil }
	return s.attempt(e.what, func(ctx context.Context) (target.Answer, error) {
		a, condition, err := control.InContexts(ctx, s.c, client.Export, contexts(), right,
			func(with design.Context) (target.Answer, error) {
				if how.caller {
					with = with.Without(s.c.Whose(client.Export)...)
				}
				a, err := s.ordinary(ctx, e.what, how.clear, func(c *target.ExportCall) {
					s.c.ChangeExport(c, with)
					if len(with) > 0 {
						c.Label += ", with " + with.String()
					}
					e.make(c)
				})
				a.Subject = e.what
				s.t.Disown(a.Attempts...)
				return a, err
			})
		a.Condition = condition
		return a, err
	})
}

func (s *Suite) ordinary(ctx context.Context, label string, clear target.Clear, make build) (target.Answer, error) {
	return s.c.Exports(ctx, clear, func(c *target.ExportCall) {
		c.Label = label
		make(c)
	})
}

func plainly() []design.Context { return []design.Context{nil} }

// declareAnswers declares the exports that several rules look at.
func (s *Suite) declareAnswers() {
	f := s.t.Deployment.Fixtures
	s.emptyObject = s.send("an empty object", fields(target.Fields{}))
	s.startAlone, s.endAlone = s.onlyBound("date_start"), s.onlyBound("date_end")
	s.formatAlone = s.only("type_extension", "CSV")
	s.filterAlone = s.send("only a client filter", fields(clientFilter(target.Fields{}, s.someClient())))
	s.walletEmpty = s.vary("an empty wallet header", header(target.HeaderWallet, ""))
	s.productAlone = s.vary("a product", header(target.HeaderProduct, f.ProductID))
	s.run = spec.Observe(s.Plan, "every export that the run saw accepted", s.everyExample, spec.OfAll)
}

// someClient is the client that filters ask for: the fixture, or a name that nobody has.
func (s *Suite) someClient() string {
	if id := s.t.Deployment.Fixtures.ClientID; id != "" {
		return id
	}
	return "gateassay-" + s.t.Run
}

// doubting ends a case where a refusal may be about something else than what the export is about.
type doubting func(ctx spec.Context, got target.Answer)

// accepts declares the spec that a valid export is accepted.
func (s *Suite) accepts(a attempt, doubts ...doubting) {
	spec.Helper()
	s.accepted = append(s.accepted, a)
	s.Uses(a)
	s.Uses(s.c.Export)
	s.It("accepts an export with "+a.what, func(ctx spec.Context) {
		got := a.Await(ctx)
		for _, doubt := range doubts {
			doubt(ctx, got)
		}
		ctx.Expect(got).To(BeAccepted())
	})
}

// found doubts that there is an export operation: a deployment that refuses every export breaks the rule, and one that has
// nothing at the path was not found.
func (s *Suite) found(ctx spec.Context, got target.Answer) {
	if err := target.WebPage(got.Exchange); err != nil {
		ctx.GiveUp(err)
	}
	if got.Status != http.StatusNotFound && got.Status != http.StatusMethodNotAllowed {
		return
	}
	if _, ok := s.c.Export.Settled(ctx); !ok {
		ctx.Inconclusive("every export gets %s: there seems to be no such operation; check base_url and export.path", got)
	}
}

// needing doubts what takes something that is refused by itself.
func (s *Suite) needing(all ...attempt) doubting {
	for _, needed := range all {
		s.Uses(needed)
	}
	return func(ctx spec.Context, got target.Answer) {
		for _, needed := range all {
			if alone := needed.Await(ctx); !got.Success() && !alone.Success() {
				ctx.Inconclusive("what it needs is refused by itself (%s)", alone)
			}
		}
	}
}

// rejects declares a rule that an export is rejected with each of some bad fields.
func (s *Suite) rejects(id string, level Level, section Section, statement string, bad edits, options ...any) {
	spec.Helper()
	s.rejectsIn(id, level, section, statement, bad, rejection{target.AboutField, BeRejected(), false}, options)
}

// rejection is which answers are clear, and which of them reject.
type rejection struct {
	clear target.Clear
	match Matcher
	// for whom a request runs is what it is about: its contexts name neither a product nor a user nor a wallet
	caller bool
}

func (s *Suite) rejectsIn(id string, level Level, section Section, statement string, bad edits, how rejection,
	options []any,
) {
	spec.Helper()
	s.Rule(id, level, section, statement, append(options, func() {
		for i, e := range bad {
			a := s.unwelcome(how, e, func() []design.Context { return s.c.Assign(client.Export, id, len(bad))[i] })
			s.rejected = append(s.rejected, attempt{strings.TrimPrefix(s.Building(), "export."), a.Observation})
			s.It("refuses an export with "+e.what, func(ctx spec.Context) {
				got := a.Await(ctx)
				ctx.Expect(got).To(how.match)
			})
		}
	})...)
}

// refuses declares a rule that an export is refused for each of some headers, so that a 401 or 403 is an answer to them
// as well.
func (s *Suite) refuses(id string, level Level, section Section, statement string, bad edits, options ...any) {
	spec.Helper()
	caller := strings.HasPrefix(id, "export.header.product.") || strings.HasPrefix(id, "export.header.target_user.")
	s.rejectsIn(id, level, section, statement, bad, rejection{target.AboutCaller, BeRefused(), caller}, options)
}

// example is an answered export and what was special about it.
type example struct {
	what   string
	answer target.Answer
}

// seen waits for those of some exports that this run sends, and returns those whose answers are kept. formatAlone may
// be sent only while others are judged: it is always among them.
func (s *Suite) seen(ctx spec.Context, all []attempt, keep func(target.Answer) bool) []example {
	var list []example
	for _, a := range all {
		if !a.Launched() && a.Observation != s.formatAlone.Observation {
			continue
		}
		if got, ok := a.Settled(ctx); ok && keep(got) {
			list = append(list, example{a.what, got})
		}
	}
	return list
}

// seenAccepted waits for the control and for all valid exports, and returns those that were accepted.
func (s *Suite) seenAccepted(ctx spec.Context) []example {
	control := example{"a valid export", s.c.Export.Await(ctx).Answer}
	return append([]example{control}, s.seen(ctx, s.accepted, target.Answer.Success)...)
}

// seenRejected waits for the control and for all invalid exports, and returns those that were answered and not
// accepted.
func (s *Suite) seenRejected(ctx spec.Context) []example {
	s.c.Export.Await(ctx)
	return s.seen(ctx, s.rejected, func(a target.Answer) bool { return !a.Success() && a.Status != 0 })
}

// only is an export with a single field.
func (s *Suite) only(field string, value any) attempt {
	return s.send(fmt.Sprintf("only %s %v", field, value), fields(target.Fields{field: value}))
}

// onlyBound is an export with a single bound.
func (s *Suite) onlyBound(name string) attempt {
	return s.send("only "+name, func(c *target.ExportCall) { c.Fields = target.Fields{name: c.Fields[name]} })
}

// clientFilter adds the filter of a client.
func clientFilter(f target.Fields, id string) target.Fields {
	return f.With("filter_type", "client_id").With("filter_text", id)
}
