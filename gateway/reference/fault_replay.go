package reference

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// spellingNames are the modes of replay protection in the IDs of rules and the names of faults.
var spellingNames = []string{"none", "nonce", "transaction", "transaction_nonce", "nonce_transaction"}

// words say a mode in the statements of faults.
func (s spelling) words() string {
	if s == 0 {
		return "with no replay value, "
	}
	return "with " + spellings[s] + ", "
}

// sends reports whether a request is an export of a mode.
func (s spelling) sends(q *call) bool { return q.operation == exporting && q.mode == s }

// judged makes an effect on whether an export repeats an earlier one.
func judged(repeats func(q *call, earlier bool) bool) effect {
	return on(func(q *call, r *repeat) { *r = repeat(repeats(q, bool(*r))) }).of(exporting)
}

// own identifies an export under what its mode compares.
func (q *call) own() string { return q.sighting.fingerprint(q.g.partsOf(q.mode)) }

// eachMode declares the faults of each mode of replay protection. Their names begin with the mode.
func eachMode(declare func(mode spelling, breaks func(end, rule, statement string, e effect) faults) faults) faults {
	return forEach(spellingNames, func(name string) faults {
		mode := spelling(slices.Index(spellingNames, name))
		return declare(mode, func(end, rule, statement string, e effect) faults {
			return fault("replay."+name+"."+end, strings.ReplaceAll(rule, "MODE", name), mode.words()+statement, e)
		})
	})
}

func replayFaults() faults {
	own := []parts{0, withNonce, withTransaction, identifiers, identifiers}
	return eachMode(func(mode spelling, breaks func(end, rule, statement string, e effect) faults) faults {
		// turned declares a fault that compares something that is not to be compared, or the other way round.
		turned := func(cell, statement string, change func(p parts) parts) faults {
			return breaks(cell, "", statement, on(func(_ *call, c *comparison) {
				if c.mode == mode {
					c.parts = change(c.parts)
				}
			}))
		}
		toggled := func(cell, forgotten, added string, part parts) faults {
			if own[mode]&part == 0 && added != "" {
				forgotten = added
			}
			return turned(cell, forgotten, func(p parts) parts { return p ^ part })
		}
		all := slices.Concat(
			breaks("same", "", "never blocks", forgetting().when(mode.sends)),
			toggled("other_nonce", "does not compare the nonce", "lets a repeat with another nonce pass", withNonce),
			toggled("other_transaction", "does not compare the transaction ID",
				"lets a repeat with another transaction ID pass", withTransaction),
			toggled("other_body", "does not compare the body", "", withBody),
			toggled("other_query", "does not compare the query", "", withQuery),
			toggled("other_user", "does not compare the user", "", withUser),
			breaks("not_atomic", "race.MODE", "lets several of many identical requests at once pass",
				hesitating().when(mode.sends)),
			breaks("first_blocked", "MODE.first", "blocks every request",
				judged(func(*call, bool) bool { return true }).when(mode.sends)),
		)
		if mode == 0 {
			return append(all, turned("other_both", "lets a repeat with both identifiers changed pass",
				func(p parts) parts { return p | identifiers })...)
		}
		all = slices.Concat(all,
			turned("other_both", "compares no identifier", func(p parts) parts { return p &^ identifiers }),
			breaks("last_only", "MODE.same", "remembers only the last identifiers of a group",
				remembersLast(own[mode], identifiers).when(mode.sends)),
			breaks("first_only", "MODE.same", "remembers only the first identifiers of a group",
				remembersFirst(own[mode]).when(mode.sends)))
		if mode < 3 {
			return all
		}
		return slices.Concat(all,
			breaks("last_nonce_only", "MODE.same", "remembers only the last nonce of a transaction ID",
				remembersLast(own[mode], withNonce).when(mode.sends)),
			breaks("identifiers_apart", "MODE.other_nonce",
				"blocks two identifiers that were seen, though never together", remembersApart().when(mode.sends)),
			breaks("identifiers_cut", "MODE.other_nonce", "compares the first half of a nonce and the last of a transaction ID",
				on(func(_ *call, s *sighting) {
					s.nonce, s.transaction = s.nonce[:min(18, len(s.nonce))], s.transaction[min(18, len(s.transaction)):]
				}).when(mode.sends)))
	})
}

