package export

import (
	"fmt"
	"regexp"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// success: what an export may be asked with.
func (s *Suite) success() {
	s.Rule("export.success.steady", Should, SectionErrors,
		"An export does not fail with a server error that disappears when it is requested again.",
		func() {
			s.UseObservations(s.lab.ControlExport, s.run)
			s.It("gets no server error before its answer", func(ctx spec.Context) {
				s.run.Await(ctx)
				ctx.Expect(TallyTransientErrors(s.lab.ServerErrorStats(lab.Export))).
					To(HoldForEveryAnswer("export now and then",
						"the same answer each time"))
			})
		})
	s.Rule("export.success",
		Must,
		SectionExport,
		"An export is accepted with an empty object, with each optional field alone, and with all of "+
			"them; "+
			"no filter text breaks it.",
		func() {
			bound := func(name string) lab.Probe {
				return valid("only "+name,
					func(r *target.Request) { r.Fields = target.ExportFields{name: r.Fields[name]} })
			}
			for _, p := range []lab.Probe{
				emptyObject(), only("type_extension", "CSV"), bound("date_start"), bound("date_end"),
				// A type and its text; either without the other is only observed.
				valid("only a client filter", fields(target.ExportFields{}), filter(s.someClient())),
				only("sort", "quote_created_at"), only("sort", "settled_date"), only("order", "asc"),
				only("order", "desc"),
				valid("all fields together", filter(s.someClient()), with("sort", "settled_date"),
					with("order", "asc"),
					with("type_extension", "CSV")),
			} {
				s.accepts(p, s.found, s.emptier)
			}
			// a date-time needs no fraction
			s.accepts(valid("bounds in whole seconds", wholeSeconds), s.controlled)
			s.partsTogether()
			s.freeText("O'Brien", "an apostrophe")
			s.freeText(`"`, "a quotation mark")
			s.freeText("Conceição", "letters beyond ASCII")
			s.freeText("%", "a percent sign")
			s.freeText(`\`, "a backslash")
		},
	)
}

// emptier doubts an export with a single field, or a filter of two, where an empty object is
// refused alike: it is not about this field.
func (s *Suite) emptier(ctx spec.Context, got target.Answer) {
	empty, ok := s.emptyObject.TryGet(ctx)
	if ok && empty.Exchange != got.Exchange && got.IsClientError() && empty.Status == got.Status &&
		len(got.Sent.Fields) <= 2 {
		ctx.NotVerifiedf("", "an empty object is refused as well, so that the field is not the reason")
	}
}

var fraction = regexp.MustCompile(`\.\d+`)

func wholeSeconds(r *target.Request) {
	for _, bound := range []string{"date_start", "date_end"} {
		r.SetField(bound, fraction.ReplaceAllString(fmt.Sprint(r.Fields[bound]), ""))
	}
}

// partsTogether: what is optional may be sent together, where nothing gives a reason to refuse just
// that.
func (s *Suite) partsTogether() {
	spec.Helper()
	s.UseObservations(s.lab.ControlExport)
	seen := spec.ObserveAsCase(s.Plan, "valid exports in every context",
		func(l spec.Context) (refused []target.Answer) {
			for _, with := range s.lab.Configurations(lab.Export) {
				if in := s.lab.ControlFor(lab.Export, with).Await(l); in.WronglyRefused != nil {
					refused = append(refused, *in.WronglyRefused)
				}
			}
			return refused
		})
	s.It("accepts an export with optional headers and fields together", func(ctx spec.Context) {
		s.lab.ControlExport.Await(ctx)
		for _, a := range seen.Await(ctx) {
			ctx.Expect(a).To(BeAccepted())
		}
	})
}

// freeText: which texts name a client is up to the deployment, so it may refuse those that cannot;
// it may not break.
func (s *Suite) freeText(letters, words string) {
	spec.Helper()
	p := valid("a filter text with "+words, filter("Ga "+letters+" "+s.t.RunID))
	seen := s.lab.ObserveProbe(p)
	s.It("does not break over "+p.String(), func(ctx spec.Context) {
		s.lab.ControlExport.Await(ctx)
		ctx.Expect(seen.Await(ctx)).To(BeAnswered())
	})
}
