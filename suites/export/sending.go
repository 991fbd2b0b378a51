package export

import (
	"context"
	"net/http"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/matchers"
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

// header sets one header; an empty value is sent as such.
func header(name, value string) build {
	return func(c target.ExportCall) target.ExportCall { return c.Set(name, value) }
}

// both applies one build after another.
func both(a, b build) build {
	return func(c target.ExportCall) target.ExportCall { return b(a(c)) }
}

// send declares a valid export. It does not rest on another export being accepted.
func (s *suite) send(label string, make build) *spec.Observation[target.Answer] {
	seen := spec.Observe(s.p, label, func(ctx context.Context) (target.Answer, error) {
		return s.t.Settle(ctx, target.AboutField, func() *client.Exchange {
			return s.t.StartExport(ctx, func() target.ExportCall { return make(s.t.Export(label, s.t.Unique())) })
		}, s.c.ExportAlive)
	})
	s.accepted = append(s.accepted, named{label, seen})
	return seen
}

// accept declares a valid export and the check that it is accepted. A deployment that refuses every export breaks the
// rule; one that has nothing at the path was not found.
func (s *suite) accept(rule, name, label string, make build) *spec.Observation[target.Answer] {
	seen := s.send(label, make)
	s.p.It(rule, name, spec.After(seen, s.c.Export), func(ctx context.Context) {
		a := seen.Await(ctx)
		if err := target.WebPage(a.Exchange); err != nil {
			s.p.Inconclusive("%s", err)
		}
		if a.Status == http.StatusNotFound || a.Status == http.StatusMethodNotAllowed {
			if _, err := s.c.Export.Get(ctx); err != nil {
				s.p.Inconclusive("every export gets %s: nothing seems to be there; check base_url and export.path", target.Describe(a.Exchange))
			}
		}
		Expect(a).To(matchers.BeAccepted())
	})
	return seen
}

// acceptWith declares an export with a valid header and the check that it is accepted, as it is without that header:
// where every export is refused, the header is not to blame.
func (s *suite) acceptWith(rule, name, label string, make build) *spec.Observation[target.Answer] {
	seen := s.attempt(label, target.AboutField, make)
	s.accepted = append(s.accepted, named{label, seen})
	s.p.It(rule, name, spec.After(s.c.Export, seen), func(ctx context.Context) {
		Expect(seen.Await(ctx)).To(matchers.BeAccepted())
	})
	return seen
}

// acceptBeside is acceptWith for what needs another header beside it: where that one alone is refused, it is to blame.
func (s *suite) acceptBeside(alone *spec.Observation[target.Answer], rule, label string, make build) {
	seen := s.attempt(label, target.AboutField, make)
	s.accepted = append(s.accepted, named{label, seen})
	s.p.It(rule, label, spec.After(s.c.Export, seen, alone), func(ctx context.Context) {
		a := seen.Await(ctx)
		if needed := alone.Await(ctx); !a.Success() && !needed.Success() {
			s.p.Inconclusive("what it needs beside it is refused by itself (%s)", target.Describe(needed.Exchange))
		}
		Expect(a).To(matchers.BeAccepted())
	})
}

// attempt declares an export that the control stands beside, whatever comes of it.
func (s *suite) attempt(label string, clear target.Clear, make build) *spec.Observation[target.Answer] {
	return spec.Observe(s.p, label, func(ctx context.Context) (target.Answer, error) {
		return s.c.Exports(ctx, clear, func(valid target.ExportCall) target.ExportCall {
			valid.Label = label
			return make(valid)
		})
	})
}

// unwelcome is attempt for an export that should not be accepted, or need not be.
func (s *suite) unwelcome(label string, clear target.Clear, make build) *spec.Observation[target.Answer] {
	return spec.Observe(s.p, label, func(ctx context.Context) (target.Answer, error) {
		a, err := s.c.Exports(ctx, clear, func(valid target.ExportCall) target.ExportCall {
			valid.Label = label
			return make(valid)
		})
		s.t.Disown(a.Attempts...)
		return a, err
	})
}

// reject declares an export with a bad field and the check that it is rejected.
func (s *suite) reject(rule, kind, label string, make build) {
	seen := s.unwelcome(label, target.AboutField, make)
	s.rejected = append(s.rejected, named{kind, seen})
	s.p.It(rule, label, spec.After(s.c.Export, seen), func(ctx context.Context) {
		Expect(seen.Await(ctx)).To(matchers.BeRejected())
	})
}

// refuse declares an export whose headers are at fault, so that a 401 or 403 is an answer to them as well, and the check
// that it is refused.
func (s *suite) refuse(rule, kind, label string, make build) {
	seen := s.unwelcome(label, target.AboutCaller, make)
	s.rejected = append(s.rejected, named{kind, seen})
	s.p.It(rule, label, spec.After(s.c.Export, seen), func(ctx context.Context) {
		Expect(seen.Await(ctx)).To(matchers.BeRefused())
	})
}