// remembersLast forgets, of requests that differ in some parts only, all but the last.
func remembersLast(own, differing parts) effect {
	last := map[string]string{}
	return judged(func(q *call, _ bool) bool {
		whole, this := q.sighting.fingerprint(group|own&^differing), q.sighting.fingerprint(group|own)
		repeated := last[whole] == this
		last[whole] = this
		return repeated
	})
}

// remembersFirst forgets, of requests that differ in identifiers only, all but the first.
func remembersFirst(own parts) effect {
	first := map[string]string{}
	return judged(func(q *call, _ bool) bool {
		whole, this := q.sighting.fingerprint(group), q.sighting.fingerprint(group|own)
		if first[whole] == "" {
			first[whole] = this
			return false
		}
		return first[whole] == this
	})
}

// remembersApart remembers nonces and transaction IDs, and not which came together.
func remembersApart() effect {
	met := map[string]bool{}
	return judged(func(q *call, _ bool) bool {
		nonce, transaction := q.sighting.fingerprint(group|withNonce), q.sighting.fingerprint(group|withTransaction)
		repeated := met[nonce] && met[transaction]
		met[nonce], met[transaction] = true, true
		return repeated
	})
}

// comparing compares some fields of bodies only.
func comparing(compared func(field string) bool) func(*call, *sighting) {
	return func(q *call, s *sighting) {
		kept := maps.Clone(q.body)
		maps.DeleteFunc(kept, func(field string, _ any) bool { return !compared(field) })
		if text, err := json.Marshal(kept); err == nil {
			s.body = string(text)
		}
	}
}

func allBut(forgotten string) func(*call, *sighting) {
	return comparing(func(field string) bool { return field != forgotten })
}

func inLowerCase(_ *call, s *sighting) { s.body = strings.ToLower(s.body) }

// inSeconds cuts bounds to whole seconds before bodies are compared.
func inSeconds(q *call, s *sighting) {
	changed := maps.Clone(q.body)
	for field, value := range changed {
		text, _ := value.(string)
		if at, ok := parseDateTime(text); ok {
			changed[field] = at.Truncate(time.Second).UTC()
		}
	}
	if text, err := json.Marshal(changed); err == nil {
		s.body = string(text)
	}
}

// carelessKeys put what is compared of bodies together so that different ones count as one.
func carelessKeys() faults {
	return eachMode(func(mode spelling, breaks func(end, rule, statement string, e effect) faults) faults {
		careless := func(end, statement string, compare func(*call, *sighting)) faults {
			return breaks("body_"+end, "MODE.other_body", statement, on(compare).when(mode.sends))
		}
		if mode > 2 {
			return nil
		}
		return slices.Concat(
			careless("names_only", "compares only the names of a body's fields",
				func(q *call, s *sighting) { s.body = strings.Join(slices.Sorted(maps.Keys(q.body)), "|") }),
			careless("first_64_bytes", "compares the first 64 bytes of bodies",
				func(q *call, s *sighting) { s.body = string(q.raw[:min(64, len(q.raw))]) }),
			careless("values_joined", "joins the values of a body without anything between", func(q *call, s *sighting) {
				s.body = ""
				for _, field := range slices.Sorted(maps.Keys(q.body)) {
					s.body += fmt.Sprint(q.body[field])
				}
			}),
			careless("first_1024_bytes", "compares the first KiB of bodies",
				func(q *call, s *sighting) { s.body = string(q.raw[:min(1<<10, len(q.raw))]) }),
			careless("without_blanks", "drops blanks before it compares bodies",
				func(_ *call, s *sighting) { s.body = strings.ReplaceAll(s.body, " ", "") }),
			careless("folded", "drops accents before it compares bodies",
				func(_ *call, s *sighting) { s.body = folded(s.body) }),
			careless("ascii_only", "drops what is not ASCII before it compares bodies",
				func(_ *call, s *sighting) { s.body = asciiOnly(s.body) }),
			careless("question_marks", "writes what is not ASCII as question marks before it compares bodies",
				func(_ *call, s *sighting) {
					s.body = strings.Map(func(r rune) rune { return map[bool]rune{true: '?', false: r}[r > unicode.MaxASCII] }, s.body)
				}),
			careless("letters_sorted", "compares only which letters bodies have", func(_ *call, s *sighting) {
				letters := []byte(s.body)
				slices.Sort(letters)
				s.body = string(letters)
			}),
			careless("fields_joined", "joins names and values of a body without anything between",
				func(q *call, s *sighting) {
					s.body = ""
					for _, field := range slices.Sorted(maps.Keys(q.body)) {
						s.body += field + fmt.Sprint(q.body[field])
					}
				}),
			careless("length", "compares only how long bodies are",
				func(q *call, s *sighting) { s.body = strconv.Itoa(len(q.raw)) }),
			careless("dates_in_seconds", "cuts bounds to seconds before it compares bodies", inSeconds),
		)
	})
}

