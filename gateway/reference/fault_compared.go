package reference

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// onBody puts another text in place of the body that is compared.
func onBody(change func(body string) string) any {
	return func(s *sighting) { s.body = change(s.body) }
}

// onFields compares, in place of a body, what is made of its fields in the order of their names.
func onFields(text func(field string, value any) string) any {
	return func(q *call, s *sighting) {
		s.body = ""
		for _, field := range slices.Sorted(maps.Keys(q.body)) {
			s.body += text(field, q.body[field])
		}
	}
}

// comparing compares some fields of bodies only.
func comparing(compared func(field string) bool) any {
	return onFields(func(field string, value any) string {
		if text, err := json.Marshal(value); err == nil && compared(field) {
			return field + string(text) + "\n"
		}
		return ""
	})
}

func allBut(forgotten string) any {
	return comparing(func(field string) bool { return field != forgotten })
}

// onValues compares, in place of a query, one of the values of each parameter.
func onValues(pick func(all []string) string) any {
	return func(q *call, s *sighting) {
		one := url.Values{}
		for name, all := range q.r.URL.Query() {
			one.Set(name, pick(all))
		}
		s.query = one.Encode()
	}
}

// andHeader compares a header, too.
func andHeader(name string) any {
	return func(q *call, s *sighting) { s.body += "\n" + q.r.Header.Get(name) }
}

// hash32 is the hash of String.hashCode in Java.
func hash32(text string) string {
	var hash int32
	for _, unit := range utf16.Encode([]rune(text)) {
		hash = 31*hash + int32(unit)
	}
	return strconv.Itoa(int(hash))
}

// comparedFaults are about what else is compared, or is not.
func comparedFaults() faults {
	rawTo := func(n int) any { return func(q *call, s *sighting) { s.body = string(q.raw[:min(n, len(q.raw))]) } }
	without := func(end string, change any) faults { return spelling(0).breaks(end, change) }
	all := slices.Concat(
		without("body_dates_only",
			comparing(func(field string) bool { return strings.HasPrefix(field, "date_") })),
		without("body_without_text", allBut("filter_text")),
		without("body_without_sort", allBut("sort")),
		without("body_without_end", allBut("date_end")),
		without("body_in_lower_case", onBody(strings.ToLower)),
		without("body_hash", onBody(hash32)),
		without("query_keys", onValues(func([]string) string { return "" })),
		without("query_last_values",
			onValues(func(all []string) string { return all[len(all)-1] })),
		without("query_first_values",
			onValues(func(all []string) string { return all[0] })),
		without("language_compared", andHeader("x-lang")),
		without("agent_compared", andHeader("User-Agent")),
		without("product_compared", andHeader("x-product-uuid")),
		without("wallet_compared", andHeader("x-wallet-uuid")),
		without("accept_compared", andHeader("Accept")),
		fault("replay.spellings_apart",
			when(spelling(4).sends, func(s *sighting) { s.method += " the other way round" })),
		fault("replay.method_compared",
			when((*call).byAPIKey, func(s *sighting) { s.user += " by API key" })),
	)
	for _, mode := range []spelling{0, 1, 2} {
		all = slices.Concat(all,
			mode.breaks("body_names_only",
				onFields(func(field string, _ any) string { return field + "|" })),
			mode.breaks("body_first_64_bytes", rawTo(64)),
			mode.breaks("body_first_1024_bytes", rawTo(1<<10)),
			mode.breaks("body_without_blanks", onBody(replaced(" ", ""))),
			mode.breaks("body_folded", onBody(folded)),
			mode.breaks("body_ascii_only", onBody(asciiOnly)),
			mode.breaks("body_fields_joined",
				onFields(func(field string, value any) string { return field + fmt.Sprint(value) })),
			mode.breaks("body_length",
				func(q *call, s *sighting) { s.body = strconv.Itoa(len(q.raw)) }),
		)
	}
	return all
}
