package export

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// observed: what the document leaves open about requests and their answers.
func (s *Suite) observed() {
	s.Describe("observed", func() {
		s.sums("export.observed.success_status", ExportOperation, "Status of an accepted export.",
			"every accepted export", "none", func(ctx spec.Context, add func(string)) {
				for _, e := range s.seenAccepted(ctx) {
					add(strconv.Itoa(e.answer.Status))
				}
			})
		s.sums("export.observed.file_state", FileTable, "Inner fields of file_state.",
			"the answer to an export", "none", func(ctx spec.Context, add func(string)) {
				if object, ok := members(s.c.Export.Await(ctx).Exchange); ok {
					add(s.shown(shape(object["file_state"])))
				}
			})
		s.sums("export.observed.rejection_status", Errors, "Status of each kind of rejection.",
			"every rejected export", "no rejection was seen", func(ctx spec.Context, add func(string)) {
				byStatus := map[int][]string{}
				for _, e := range s.seenRejected(ctx) {
					byStatus[e.answer.Status] = append(byStatus[e.answer.Status], e.what)
				}
				for status, kinds := range byStatus {
					slices.Sort(kinds)
					add(fmt.Sprintf("%d: %s", status, strings.Join(slices.Compact(kinds), ", ")))
				}
			})
		s.sums("export.observed.error_body", Errors, "Shape of error bodies.",
			"every rejected export", "no rejection was seen", func(ctx spec.Context, add func(string)) {
				for _, e := range s.seenRejected(ctx) {
					if object, ok := members(e.answer.Exchange); ok && e.answer.Refusal() {
						add(s.shown(shape(object)))
					} else if e.answer.Refusal() {
						add("not a JSON object")
					}
				}
			})
		s.sums("export.observed.headers", Limits, "Headers about rate limits and authentication.",
			"every export", "none", func(ctx spec.Context, add func(string)) {
				telling := regexp.MustCompile(`(?i)ratelimit|rate-limit|^retry-after$|-authenticate$`)
				for _, e := range slices.Concat(s.seenAccepted(ctx), s.seenRejected(ctx)) {
					for name := range e.answer.Header {
						if telling.MatchString(name) {
							add(strings.ToLower(name))
						}
					}
				}
			})
		s.looks("export.observed.unknown_language", ExportOperation, "An x-lang other than pt-BR and en-US.",
			edit{"language fr-FR", header(target.HeaderLanguage, "fr-FR")})
		s.looks("export.observed.unknown_replay_value", ExportOperation,
			"A replay protection value that is not documented.",
			edit{"replay protection by an unknown value", func(c *target.ExportCall) { c.Mode = "timestamp" }})
		s.looks("export.observed.text_without_type", ExportOperation, "A filter text without a filter type.",
			edit{"a filter text without a type", with("filter_text", s.someClient())})
		s.looks("export.observed.type_without_text", ExportOperation, "A filter type without a filter text.",
			edit{"a filter type without a text", with("filter_type", "client_id")})
		s.looks("export.observed.unknown_field", ExportOperation, "A field that the document does not name.",
			edit{"a field that is not documented", with("gateassay", true)})
		s.looks("export.observed.content_type", ExportOperation, "A JSON body declared as plain text.",
			edit{"JSON declared as text/plain", func(c *target.ExportCall) { c.ContentType = "text/plain" }})
		s.looks("export.observed.lower_case_extension", ExportOperation, "csv in lower case.",
			edit{"csv in lower case", with("type_extension", "csv")})
		s.looks("export.observed.letter_case", ExportOperation, "A listed value in another case.",
			edit{"sort in upper case", with("sort", "QUOTE_CREATED_AT")},
			edit{"order in upper case", with("order", "DESC")},
			edit{"filter_type in upper case", both(with("filter_type", "CLIENT_ID"),
				with("filter_text", s.someClient()))})
		s.looks("export.observed.null_field", ExportOperation, "Null in place of a field's value.",
			edit{"a sort that is null", with("sort", nil)}, edit{"a start that is null", with("date_start", nil)},
			edit{"a filter that is null", both(with("filter_type", nil), with("filter_text", nil))})
		s.Rule("export.success.answered", Should, Errors,
			"What the document leaves open, such as null in a field, is accepted or rejected, and breaks nothing.", func() {
				s.It("gets no server error for what the document leaves open", func(ctx spec.Context) {
					ctx.Expect(ServerErrors(ctx, s.open)).To(HoldThroughout("export that the document leaves open", "2xx or 4xx"))
				})
			})
	})
}

// sums declares a rule that notes each text that collect adds, once.
func (s *Suite) sums(id string, section Section, statement, name, otherwise string,
	collect func(ctx spec.Context, add func(string)),
) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		s.Uses(s.c.Export)
		s.It(name, func(ctx spec.Context) {
			set := map[string]bool{}
			collect(ctx, func(text string) { set[text] = true })
			if len(set) == 0 {
				set[otherwise] = true
			}
			ctx.Saw(record.Each(slices.Sorted(maps.Keys(set)))...)
		})
	})
}

// looks declares a rule that notes what exports get of which the document says nothing.
func (s *Suite) looks(id string, section Section, statement string, all ...edit) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		for _, e := range all {
			a := s.unwelcome(rejection{target.AboutField, BeAnything(), false}, e, plainly)
			s.open = append(s.open, a.Observation)
			s.It(e.what, func(ctx spec.Context) { ctx.Saw(record.Seen(e.what, verdict(a.Await(ctx)))) })
		}
	})
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
