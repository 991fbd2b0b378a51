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
	return combine(func(s *replayCandidate) { s.body = change(s.body) })
}

// replayComparesFieldsAs returns an effect that compares text made of each field instead of the
// body. Fields are sorted by name.
func replayComparesFieldsAs(text func(field string, value any) string) effect {
	return combine(func(q *request, s *replayCandidate) {
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
	return combine(func(q *request, s *replayCandidate) {
		one := url.Values{}
		for name, all := range q.r.URL.Query() {
			one.Set(name, pick(all))
		}
		s.query = one.Encode()
	})
}

// replayComparesHeader returns an effect that also compares a header.
func replayComparesHeader(name string) effect {
	return combine(func(q *request, s *replayCandidate) { s.body += "\n" + q.r.Header.Get(name) })
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
func replayComparisonFaults() changes {
	rawTo := func(n int) any {
		return func(q *request, s *replayCandidate) { s.body = string(q.raw[:min(n, len(q.raw))]) }
	}
	all := changes{
		"replay.none.body_dates_only": when(replayMode(0).isModeOf,
			replayComparesOnlyFields(func(field string) bool { return strings.HasPrefix(field, "date_") })),
		"replay.none.body_without_text": when(replayMode(0).isModeOf, replayIgnoresField("filter_text")),
		"replay.none.body_without_sort": when(replayMode(0).isModeOf, replayIgnoresField("sort")),
		"replay.none.body_without_end":  when(replayMode(0).isModeOf, replayIgnoresField("date_end")),
		"replay.none.body_in_lower_case": when(replayMode(0).isModeOf,
			replayComparesBodyAs(strings.ToLower)),
		"replay.none.body_hash": when(replayMode(0).isModeOf, replayComparesBodyAs(javaHashCode)),
		"replay.none.query_keys": when(replayMode(0).isModeOf,
			replayComparesQueryBy(func([]string) string { return "" })),
		"replay.none.language_compared": when(replayMode(0).isModeOf, replayComparesHeader("x-lang")),
		"replay.none.agent_compared":    when(replayMode(0).isModeOf, replayComparesHeader("User-Agent")),
		"replay.none.product_compared": when(replayMode(0).isModeOf,
			replayComparesHeader("x-product-uuid")),
		"replay.none.wallet_compared": when(replayMode(0).isModeOf,
			replayComparesHeader("x-wallet-uuid")),
		"replay.none.accept_compared": when(replayMode(0).isModeOf, replayComparesHeader("Accept")),
		"replay.spellings_apart": when(replayMode(4).isModeOf,
			func(s *replayCandidate) { s.method += " the other way round" }),
		"replay.method_compared": when((*request).usesAPIKey,
			func(s *replayCandidate) { s.user += " by API key" }),
	}
	inEachMode := changes{
		"body_names_only": replayComparesFieldsAs(
			func(field string, _ any) string { return field + "|" }),
		"body_first_64_bytes":   rawTo(64),
		"body_first_1024_bytes": rawTo(1 << 10),
		"body_without_blanks":   replayComparesBodyAs(replaceText(" ", "")),
		"body_folded":           replayComparesBodyAs(removeAccents),
		"body_ascii_only":       replayComparesBodyAs(removeNonASCII),
		"body_fields_joined": replayComparesFieldsAs(
			func(field string, value any) string { return field + fmt.Sprint(value) }),
		"body_length": func(q *request, s *replayCandidate) { s.body = strconv.Itoa(len(q.raw)) },
	}
	for i, m := range replayModes[:3] {
		for end, change := range inEachMode {
			all["replay."+m.name+"."+end] = when(replayMode(i).isModeOf, change)
		}
	}
	return all
}
