package export

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// observed: what the document leaves open about requests and their answers.
func (s *suite) observed() {
	// The status of success is not shown.
	s.p.It("export.observed.success_status", "every accepted export", spec.After(s.c.Export), func(ctx context.Context) {
		statuses := map[int]bool{}
		for _, a := range s.seenAccepted(ctx) {
			statuses[a.answer.Status] = true
		}
		s.p.Note("%s", numbers(statuses))
	})
	// The inner fields of file_state are not shown.
	s.p.It("export.observed.file_state", "the answer to an export", spec.After(s.c.Export), func(ctx context.Context) {
		value, absent := member(s.c.Export.Await(ctx).Answer, "file_state")
		if absent != "" {
			s.p.Note("%s", absent)
			return
		}
		s.p.Note("%s", s.shown(shape(value)))
	})
	s.observeRejections()

	look := func(rule, label string, make build) {
		seen := s.unwelcome(label, target.AboutField, make)
		s.p.It(rule, label, spec.After(s.c.Export, seen), func(ctx context.Context) {
			s.p.Note("%s: %s", label, verdict(seen.Await(ctx)))
		})
	}
	// What another language, or no real one, gets is not shown.
	look("export.observed.unknown_language", "language fr-FR", header(target.HeaderLanguage, "fr-FR"))
	look("export.observed.unknown_language", "language xx", header(target.HeaderLanguage, "xx"))
	// Nor what another replay protection value gets.
	look("export.observed.unknown_replay_value", "replay protection by an unknown value", func(c target.ExportCall) target.ExportCall {
		c.Mode = "timestamp"
		return c
	})
	// Nor a range that ends before it starts,
	look("export.observed.start_after_end", "a start after the end", func(c target.ExportCall) target.ExportCall {
		c.Fields = c.Fields.With("date_start", c.Fields["date_end"]).With("date_end", c.Fields["date_start"])
		return c
	})
	// half a filter,
	look("export.observed.text_without_type", "a filter text without a type", with("filter_text", s.someClient()))
	look("export.observed.type_without_text", "a filter type without a text", with("filter_type", "client_id"))
	// a field that is not documented,
	look("export.observed.unknown_field", "a field that is not documented", with("gateassay", true))
	// another content type,
	look("export.observed.content_type", "JSON declared as text/plain", func(c target.ExportCall) target.ExportCall {
		c.ContentType = "text/plain"
		return c
	})
	// and the extension in lower case.
	look("export.observed.lower_case_extension", "csv in lower case", with("type_extension", "csv"))
}

// observeRejections notes how rejections look: status, body, headers.
func (s *suite) observeRejections() {
	// Errors of the export operation are not shown: which status each kind of defect gets,
	s.p.It("export.observed.rejection_status", "every rejected export", spec.After(s.c.Export), func(ctx context.Context) {
		byStatus := map[string][]string{}
		for _, r := range s.seenRejected(ctx) {
			status := strconv.Itoa(r.answer.Status)
			if !slices.Contains(byStatus[status], r.what) {
				byStatus[status] = append(byStatus[status], r.what)
			}
		}
		var parts []string
		for status, kinds := range byStatus {
			sort.Strings(kinds)
			parts = append(parts, status+": "+strings.Join(kinds, ", "))
		}
		sort.Strings(parts)
		s.note(strings.Join(parts, "; "), "no rejection was seen")
	})
	// and which shape the body of an error has.
	s.p.It("export.observed.error_body", "every rejected export", spec.After(s.c.Export), func(ctx context.Context) {
		shapes := map[string]bool{}
		for _, r := range s.seenRejected(ctx) {
			if !r.answer.Refusal() {
				continue
			}
			if object, ok := members(r.answer); ok {
				shapes[shape(object)] = true
			} else {
				shapes["no JSON object"] = true
			}
		}
		s.note(s.shown(strings.Join(keys(shapes), "; ")), "no rejection was seen")
	})
	// Nor are headers about limits and authentication.
	s.p.It("export.observed.headers", "every export", spec.After(s.c.Export), func(ctx context.Context) {
		names := map[string]bool{}
		for _, r := range slices.Concat(s.seenAccepted(ctx), s.seenRejected(ctx)) {
			for name := range r.answer.Header {
				lower := strings.ToLower(name)
				if strings.Contains(lower, "ratelimit") || strings.Contains(lower, "rate-limit") || lower == "retry-after" || strings.HasSuffix(lower, "-authenticate") {
					names[lower] = true
				}
			}
		}
		s.note(strings.Join(keys(names), ", "), "none")
	})
}

func (s *suite) note(text, otherwise string) {
	if text == "" {
		text = otherwise
	}
	s.p.Note("%s", text)
}

// seenRejected waits for the control and for all invalid exports that this run sends, and gives those that were answered.
func (s *suite) seenRejected(ctx context.Context) []answered {
	s.c.Export.Await(ctx)
	var list []answered
	for _, n := range s.rejected {
		if !n.seen.Launched() {
			continue
		}
		if a, ok := n.seen.Settled(ctx); ok && !a.Success() && a.Status != 0 {
			list = append(list, answered{n.what, a})
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
	return target.Describe(a.Exchange)
}

// shape lists the members of an object and their types, nested ones in braces.
func shape(value any) string {
	object, ok := value.(map[string]any)
	if !ok {
		if list, isList := value.([]any); isList && len(list) > 0 {
			return "[" + shape(list[0]) + "]"
		}
		if _, isNumber := value.(json.Number); isNumber {
			return "number"
		}
		return strings.TrimPrefix(strings.TrimPrefix(kind(value), "a "), "an ")
	}
	var parts []string
	for name, inner := range object {
		parts = append(parts, name+" "+shape(inner))
	}
	sort.Strings(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

func keys(set map[string]bool) []string {
	var list []string
	for k := range set {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

func numbers(set map[int]bool) string {
	var list []string
	for n := range set {
		list = append(list, strconv.Itoa(n))
	}
	sort.Strings(list)
	return strings.Join(list, ", ")
}
