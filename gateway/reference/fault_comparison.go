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

// compareBodyAs puts another text in place of the body that is compared.
func compareBodyAs(change func(body string) string) any {
	return func(s *replayCandidate) { s.body = change(s.body) }
}

// compareFieldsAs compares, in place of a body, what is made of its fields in the order of their
// names.
func compareFieldsAs(text func(field string, value any) string) any {
	return func(q *requestState, s *replayCandidate) {
		s.body = ""
		for _, field := range slices.Sorted(maps.Keys(q.body)) {
			s.body += text(field, q.body[field])
		}
	}
}

// compareOnlyFields compares some fields of bodies only.
func compareOnlyFields(compared func(field string) bool) any {
	return compareFieldsAs(func(field string, value any) string {
		if text, err := json.Marshal(value); err == nil && compared(field) {
			return field + string(text) + "\n"
		}
		return ""
	})
}

func compareFieldsBut(forgotten string) any {
	return compareOnlyFields(func(field string) bool { return field != forgotten })
}

// compareQueryValuesAs compares, in place of a query, one of the values of each parameter.
func compareQueryValuesAs(pick func(all []string) string) any {
	return func(q *requestState, s *replayCandidate) {
		one := url.Values{}
		for name, all := range q.r.URL.Query() {
			one.Set(name, pick(all))
		}
		s.query = one.Encode()
	}
}

// compareHeaderToo compares a header, too.
func compareHeaderToo(name string) any {
	return func(q *requestState, s *replayCandidate) { s.body += "\n" + q.r.Header.Get(name) }
}

// javaHashCode is the hash of String.hashCode in Java.
func javaHashCode(text string) string {
	var hash int32
	for _, unit := range utf16.Encode([]rune(text)) {
		hash = 31*hash + int32(unit)
	}
	return strconv.Itoa(int(hash))
}

// comparisonFaults are about what else is compared, or is not.
func comparisonFaults() faultDeclarations {
	rawTo := func(n int) any {
		return func(q *requestState, s *replayCandidate) { s.body = string(q.raw[:min(n, len(q.raw))]) }
	}
	without := func(end string, change any) faultDeclarations {
		return replayMode(0).modeFault(end,
			change)
	}
	all := slices.Concat(
		without("body_dates_only",
			compareOnlyFields(func(field string) bool { return strings.HasPrefix(field, "date_") })),
		without("body_without_text", compareFieldsBut("filter_text")),
		without("body_without_sort", compareFieldsBut("sort")),
		without("body_without_end", compareFieldsBut("date_end")),
		without("body_in_lower_case", compareBodyAs(strings.ToLower)),
		without("body_hash", compareBodyAs(javaHashCode)),
		without("query_keys", compareQueryValuesAs(func([]string) string { return "" })),
		without("query_last_values",
			compareQueryValuesAs(func(all []string) string { return all[len(all)-1] })),
		without("query_first_values",
			compareQueryValuesAs(func(all []string) string { return all[0] })),
		without("language_compared", compareHeaderToo("x-lang")),
		without("agent_compared", compareHeaderToo("User-Agent")),
		without("product_compared", compareHeaderToo("x-product-uuid")),
		without("wallet_compared", compareHeaderToo("x-wallet-uuid")),
		without("accept_compared", compareHeaderToo("Accept")),
		declareFault("replay.spellings_apart",
			effectWhen(replayMode(4).isModeOf,
				func(s *replayCandidate) { s.method += " the other way round" })),
		declareFault("replay.method_compared",
			effectWhen((*requestState).usesAPIKey, func(s *replayCandidate) { s.user += " by API key" })),
	)
	for _, mode := range []replayMode{0, 1, 2} {
		all = slices.Concat(all,
			mode.modeFault("body_names_only",
				compareFieldsAs(func(field string, _ any) string { return field + "|" })),
			mode.modeFault("body_first_64_bytes", rawTo(64)),
			mode.modeFault("body_first_1024_bytes", rawTo(1<<10)),
			mode.modeFault("body_without_blanks", compareBodyAs(replaceText(" ", ""))),
			mode.modeFault("body_folded", compareBodyAs(withoutAccents)),
			mode.modeFault("body_ascii_only", compareBodyAs(asciiOnly)),
			mode.modeFault("body_fields_joined",
				compareFieldsAs(func(field string, value any) string { return field + fmt.Sprint(value) })),
			mode.modeFault("body_length",
				func(q *requestState, s *replayCandidate) { s.body = strconv.Itoa(len(q.raw)) }),
		)
	}
	return all
}