// andHeader compares a header, too.
func andHeader(name string) func(*call, *sighting) {
	return func(q *call, s *sighting) { s.body += "\n" + q.r.Header.Get(name) }
}

// valuesOf writes a query with one value of each parameter.
func valuesOf(query url.Values, pick func(all []string) string) string {
	one := url.Values{}
	for name, all := range query {
		one.Set(name, pick(all))
	}
	return one.Encode()
}

// comparedFaults are about what else is compared, or is not.
func comparedFaults() faults {
	// compares declares a fault of exports without a replay value.
	compares := func(name, rule, statement string, change func(q *call, s *sighting)) faults {
		return fault(name, rule, spelling(0).words()+statement, on(change).when(spelling(0).sends))
	}
	const body, query, others = "none.other_body", "none.other_query", "none.other_headers"
	return slices.Concat(
		compares("replay.none.body_dates_only", body, "compares only the dates of bodies",
			comparing(func(field string) bool { return strings.HasPrefix(field, "date_") })),
		compares("replay.none.body_without_text", body, "does not compare the filter text of bodies",
			allBut("filter_text")),
		compares("replay.none.body_without_filter_type", body, "does not compare the filter type of bodies",
			allBut("filter_type")),
		compares("replay.none.body_without_sort", body, "does not compare the sort of bodies", allBut("sort")),
		compares("replay.none.body_without_order", body, "does not compare the order of bodies", allBut("order")),
		compares("replay.none.body_without_end", body, "does not compare the end of bodies", allBut("date_end")),
		compares("replay.none.body_in_lower_case", body, "compares bodies without regard to case", inLowerCase),
		compares("replay.none.query_keys", query, "compares only the keys of queries",
			func(q *call, s *sighting) { s.query = strings.Join(slices.Sorted(maps.Keys(q.r.URL.Query())), "&") }),
		compares("replay.none.query_last_values", query, "compares only the last value of each query parameter",
			func(q *call, s *sighting) {
				s.query = valuesOf(q.r.URL.Query(), func(all []string) string { return all[len(all)-1] })
			}),
		compares("replay.none.query_first_values", query, "compares only the first value of each query parameter",
			func(q *call, s *sighting) {
				s.query = valuesOf(q.r.URL.Query(), func(all []string) string { return all[0] })
			}),
		compares("replay.none.query_without_empty", query, "does not compare query parameters without a value",
			func(_ *call, s *sighting) {
				s.query = strings.Join(slices.DeleteFunc(strings.Split(s.query, "&"), func(one string) bool {
					return strings.HasSuffix(one, "=")
				}), "&")
			}),
		compares("replay.none.nonce_in_place_of_transaction", "none.other_nonce",
			"compares the nonce where there is no transaction ID",
			func(_ *call, s *sighting) {
				if s.transaction == "" {
					s.body += "\n" + s.nonce
				}
			}),
		compares("replay.none.language_compared", others, "compares the language, too", andHeader("x-lang")),
		compares("replay.none.agent_compared", others, "compares the user agent, too", andHeader("User-Agent")),
		compares("replay.none.product_compared", others, "compares the product, too", andHeader("x-product-uuid")),
		compares("replay.none.wallet_compared", others, "compares the wallet, too", andHeader("x-wallet-uuid")),
		compares("replay.none.accept_compared", others, "compares the Accept header, too", andHeader("Accept")),
		fault("replay.nonce.language_compared", others, spelling(1).words()+"compares the language, too",
			on(andHeader("x-lang")).when(spelling(1).sends)),
		fault("replay.spellings_apart", "mode.both_spellings",
			"treats the two orders of the last mode's names as two modes",
			on(func(_ *call, s *sighting) { s.method += " the other way round" }).when(spelling(4).sends)),
		fault("replay.method_compared", "method.same_user", "compares the method of authentication, too",
			on(func(_ *call, s *sighting) { s.user += " by API key" }).when((*call).byAPIKey)),
	)
}
