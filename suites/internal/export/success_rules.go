package export

import (
	"fmt"
	"regexp"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareSuccessRules declares the rules on what an export may ask for.
func (s *Suite) declareSuccessRules() {
	s.declareConsistencyRules()
	s.Rule("export.success", Must, SectionExport,
		"An export is accepted with an empty object, with each optional field alone, and with "+
			"all of them; no filter text causes a server error.",
		func() {
			bound := func(name string) lab.Probe {
				return validProbe("only "+name,
					func(r *target.Request) { r.Fields = target.ExportFields{name: r.Fields[name]} })
			}
			for _, p := range []lab.Probe{
				emptyObjectProbe(), withOnlyField("type_extension", "CSV"), bound("date_start"),
				bound("date_end"),
				// A type and its text. Either without the other is only observed.
				validProbe("only a client filter", setFields(target.ExportFields{}),
					filterByClient(s.filteredClient())),
				withOnlyField("sort", "quote_created_at"), withOnlyField("sort", "settled_date"),
				withOnlyField("order", "asc"), withOnlyField("order", "desc"),
				validProbe("all fields together", filterByClient(s.filteredClient()),
					setField("sort", "settled_date"), setField("order", "asc"),
					setField("type_extension", "CSV")),
			} {
				s.itAccepts(p.IgnoringControl(), s.inconclusiveUnlessFound, s.inconclusiveIfEmptyObjectRefused)
			}
			// a date-time needs no fraction
			s.itAccepts(validProbe("bounds in whole seconds", cutToWholeSeconds))
			// optional fields and headers may be sent together, unless one of them is refused for its
			// own reasons
			s.lab.ItAcceptsEveryConfiguration(client.OperationExport,
				"accepts an export with optional headers and fields together")
			s.itGetsNoServerErrorFor("O'Brien", "an apostrophe")
			s.itGetsNoServerErrorFor(`"`, "a quotation mark")
			s.itGetsNoServerErrorFor("Conceição", "letters beyond ASCII")
			s.itGetsNoServerErrorFor("%", "a percent sign")
			s.itGetsNoServerErrorFor(`\([`, "a backslash and brackets")
		})
}

// inconclusiveIfEmptyObjectRefused ends the case where an export with a single field, or a
// filter of two, is refused just as an empty object is. The field is then not the reason.
func (s *Suite) inconclusiveIfEmptyObjectRefused(ctx spec.Context, got target.Answer) {
	empty, ok := s.emptyObject.TryGet(ctx)
	if ok && empty.Exchange != got.Exchange && got.IsClientError() && empty.Status == got.Status &&
		len(got.Sent.Fields) <= 2 {
		ctx.NotVerifiedf("", "an empty object is refused too, so the field is not the reason")
	}
}

var fractionPattern = regexp.MustCompile(`\.\d+`)

func cutToWholeSeconds(r *target.Request) {
	for _, bound := range []string{"date_start", "date_end"} {
		r.SetField(bound, fractionPattern.ReplaceAllString(fmt.Sprint(r.Fields[bound]), ""))
	}
}

// itGetsNoServerErrorFor declares a case that a filter text gets no server error. The deployment
// decides which texts can name a client, and may refuse others.
func (s *Suite) itGetsNoServerErrorFor(letters, words string) {
	spec.Helper()
	p := validProbe("a filter text with "+words, filterByClient("Ga "+letters+" "+s.t.RunID))
	s.lab.ItAnswers(p, s.lab.ObserveProbe(p))
}
