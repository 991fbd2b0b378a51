package export

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// observed: what the document leaves open about requests and their answers.
func (s *Suite) observed() {
	Describe("observed", func() {
		s.Rule("export.observed.success_status", Observe, ExportOperation, "Status of an accepted export.", func() {
			s.sums("every accepted export", "none", func(ctx context.Context, add func(string)) {
				for _, e := range s.seenAccepted(ctx) {
					add(strconv.Itoa(e.answer.Status))
				}
			})
		})

		s.Rule("export.observed.file_state", Observe, FileTable, "Inner fields of file_state.", func() {
			s.sums("the answer to an export", "none", func(ctx context.Context, add func(string)) {
				if object, ok := members(s.c.Export.Await(ctx).Answer); ok {
					add(s.shown(shape(object["file_state"])))
				}
			})
		})

		s.Rule("export.observed.rejection_status", Observe, Errors, "Status of each kind of rejection.", func() {
			s.sums("every rejected export", "no rejection was seen", func(ctx context.Context, add func(string)) {
				byStatus := map[int][]string{}
				for _, e := range s.seenRejected(ctx) {
					if status := e.answer.Status; !slices.Contains(byStatus[status], e.what) {
						byStatus[status] = append(byStatus[status], e.what)
					}
				}
				for status, kinds := range byStatus {
					slices.Sort(kinds)
					add(fmt.Sprintf("%d: %s", status, strings.Join(kinds, ", ")))
				}
			})
		})

		s.Rule("export.observed.error_body", Observe, Errors, "Shape of error bodies.", func() {
			s.sums("every rejected export", "no rejection was seen", func(ctx context.Context, add func(string)) {
				for _, e := range s.seenRejected(ctx) {
					if object, ok := members(e.answer); ok && e.answer.Refusal() {
						add(s.shown(shape(object)))
					} else if e.answer.Refusal() {
						add("not a JSON object")
					}
				}
			})
		})

		s.Rule("export.observed.headers", Observe, Limits, "Headers about rate limits and authentication.", func() {
			s.sums("every export", "none", func(ctx context.Context, add func(string)) {
				for _, e := range slices.Concat(s.seenAccepted(ctx), s.seenRejected(ctx)) {
					for name := range e.answer.Header {
						name = strings.ToLower(name)
						if strings.Contains(name, "ratelimit") || strings.Contains(name, "rate-limit") || name == "retry-after" ||
							strings.HasSuffix(name, "-authenticate") {
							add(name)
						}
					}
				}
			})
		})

		s.Rule("export.observed.unknown_language", Observe, ExportOperation, "An x-lang outside the two.", func() {
			s.look("language fr-FR", header(target.HeaderLanguage, "fr-FR"))
			s.look("language xx", header(target.HeaderLanguage, "xx"))
		})

		s.Rule("export.observed.unknown_replay_value", Observe, ExportOperation,
			"A replay protection value that is not documented.", func() {
				s.look("replay protection by an unknown value", func(c target.ExportCall) target.ExportCall {
					c.Mode = "timestamp"
					return c
				})
			})

		s.Rule("export.observed.text_without_type", Observe, ExportOperation, "A filter text without a filter type.", func() {
			s.look("a filter text without a type", with("filter_text", s.someClient()))
		})

		s.Rule("export.observed.type_without_text", Observe, ExportOperation, "A filter type without a filter text.", func() {
			s.look("a filter type without a text", with("filter_type", "client_id"))
		})

		s.Rule("export.observed.unknown_field", Observe, ExportOperation, "A field that the document does not know.", func() {
			s.look("a field that is not documented", with("gateassay", true))
		})

		s.Rule("export.observed.content_type", Observe, ExportOperation, "A JSON body declared as plain text.", func() {
			s.look("JSON declared as text/plain", func(c target.ExportCall) target.ExportCall {
				c.ContentType = "text/plain"
				return c
			})
		})

		s.Rule("export.observed.lower_case_extension", Observe, ExportOperation, "csv in lower case.", func() {
			s.look("csv in lower case", with("type_extension", "csv"))
		})

		s.Rule("export.observed.letter_case", Observe, ExportOperation, "A listed value in another case.", func() {
			s.look("sort in upper case", with("sort", "QUOTE_CREATED_AT"))
			s.look("order in upper case", with("order", "DESC"))
			s.look("filter_type in upper case", both(with("filter_type", "CLIENT_ID"), with("filter_text", s.someClient())))
		})
	})
}

// look declares an export of which the document says nothing, and the spec that notes what it gets.
func (s *Suite) look(label string, make build) {
	GinkgoHelper()
	a := s.unwelcome(label, target.AboutField, make)
	s.Uses(s.c.Export)
	It(label, func(ctx SpecContext) { spec.Note("%s: %s", label, verdict(a.Await(ctx))) })
}

// sums declares a spec that notes each text that collect adds, once.
func (s *Suite) sums(name, otherwise string, collect func(ctx context.Context, add func(string))) {
	GinkgoHelper()
	s.Uses(s.c.Export)
	It(name, func(ctx SpecContext) {
		set := map[string]bool{}
		collect(ctx, func(text string) { set[text] = true })
		if len(set) == 0 {
			set[otherwise] = true
		}
		spec.Note("%s", strings.Join(slices.Sorted(maps.Keys(set)), "; "))
	})
}

// seenRejected waits for the control and for all invalid exports that this run sends, and returns those that were
// answered.
func (s *Suite) seenRejected(ctx context.Context) []example {
	s.c.Export.Await(ctx)
	var list []example
	for _, a := range s.rejected {
		if !a.Launched() {
			continue
		}
		if got, ok := a.Settled(ctx); ok && !got.Success() && got.Status != 0 {
			list = append(list, example{a.what, got})
		}
	}
	return list
}

// verdict says in a word and a status what a request got.
func verdict(a target.Answer) string {
	switch {
	case a.Success():
		return fmt.Sprintf("accepted with %d", a.Status)
	case a.Refusal():
		return fmt.Sprintf("rejected with %d", a.Status)
	}
	return a.String()
}
