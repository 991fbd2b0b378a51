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

// replayComparesBodyAs returns an effect that compares bodies after a change.
func replayComparesBodyAs(change func(body string) string) effect {
	return combineEffects(func(s *replayCandidate) { s.body = change(s.body) })
}

// replayComparesFieldsAs returns an effect that compares text made of each field instead of the
// body. Fields are sorted by name.
func replayComparesFieldsAs(text func(field string, value any) string) effect {
	return combineEffects(func(q *requestState, s *replayCandidate) {
		s.body = ""
		for _, field := range slices.Sorted(maps.Keys(q.body)) {
			s.body += text(field, q.body[field])
		}
	})
}

// replayComparesOnlyFields returns an effect that compares only some fields of the body.
func replayComparesOnlyFields(compared func(field string) bool) effect {
	return replayComparesFieldsAs(func(field string, value any) string {
		if text, err := json.Marshal(value); err == nil && compared(field) {
			return field + string(text) + "\n"
		}
		return ""
	})
}

func replayIgnoresField(forgotten string) effect {
	return replayComparesOnlyFields(func(field string) bool { return field != forgotten })
}

// replayComparesQueryBy returns an effect that compares one picked value of each query
// parameter.
func replayComparesQueryBy(pick func(all []string) string) effect {
	return combineEffects(func(q *requestState, s *replayCandidate) {
		one := url.Values{}
		for name, all := range q.r.URL.Query() {
			one.Set(name, pick(all))
		}
		s.query = one.Encode()
	})
}

// replayComparesHeader returns an effect that also compares a header.
func replayComparesHeader(name string) effect {
	return combineEffects(
		func(q *requestState, s *replayCandidate) { s.body += "\n" + q.r.Header.Get(name) })
}

// javaHashCode returns what String.hashCode returns in Java, in decimal.
func javaHashCode(text string) string {
	var hash int32
	for _, unit := range utf16.Encode([]rune(text)) {
		hash = 31*hash + int32(unit)
	}
	return strconv.Itoa(int(hash))
}

// replayComparisonFaults declares faults that compare too much or too little.
func replayComparisonFaults() faultDeclarations {
	rawTo := func(n int) any {
		return func(q *requestState, s *replayCandidate) { s.body = string(q.raw[:min(n, len(q.raw))]) }
	}
	without := func(end string, change any) faultDeclarations {
		return replayMode(0).declareModeFault(end, change)
	}
	all := slices.Concat(
		without("body_dates_only",
			replayComparesOnlyFields(func(field string) bool { return strings.HasPrefix(field, "date_") })),
		without("body_without_text", replayIgnoresField("filter_text")),
		without("body_without_sort", replayIgnoresField("sort")),
		without("body_without_end", replayIgnoresField("date_end")),
		without("body_in_lower_case", replayComparesBodyAs(strings.ToLower)),
		without("body_hash", replayComparesBodyAs(javaHashCode)),
		without("query_keys", replayComparesQueryBy(func([]string) string { return "" })),
		without("language_compared", replayComparesHeader("x-lang")),
		without("agent_compared", replayComparesHeader("User-Agent")),
		without("product_compared", replayComparesHeader("x-product-uuid")),
		without("wallet_compared", replayComparesHeader("x-wallet-uuid")),
		without("accept_compared", replayComparesHeader("Accept")),
		declareFault("replay.spellings_apart",
			effectWhen(replayMode(4).isModeOf,
				func(s *replayCandidate) { s.method += " the other way round" })),
		declareFault("replay.method_compared",
			effectWhen((*requestState).usesAPIKey, func(s *replayCandidate) { s.user += " by API key" })),
	)
	for _, mode := range []replayMode{0, 1, 2} {
		all = slices.Concat(all,
			mode.declareModeFault("body_names_only",
				replayComparesFieldsAs(func(field string, _ any) string { return field + "|" })),
			mode.declareModeFault("body_first_64_bytes", rawTo(64)),
			mode.declareModeFault("body_first_1024_bytes", rawTo(1<<10)),
			mode.declareModeFault("body_without_blanks", replayComparesBodyAs(replaceText(" ", ""))),
			mode.declareModeFault("body_folded", replayComparesBodyAs(removeAccents)),
			mode.declareModeFault("body_ascii_only", replayComparesBodyAs(removeNonASCII)),
			mode.declareModeFault("body_fields_joined",
				replayComparesFieldsAs(
					func(field string, value any) string { return field + fmt.Sprint(value) }),
			),
			mode.declareModeFault("body_length",
				func(q *requestState, s *replayCandidate) { s.body = strconv.Itoa(len(q.raw)) }),
		)
	}
	return all
}
