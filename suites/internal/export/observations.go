package export

import (
	"fmt"
	"strconv"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareObservations declares the rules that record what the document leaves open about
// requests and answers.
func (s *Suite) declareObservations() {
	s.Describe("observed", func() {
		s.ruleObserves("export.observed.success_status", SectionExport, "Status of an accepted export.",
			func(ctx spec.Context) []string {
				return s.describeAccepted(ctx, func(x *client.Exchange) string { return strconv.Itoa(x.Status) })
			})
		s.ruleObserves("export.observed.file_state", SectionExportFile, "Inner fields of file_state.",
			func(ctx spec.Context) []string {
				return s.describeAccepted(ctx, func(x *client.Exchange) string {
					return s.redactAndQuote(answers.JSONShape(x))
				})
			})
		s.ruleObserves("export.observed.rejection_status", SectionErrors,
			"Status of each kind of rejection.", s.describeRejections)
		s.ruleObservesProbes("export.observed.unknown_language", SectionExport,
			"An x-lang other than pt-BR and en-US.",
			newProbe("language fr-FR", setHeader(target.HeaderLanguage, "fr-FR")))
		s.ruleObservesProbes("export.observed.unknown_replay_value", SectionExport,
			"A replay protection value that is not documented.",
			newProbe("replay protection by an unknown value",
				func(r *target.Request) { r.Mode = "timestamp" }))
		s.ruleObservesProbes("export.observed.text_without_type", SectionExport,
			"A filter text without a filter type.",
			newProbe("a filter text without a type", setField("filter_text", s.filteredClient())))
		s.ruleObservesProbes("export.observed.unknown_field", SectionExport,
			"A field that the document does not name.",
			newProbe("a field that is not documented", setField("gateassay", true)))
		s.ruleObservesProbes("export.observed.lower_case_extension", SectionExport, "csv in lower case.",
			newProbe("csv in lower case", setField("type_extension", "csv")))
		s.ruleObservesProbes("export.observed.letter_case", SectionExport,
			"A listed value in another case.",
			newProbe("sort in upper case", setField("sort", "QUOTE_CREATED_AT")),
			newProbe("order in upper case", setField("order", "DESC")),
			newProbe("filter_type in upper case", setField("filter_type", "CLIENT_ID"),
				setField("filter_text", s.filteredClient())))
		s.ruleObservesProbes("export.observed.null_field", SectionExport,
			"Null in place of a field's value.", newProbe("a sort that is null", setField("sort", nil)),
			newProbe("a start that is null", setField("date_start", nil)),
			newProbe("a filter that is null", setField("filter_type", nil), setField("filter_text", nil)))
		s.Rule("export.success.answered", Should, SectionErrors,
			"What the document leaves open, such as null in a field, is accepted or rejected, "+
				"and never gets a server error.",
			func() {
				s.lab.ObserveUnspecified(newProbe("a filter text with a NUL", // which PostgreSQL cannot hold
					filterByClient("Ga \x00 "+s.t.RunID)))
				s.lab.ItGetsNoServerError(client.OperationExport)
			})
	})
}

// ruleObserves declares a rule that records the distinct texts that describe returns.
func (s *Suite) ruleObserves(
	id string, section Section, statement string, describe func(spec.Context) []string,
) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		s.UseObservations(s.lab.ControlExport, s.run)
		s.It("every export that was answered", func(ctx spec.Context) {
			seen := describe(ctx)
			if len(seen) == 0 {
				seen = []string{"none"}
			}
			ctx.RecordObservedSet(seen)
		})
	})
}

// describeAccepted describes each accepted export of the run.
func (s *Suite) describeAccepted(
	ctx spec.Context, describe func(*client.Exchange) string,
) (texts []string) {
	for _, x := range s.run.Await(ctx) {
		texts = append(texts, describe(x))
	}
	return texts
}

// describeRejections waits for the invalid exports that this run sends. It returns the status and
// the rule of those that were refused.
func (s *Suite) describeRejections(ctx spec.Context) (texts []string) {
	s.lab.ControlExport.Await(ctx)
	for _, r := range s.rejected {
		if !r.answer.Launched() {
			continue
		}
		if got, ok := r.answer.TryGet(ctx); ok && !got.IsSuccess() && got.Status != 0 {
			texts = append(texts, fmt.Sprintf("%d: %s", got.Status, strings.TrimPrefix(r.rule, "export.")))
		}
	}
	return texts
}

// ruleObservesProbes declares a rule that records the answers to exports that the document does
// not specify.
func (s *Suite) ruleObservesProbes(id string, section Section, statement string, all ...lab.Probe) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		for _, p := range all {
			p.Matcher = BeAnswered()
			seen := s.lab.ObserveUnspecified(p)
			s.It(p.Description, func(ctx spec.Context) {
				ctx.RecordObserved(p.Description, seen.Await(ctx).String())
			})
		}
	})
}
