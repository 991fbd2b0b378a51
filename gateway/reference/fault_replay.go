package reference

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
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

// judged makes an effect on whether an export of a mode repeats an earlier one.
func judged(mode spelling, repeats func(q *call, repeat bool) bool) effect {
	return effect{repeats: func(q *call, repeat bool) bool {
		if q.operation != exporting || q.mode != mode {
			return repeat
		}
		return repeats(q, repeat)
	}}
}

func replayFaults() []declaration {
	const identifiers = withNonce | withTransaction
	own := []parts{0, withNonce, withTransaction, identifiers, identifiers}
	var all []declaration
	for i, name := range spellingNames {
		mode, name := spelling(i), "replay."+name
		with := mode.words()
		// turned declares a fault that compares something that is not to be compared, or the other way round.
		turned := func(end, statement string, change func(p parts) parts) declaration {
			return fault(name+end, name+end, with+statement, effect{compared: func(s spelling, p parts) parts {
				if s != mode {
					return p
				}
				return change(p)
			}})
		}
		toggled := func(end, forgotten, added string, part parts) declaration {
			statement := forgotten
			if own[i]&part == 0 && added != "" {
				statement = added
			}
			return turned(end, statement, func(p parts) parts { return p ^ part })
		}
		all = append(all, fault(name+".same", name+".same", with+"never blocks",
			judged(mode, func(*call, bool) bool { return false })),
			toggled(".other_nonce", "does not compare the nonce", "lets a repeat with another nonce pass", withNonce),
			toggled(".other_transaction", "does not compare the transaction ID",
				"lets a repeat with another transaction ID pass", withTransaction),
			toggled(".other_body", "does not compare the body", "", withBody),
			toggled(".other_query", "does not compare the query", "", withQuery),
			toggled(".other_user", "does not compare the user", "", withUser),
			fault(name+".not_atomic", "replay.race."+spellingNames[i],
				with+"lets several of many equal requests at once pass",
				effect{hesitates: func(q *call) bool { return q.operation == exporting && q.mode == mode }}),
			fault(name+".first_blocked", name+".first", with+"blocks every request",
				judged(mode, func(*call, bool) bool { return true })),
		)
		if i == 0 {
			all = append(all, turned(".other_both", "lets a repeat with both identifiers changed pass",
				func(p parts) parts { return p | identifiers }))
			continue
		}
		all = append(all,
			turned(".other_both", "compares no identifier", func(p parts) parts { return p &^ identifiers }),
			fault(name+".last_only", name+".same", with+"remembers only the last identifiers of a group",
				remembersLast(mode, own[i], identifiers)),
		)
		if i >= 3 {
			all = append(all,
				fault(name+".last_nonce_only", name+".same", with+"remembers only the last nonce of a transaction ID",
					remembersLast(mode, own[i], withNonce)),
				fault(name+".identifiers_apart", name+".other_nonce",
					with+"blocks two identifiers that were seen, though never together", remembersApart(mode)),
			)
		}
	}
	return all
}

// remembersLast forgets, of requests that differ in some parts only, all but the last.
func remembersLast(mode spelling, own, differing parts) effect {
	last := map[string]string{}
	return judged(mode, func(q *call, _ bool) bool {
		whole, this := q.sighting.fingerprint(group|own&^differing), q.sighting.fingerprint(group|own)
		repeated := last[whole] == this
		last[whole] = this
		return repeated
	})
}

// remembersApart remembers nonces and transaction IDs, and not which came together.
func remembersApart(mode spelling) effect {
	met := map[string]bool{}
	return judged(mode, func(q *call, _ bool) bool {
		nonce, transaction := q.sighting.fingerprint(group|withNonce), q.sighting.fingerprint(group|withTransaction)
		repeated := met[nonce] && met[transaction]
		met[nonce], met[transaction] = true, true
		return repeated
	})
}

