package export

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// success: what an export may be asked with.
func (s *Suite) success() {
	s.Rule("export.success.steady", Should, Errors,
		"An export does not fail with a server error that disappears when it is requested again.", func() {
			s.Uses(s.c.Export, s.run)
			s.It("gets no server error before its answer", func(ctx spec.Context) {
				s.run.Await(ctx)
				ctx.Expect(Steadiness(s.t.Answered(client.Export))).To(HoldThroughout("export now and then",
					"the same answer each time"))
			})
		})
	s.Rule("export.success", Must, ExportOperation,
		"An export is accepted with an empty object, with each optional field alone, and with all of them; "+
			"no filter text breaks it.", func() {
			for _, a := range []attempt{
				s.emptyObject, s.formatAlone, s.startAlone, s.endAlone,
				s.filterAlone, // a type and its text; either without the other is only observed
				s.only("sort", "quote_created_at"), s.only("sort", "settled_date"), s.only("order", "asc"),
				s.only("order", "desc"), s.fieldsTogether(),
			} {
				s.accepts(a, s.found)
			}
			s.partsTogether()
			s.wholeSeconds()
			s.freeText("O'Brien", "an apostrophe")
			s.freeText(`"`, "a quotation mark")
			s.freeText("Conceição", "letters beyond ASCII")
			s.freeText("%", "a percent sign")
			s.freeText(`\`, "a backslash")
			s.rowsAccepted()
		})
}

// fieldsTogether is an export with all fields.
func (s *Suite) fieldsTogether() attempt {
	return s.send("all fields together", func(c *target.ExportCall) {
		c.Fields = clientFilter(c.Fields, s.someClient()).With("sort", "settled_date").With("order", "asc").With("type_extension", "CSV")
	})
}

// partsTogether: what is optional may be sent together, where nothing gives a reason to refuse just that.
func (s *Suite) partsTogether() {
	spec.Helper()
	s.Uses(s.c.Export)
	seen := spec.Observe(s.Plan, "valid exports in every context", act(func(l look) (refused []target.Answer) {
		for _, with := range s.c.Contexts(client.Export) {
			in, err := s.c.In(client.Export, with).Get(l)
			l.end(err)
			if in.Refused != nil {
				refused = append(refused, *in.Refused)
			}
		}
		return refused
	}))
	s.It("accepts an export with optional headers and fields together", func(ctx spec.Context) {
		s.c.Export.Await(ctx)
		for _, a := range seen.Await(ctx) {
			ctx.Expect(a).To(BeAccepted())
		}
	})
}

// wholeSeconds: a date-time needs no fraction. Where the same bounds are refused with one as well, it is something else
// that is refused.
func (s *Suite) wholeSeconds() {
	spec.Helper()
	bounds := s.t.Unique("whole seconds")
	written := func(ending string) build {
		f := target.Fields{}
		for field, value := range bounds {
			whole, _, _ := strings.Cut(fmt.Sprint(value), ".")
			f[field] = whole + ending
		}
		return fields(f)
	}
	s.accepts(s.send("bounds in whole seconds", written("Z")), s.needing(s.send("the same bounds with a fraction", written(".000Z"))))
}

// freeText: which texts name a client is up to the deployment, so it may refuse those that cannot; it may not break.
func (s *Suite) freeText(letters, words string) {
	spec.Helper()
	a := s.vary("a filter text with "+words, func(c *target.ExportCall) {
		c.Fields = clientFilter(c.Fields, "Ga "+letters+" "+s.t.Run)
	})
	s.accepted = append(s.accepted, a)
	s.Uses(s.c.Export)
	s.It("does not break over an export with "+a.what, func(ctx spec.Context) { ctx.Expect(a.Await(ctx)).To(BeAnswered()) })
}
