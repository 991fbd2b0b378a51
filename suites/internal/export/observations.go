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
			s.acceptedInRun, func(e exportExample) string { return strconv.Itoa(e.answer.Status) },
		)
		s.ruleObserves("export.observed.file_state", SectionExportFile, "Inner fields of file_state.",
			s.acceptedInRun,
			func(e exportExample) string { return s.redactAndQuote(answers.JSONShape(e.answer.Exchange)) },
		)
		s.ruleObserves("export.observed.rejection_status", SectionErrors,
			"Status of each kind of rejection.", s.awaitRejected,
			func(e exportExample) string { return fmt.Sprintf("%d: %s", e.answer.Status, e.what) },
		)
		s.ruleObservesProbes("export.observed.unknown_language", SectionExport,
			"An x-lang other than pt-BR and en-US.",
			newProbe("language fr-FR", setHeader(target.HeaderLanguage, "fr-FR")))
		s.ruleObservesProbes("export.observed.unknown_replay_value", SectionExport,
			"A replay protection value that is not documented.",
			newProbe("replay protection by an unknown value",
				func(r *target.Request) { r.Mode = "timestamp" },
			),
		)
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
				setField("filter_text", s.filteredClient())),
		)
		s.ruleObservesProbes("export.observed.null_field", SectionExport,
			"Null in place of a field's value.", newProbe("a sort that is null", setField("sort", nil)),
			newProbe("a start that is null", setField("date_start", nil)),
			newProbe("a filter that is null", setField("filter_type", nil), setField("filter_text", nil)),
		)
		s.Rule("export.success.answered", Should, SectionErrors,
			"What the document leaves open, such as null in a field, is accepted or rejected, and breaks "+
				"nothing.",
			func() {
				s.lab.ItBreaksOverNothing(client.OperationExport)
			},
		)
	})
}

// ruleObserves declares a rule that records the distinct values that show returns for answers.
func (s *Suite) ruleObserves(
	id string, section Section, statement string, of func(spec.Context) []exportExample,
	show func(exportExample) string,
) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		s.UseObservations(s.lab.ControlExport, s.run)
		s.It("every export that was answered", func(ctx spec.Context) {
			var seen []string
			for _, e := range of(ctx) {
				seen = append(seen, show(e))
			}
			if len(seen) == 0 {
				seen = []string{"none"}
			}
			ctx.RecordObservedSet(seen)
		})
	})
}

func (s *Suite) acceptedInRun(ctx spec.Context) []exportExample { return s.run.Await(ctx) }

// awaitRejected waits for the invalid exports that this run sends. It returns those that were
// refused.
func (s *Suite) awaitRejected(ctx spec.Context) (all []exportExample) {
	s.lab.ControlExport.Await(ctx)
	for _, r := range s.rejected {
		if !r.answer.Launched() {
			continue
		}
		if got, ok := r.answer.TryGet(ctx); ok && !got.IsSuccess() && got.Status != 0 {
			all = append(all, exportExample{strings.TrimPrefix(r.rule, "export."), got})
		}
	}
	return all
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
