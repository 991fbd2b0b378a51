package export

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// observed: what the document leaves open about requests and their answers.
func (s *Suite) observed() {
	s.Describe("observed", func() {
		s.notes("export.observed.success_status", SectionExport, "Status of an accepted export.", s.ofRun,
			func(e example) string { return strconv.Itoa(e.answer.Status) })
		s.notes("export.observed.file_state", SectionExportFile, "Inner fields of file_state.", s.ofRun,
			func(e example) string { return s.shown(target.JSONShape(e.answer.Exchange)) })
		s.notes("export.observed.rejection_status", SectionErrors, "Status of each kind of rejection.",
			s.ofRejected,
			func(e example) string { return fmt.Sprintf("%d: %s", e.answer.Status, e.what) })
		s.looks("export.observed.unknown_language", SectionExport,
			"An x-lang other than pt-BR and en-US.",
			probe("language fr-FR", header(target.HeaderLanguage, "fr-FR")))
		s.looks("export.observed.unknown_replay_value", SectionExport,
			"A replay protection value that is not documented.",
			probe("replay protection by an unknown value", func(r *target.Request) { r.Mode = "timestamp" }))
		s.looks("export.observed.text_without_type", SectionExport,
			"A filter text without a filter type.",
			probe("a filter text without a type", with("filter_text", s.someClient())))
		s.looks("export.observed.unknown_field", SectionExport,
			"A field that the document does not name.",
			probe("a field that is not documented", with("gateassay", true)))
		s.looks("export.observed.lower_case_extension", SectionExport, "csv in lower case.",
			probe("csv in lower case", with("type_extension", "csv")))
		s.looks("export.observed.letter_case", SectionExport, "A listed value in another case.",
			probe("sort in upper case", with("sort", "QUOTE_CREATED_AT")),
			probe("order in upper case", with("order", "DESC")),
			probe("filter_type in upper case", with("filter_type", "CLIENT_ID"),
				with("filter_text", s.someClient())))
		s.looks("export.observed.null_field", SectionExport, "Null in place of a field's value.",
			probe("a sort that is null", with("sort", nil)),
			probe("a start that is null", with("date_start", nil)),
			probe("a filter that is null", with("filter_type", nil), with("filter_text", nil)))
		s.Rule("export.success.answered",
			Should,
			SectionErrors,
			"What the document leaves open, such as null in a field, is accepted or rejected, and breaks "+
				"nothing.",
			func() {
				s.It("gets no server error for what the document leaves open", func(ctx spec.Context) {
					ctx.Expect(TallyServerErrors(ctx, s.open)).
						To(HoldForEveryAnswer("export that the document leaves open",
							"2xx or 4xx"))
				})
			},
		)
	})
}

// notes declares a rule that notes, once each, what answers show.
func (s *Suite) notes(
	id string,
	section Section,
	statement string,
	of func(spec.Context) []example,
	show func(example) string,
) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		s.UseObservations(s.lab.ControlExport, s.run)
		s.It("every export that was answered", func(ctx spec.Context) {
			set := map[string]bool{}
			for _, e := range of(ctx) {
				set[show(e)] = true
			}
			if len(set) == 0 {
				set["none"] = true
			}
			ctx.RecordObserved(record.UnnamedValues(slices.Sorted(maps.Keys(set)))...)
		})
	})
}

func (s *Suite) ofRun(ctx spec.Context) []example { return s.run.Await(ctx) }

// ofRejected waits for the invalid exports that this run sends, and returns those that were
// answered and not accepted.
func (s *Suite) ofRejected(ctx spec.Context) (all []example) {
	s.lab.ControlExport.Await(ctx)
	for _, r := range s.rejected {
		p, _ := s.lab.FindProbe(r.Probe)
		if !p.Answer.Launched() {
			continue
		}
		if got, ok := p.Answer.TryGet(ctx); ok && !got.IsSuccess() && got.Status != 0 {
			all = append(all, example{strings.TrimPrefix(r.rule, "export."), got})
		}
	}
	return all
}

// looks declares a rule that notes what exports get of which the document says nothing.
func (s *Suite) looks(id string, section Section, statement string, all ...lab.Probe) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		for _, p := range all {
			p.Matcher = BeAnswered()
			seen := s.lab.ObserveProbe(p)
			s.open = append(s.open, seen)
			s.It(p.Description, func(ctx spec.Context) {
				ctx.RecordObserved(record.NewObservedValue(p.Description, seen.Await(ctx).String()))
			})
		}
	})
}
