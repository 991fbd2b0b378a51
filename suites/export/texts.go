package export

import (
	"context"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// freeTexts: a filter text is free text. Which texts name a client is up to the deployment, so it may refuse those that
// cannot; it may not break.
func (s *suite) freeTexts() {
	for _, c := range []struct{ what, text string }{
		{"a filter text with an apostrophe", "O'Brien " + s.t.Run},
		{"a filter text with letters beyond ASCII", "Conceição " + s.t.Run},
	} {
		seen := s.attempt(c.what, target.AboutField, both(with("filter_type", "client_id"), with("filter_text", c.text)))
		s.accepted = append(s.accepted, named{c.what, seen})
		s.p.It("export.success", c.what, spec.After(s.c.Export, seen), func(ctx context.Context) {
			Expect(breakdown(seen.Await(ctx))).To(beNothing("free text breaks the export", "2xx, or a 4xx that refuses the text"))
		})
	}
}

// breakdown describes an answer that neither accepts nor refuses, nothing for any other. A server error on the way to it
// counts.
func breakdown(a target.Answer) string {
	for _, x := range a.Attempts {
		if x.Status >= 500 && !x.Transient() {
			return matchers.Found(a)
		}
	}
	if !a.Success() && !a.Refusal() {
		return matchers.Found(a)
	}
	return ""
}
