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
	// compares declares a fault of exports without a replay value.
	compares := func(name, rule, statement string, change any) faults {
		return fault(name, rule, spelling(0).words()+statement, when(spelling(0).sends, change))
	}
	const body, query, others = "none.other_body", "none.other_query", "none.other_headers"
	return slices.Concat(
		compares("replay.none.body_dates_only", body, "compares only the dates of bodies",
			comparing(func(field string) bool { return strings.HasPrefix(field, "date_") })),
		compares("replay.none.body_without_text", body, "does not compare the filter text of bodies", allBut("filter_text")),
		compares("replay.none.body_without_sort", body, "does not compare the sort of bodies", allBut("sort")),
		compares("replay.none.body_without_end", body, "does not compare the end of bodies", allBut("date_end")),
		compares("replay.none.body_in_lower_case", body, "compares bodies without regard to case", onBody(strings.ToLower)),
		compares("replay.none.body_hash", body, "compares a hash of 32 bits of bodies", onBody(hash32)),
		compares("replay.none.query_keys", query, "compares only the keys of queries", onValues(func([]string) string { return "" })),
		compares("replay.none.query_last_values", query, "compares only the last value of each query parameter",
			onValues(func(all []string) string { return all[len(all)-1] })),
		compares("replay.none.query_first_values", query, "compares only the first value of each query parameter",
			onValues(func(all []string) string { return all[0] })),
		compares("replay.none.language_compared", others, "compares the language, too", andHeader("x-lang")),
		compares("replay.none.agent_compared", others, "compares the user agent, too", andHeader("User-Agent")),
		compares("replay.none.product_compared", others, "compares the product, too", andHeader("x-product-uuid")),
		compares("replay.none.wallet_compared", others, "compares the wallet, too", andHeader("x-wallet-uuid")),
		compares("replay.none.accept_compared", others, "compares the Accept header, too", andHeader("Accept")),
		fault("replay.spellings_apart", "mode.both_spellings", "treats the two orders of the last mode's names as two modes",
			when(spelling(4).sends, func(s *sighting) { s.method += " the other way round" })),
		fault("replay.method_compared", "method.same_user", "compares the method of authentication, too",
			when((*call).byAPIKey, func(s *sighting) { s.user += " by API key" })),
		eachMode(func(mode spelling, breaks func(end, rule, statement string, changes ...any) faults) faults {
			// careless puts what is compared of bodies together so that different ones count as one.
			careless := func(end, statement string, compare any) faults {
				return breaks("body_"+end, "MODE.other_body", statement, compare)
			}
			if mode > 2 {
				return nil
			}
			return slices.Concat(
				careless("names_only", "compares only the names of a body's fields",
					onFields(func(field string, _ any) string { return field + "|" })),
				careless("first_64_bytes", "compares the first 64 bytes of bodies", rawTo(64)),
				careless("first_1024_bytes", "compares the first KiB of bodies", rawTo(1<<10)),
				careless("without_blanks", "drops blanks before it compares bodies", onBody(replaced(" ", ""))),
				careless("folded", "drops accents before it compares bodies", onBody(folded)),
				careless("ascii_only", "drops what is not ASCII before it compares bodies", onBody(asciiOnly)),
				careless("fields_joined", "joins names and values of a body without anything between",
					onFields(func(field string, value any) string { return field + fmt.Sprint(value) })),
				careless("length", "compares only how long bodies are", func(q *call, s *sighting) { s.body = strconv.Itoa(len(q.raw)) }),
			)
		}),
	)
}
