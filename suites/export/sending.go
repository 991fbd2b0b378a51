package export

import (
	"context"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// build makes the request of an attempt out of a valid one.
type build func(valid target.ExportCall) target.ExportCall

// fields replaces the body's fields.
func fields(f target.Fields) build {
	return func(c target.ExportCall) target.ExportCall { c.Fields = f; return c }
}

// with sets one field beside bounds that no other request shares.
func with(name string, value any) build {
	return func(c target.ExportCall) target.ExportCall { c.Fields = c.Fields.With(name, value); return c }
}

// body replaces the whole body.
func body(text string) build {
	return func(c target.ExportCall) target.ExportCall { c.Body = []byte(text); return c }
}

// header sets one header; an empty value is sent as such.
func header(name, value string) build {
	return func(c target.ExportCall) target.ExportCall { return c.Set(name, value) }
}

func nonce(make func() string) build {
	return func(c target.ExportCall) target.ExportCall { c.Nonce = make(); return c }
}

// uncompared leaves replay protection at its default, which does not look at the nonce.
func uncompared(c target.ExportCall) target.ExportCall { c.Mode = ""; return c }

// both applies one build after another.
func both(a, b build) build {
	return func(c target.ExportCall) target.ExportCall { return b(a(c)) }
}

// attempt is an export that is not followed to its file, and what is special about it.
type attempt struct {
	what string
	*spec.Observation[target.Answer]
}

// send declares a valid export. It does not rest on another export being accepted.
func (s *Suite) send(label string, make build) attempt {
	return attempt{label, spec.Observe(s.Plan, "export: "+label, func(ctx context.Context) (target.Answer, error) {
		return s.settle(ctx, label, make)
	})}
}

func (s *Suite) settle(ctx context.Context, label string, make build) (target.Answer, error) {
	return s.t.Settle(ctx, target.AboutField, func() *client.Exchange {
		return s.t.StartExport(ctx, func() target.ExportCall { return make(s.t.Export(label, s.t.Unique())) })
	}, s.c.ExportAlive)
}

// vary declares an export that the control stands beside, whatever comes of it.
func (s *Suite) vary(label string, make build) attempt {
	return attempt{label, spec.Observe(s.Plan, "export: "+label, func(ctx context.Context) (target.Answer, error) {
		return s.beside(ctx, label, target.AboutField, make)
	})}
}

// unwelcome is vary for an export that should not be accepted, or need not be: its answer is not an example of what
// an accepted export gets.
func (s *Suite) unwelcome(label string, clear target.Clear, make build) attempt {
	return attempt{label, spec.Observe(s.Plan, "export: "+label, func(ctx context.Context) (target.Answer, error) {
		a, err := s.beside(ctx, label, clear, make)
		s.t.Disown(a.Attempts...)
		return a, err
	})}
}

func (s *Suite) beside(ctx context.Context, label string, clear target.Clear, make build) (target.Answer, error) {
	return s.c.Exports(ctx, clear, func(valid target.ExportCall) target.ExportCall {
		valid.Label = label
		return make(valid)
	})
}

// declareAnswers declares the exports that several rules look at.
func (s *Suite) declareAnswers() {
	f := s.t.Deployment.Fixtures
	s.emptyObject = s.send("an empty object", fields(target.Fields{}))
	s.formatAlone = s.send("only type_extension CSV", fields(target.Fields{"type_extension": "CSV"}))
	s.filterAlone = s.send("only a client filter", fields(clientFilter(target.Fields{}, s.someClient())))
	s.walletEmpty = s.vary("an empty wallet header", header(target.HeaderWallet, ""))
	s.productAlone = s.vary("a product", header(target.HeaderProduct, f.ProductID))
	s.run = spec.ObserveEnd(s.Plan, "every export that the run saw accepted", s.everyExample)
}

// someClient is the client that filters ask for: the fixture, or a name that nobody has.
func (s *Suite) someClient() string {
	if id := s.t.Deployment.Fixtures.ClientID; id != "" {
		return id
	}
	return "gateassay-" + s.t.Run
}

// accept declares the spec that a valid export is accepted. A deployment that refuses every export breaks the rule;
// one that has nothing at the path was not found.
func (s *Suite) accept(a attempt) {
	GinkgoHelper()
	s.accepted = append(s.accepted, a)
	s.Uses(a, s.c.Export)
	It("accepts "+a.what, func(ctx SpecContext) {
		got := a.Await(ctx)
		if err := target.WebPage(got.Exchange); err != nil {
			spec.GiveUp(err)
		}
		if got.Status == http.StatusNotFound || got.Status == http.StatusMethodNotAllowed {
			if _, ok := s.c.Export.Settled(ctx); !ok {
				spec.Inconclusive("every export gets %s: nothing seems to be there; check base_url and export.path", got)
			}
		}
		Expect(got).To(BeAccepted())
	})
}

// acceptWith declares the spec that an export with a valid header is accepted, as it is without that header: where
// every export is refused, the header is not to blame. Nor is it where what it needs beside it is refused alone.
func (s *Suite) acceptWith(a attempt, needed ...attempt) {
	GinkgoHelper()
	s.accepted = append(s.accepted, a)
	s.Uses(s.c.Export, a)
	for _, n := range needed {
		s.Uses(n)
	}
	It("accepts "+a.what, func(ctx SpecContext) {
		got := a.Await(ctx)
		for _, n := range needed {
			if alone := n.Await(ctx); !got.Success() && !alone.Success() {
				spec.Inconclusive("what it needs beside it is refused by itself (%s)", alone)
			}
		}
		Expect(got).To(BeAccepted())
	})
}

// reject declares an export with a bad field and the spec that it is rejected.
func (s *Suite) reject(label string, make build) {
	GinkgoHelper()
	s.defective(label, target.AboutField, BeRejected(), make)
}

// refuse declares an export whose headers are at fault, so that a 401 or 403 is an answer to them as well, and the
// spec that it is refused.
func (s *Suite) refuse(label string, make build) {
	GinkgoHelper()
	s.defective(label, target.AboutCaller, BeRefused(), make)
}

func (s *Suite) defective(label string, clear target.Clear, match types.GomegaMatcher, make build) {
	GinkgoHelper()
	a := s.unwelcome(label, clear, make)
	s.Uses(s.c.Export)
	s.rejected = append(s.rejected, attempt{strings.TrimPrefix(s.about, "export."), a.Observation})
	It("refuses "+label, func(ctx SpecContext) { Expect(a.Await(ctx)).To(match) })
}