// replayBodyFaults are about what else is compared, about forgetting, and about how a block is answered.
func replayBodyFaults() []declaration {
	// compares declares a fault of exports without a replay value.
	compares := func(name, rule, statement string, change func(q *call, s *sighting)) declaration {
		return fault(name, rule, "with no replay value, "+statement, effect{sighting: func(q *call, s *sighting) {
			if q.mode == 0 {
				change(q, s)
			}
		}})
	}
	only := func(compared func(field string) bool) func(*call, *sighting) {
		return func(q *call, s *sighting) {
			kept := maps.Clone(q.body)
			maps.DeleteFunc(kept, func(field string, _ any) bool { return !compared(field) })
			if text, err := json.Marshal(kept); err == nil {
				s.body = string(text)
			}
		}
	}
	without := func(forgotten string) func(*call, *sighting) {
		return only(func(field string) bool { return field != forgotten })
	}
	blocked := func(change func(q *call, a *reply)) effect { return answered(exporting, "replayed", change) }
	at := map[string]time.Time{}
	var newest []string
	return []declaration{
		compares("replay.none.body_dates_only", "replay.none.other_body", "compares only the dates of bodies",
			only(func(field string) bool { return strings.HasPrefix(field, "date_") })),
		compares("replay.none.body_without_text", "replay.none.other_body",
			"does not compare the filter text of bodies", without("filter_text")),
		compares("replay.none.body_without_sort", "replay.none.other_body", "does not compare the sort of bodies",
			without("sort")),
		compares("replay.none.body_without_order", "replay.none.other_body", "does not compare the order of bodies",
			without("order")),
		compares("replay.none.body_without_end", "replay.none.other_body", "does not compare the end of bodies",
			without("date_end")),
		compares("replay.none.body_in_lower_case", "replay.none.other_body", "compares bodies without regard to case",
			func(_ *call, s *sighting) { s.body = strings.ToLower(s.body) }),
		compares("replay.none.query_keys", "replay.none.other_query", "compares only the keys of queries",
			func(q *call, s *sighting) { s.query = strings.Join(slices.Sorted(maps.Keys(q.r.URL.Query())), "&") }),
		compares("replay.none.language_compared", "replay.none.other_headers", "compares the language, too",
			func(q *call, s *sighting) { s.body += "\n" + q.r.Header.Get("x-lang") }),
		compares("replay.none.agent_compared", "replay.none.other_headers", "compares the user agent, too",
			func(q *call, s *sighting) { s.body += "\n" + q.r.UserAgent() }),
		fault("replay.spellings_apart", "replay.mode.both_spellings",
			"takes the two orders of the last mode's names for two modes", effect{sighting: func(q *call, s *sighting) {
				if q.mode == 4 {
					s.method += " the other way round"
				}
			}}),
		fault("replay.method_compared", "replay.method.same_user", "compares the method of authentication, too",
			effect{sighting: func(q *call, s *sighting) {
				if q.byAPIKey() {
					s.user += " by API key"
				}
			}}),
		fault("replay.forgets_after_a_second", "replay.late", "forgets a request after a second",
			effect{repeats: func(q *call, repeat bool) bool {
				own := q.sighting.fingerprint(q.g.partsOf(q.mode))
				if q.operation != exporting || repeat && q.g.now().Sub(at[own]) <= time.Second {
					return repeat
				}
				at[own] = q.g.now()
				return false
			}}),
		fault("replay.keeps_the_last_50", "replay.late", "remembers the last fifty requests only",
			effect{repeats: func(q *call, repeat bool) bool {
				own := q.sighting.fingerprint(q.g.partsOf(q.mode))
				if q.operation != exporting || repeat && slices.Contains(newest, own) {
					return repeat
				}
				newest = append(newest, own)[max(0, len(newest)-49):]
				return false
			}}),
		fault("replay.block_answered_200", "replay.blocked_is_4xx", "answers a block with 200 and an error inside",
			blocked(status(http.StatusOK))),
		fault("replay.block_answered_500", "replay.blocked_is_4xx", "answers a block with a server error",
			blocked(crash)),
		fault("replay.block_answered_302", "replay.blocked_is_4xx", "answers a block with a redirect",
			blocked(redirect)),
		fault("replay.block_drops_connection", "replay.blocked_is_4xx",
			"drops the connection of a request that it blocks", blocked(status(0))),
	}
}
