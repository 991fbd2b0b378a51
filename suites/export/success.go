package export

import (
	"fmt"
	"regexp"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
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
			bound := func(name string) attempt {
				return s.send("only "+name, func(c *target.ExportCall) { c.Fields = target.Fields{name: c.Fields[name]} })
			}
			for _, a := range []attempt{
				s.emptyObject, s.only("type_extension", "CSV"), bound("date_start"), bound("date_end"),
				// A type and its text; either without the other is only observed.
				s.send("only a client filter", both(fields(target.Fields{}), filter(s.someClient()))),
				s.only("sort", "quote_created_at"), s.only("sort", "settled_date"), s.only("order", "asc"), s.only("order", "desc"),
				s.send("all fields together", both(both(filter(s.someClient()), with("sort", "settled_date")),
					both(with("order", "asc"), with("type_extension", "CSV")))),
			} {
				s.accepts(a, s.found)
			}
			s.accepts(s.send("bounds in whole seconds", wholeSeconds), s.controlled) // a date-time needs no fraction
			s.partsTogether()
			s.freeText("O'Brien", "an apostrophe")
			s.freeText(`"`, "a quotation mark")
			s.freeText("Conceição", "letters beyond ASCII")
			s.freeText("%", "a percent sign")
			s.freeText(`\`, "a backslash")
		})
}

var fraction = regexp.MustCompile(`\.\d+`)

func wholeSeconds(c *target.ExportCall) {
	for _, bound := range []string{"date_start", "date_end"} {
		c.Fields = c.Fields.With(bound, fraction.ReplaceAllString(fmt.Sprint(c.Fields[bound]), ""))
	}
}

// partsTogether: what is optional may be sent together, where nothing gives a reason to refuse just that.
func (s *Suite) partsTogether() {
	spec.Helper()
	s.Uses(s.c.Export)
	seen := spec.See(s.Plan, "valid exports in every context", func(l spec.Context) (refused []target.Answer) {
		for _, with := range s.c.Contexts(client.Export) {
			if in := s.c.In(client.Export, with).Await(l); in.Refused != nil {
				refused = append(refused, *in.Refused)
			}
		}
		return refused
	})
	s.It("accepts an export with optional headers and fields together", func(ctx spec.Context) {
		s.c.Export.Await(ctx)
		for _, a := range seen.Await(ctx) {
			ctx.Expect(a).To(BeAccepted())
		}
	})
}

// freeText: which texts name a client is up to the deployment, so it may refuse those that cannot; it may not break.
func (s *Suite) freeText(letters, words string) {
	spec.Helper()
	a := s.send("a filter text with "+words, filter("Ga "+letters+" "+s.t.Run))
	s.Uses(a, s.c.Export)
	s.It("does not break over an export with "+a.what, func(ctx spec.Context) {
		s.c.Export.Await(ctx)
		ctx.Expect(a.Await(ctx)).To(BeAnswered())
	})
}
