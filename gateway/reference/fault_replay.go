package reference

import (
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
		return ", with no replay value"
	}
	return ", with " + spellings[s]
}

// sends reports whether a request is an export of a mode.
func (s spelling) sends(q *call) bool { return q.operation == exporting && q.mode == s }

// judged makes an effect on whether an export repeats an earlier one.
func judged(repeats func(q *call, earlier bool) bool) effect {
	return on(exporting, func(q *call, r *repeat) { *r = repeat(repeats(q, bool(*r))) })
}

// own identifies an export under what its mode compares.
func (q *call) own() string { return q.sighting.fingerprint(q.g.partsOf(q.mode)) }

// eachMode declares the faults of each mode of replay protection. Their names begin with the mode.
func eachMode(declare func(mode spelling, breaks func(end, rule, statement string, changes ...any) faults) faults) faults {
	return forEach(spellingNames, func(name string) faults {
		mode := spelling(slices.Index(spellingNames, name))
		return declare(mode, func(end, rule, statement string, changes ...any) faults {
			return fault("replay."+name+"."+end, strings.ReplaceAll(rule, "MODE", name), statement+mode.words(), when(mode.sends, changes...))
		})
	})
}

func replayFaults() faults {
	return slices.Concat(memoryFaults(), eachMode(func(mode spelling, breaks func(end, rule, statement string, changes ...any) faults) faults {
		own := identifying[mode]
		// turned declares a fault that compares something that is not to be compared, or the other way round.
		turned := func(cell, statement string, change func(p parts) parts) faults {
			return fault("replay."+spellingNames[mode]+"."+cell, "", statement+mode.words(), func(c *comparison) {
				if c.mode == mode {
					c.parts = change(c.parts)
				}
			})
		}
		toggled := func(cell, what string, part parts) faults {
			statement := "does not compare the " + what
			if (own|group)&part == 0 {
				statement = "lets a repeat with another " + what + " pass"
			}
			return turned(cell, statement, func(p parts) parts { return p ^ part })
		}
		all := slices.Concat(
			breaks("same", "", "never blocks", forgetting),
			toggled("other_nonce", "nonce", withNonce),
			toggled("other_transaction", "transaction ID", withTransaction),
			toggled("other_body", "body", withBody),
			toggled("other_query", "query", withQuery),
			toggled("other_user", "user", withUser),
			breaks("not_atomic", "race.MODE", "lets several of many identical requests at once pass", hesitating),
			breaks("first_blocked", "MODE.first", "blocks every request", judged(func(*call, bool) bool { return true })),
		)
		if mode == 0 {
			return append(all, turned("other_both", "lets a repeat with both identifiers changed pass",
				func(p parts) parts { return p | identifiers })...)
		}
		all = slices.Concat(all,
			turned("other_both", "compares no identifier", func(p parts) parts { return p &^ identifiers }),
			breaks("last_only", "MODE.same", "remembers only the last identifiers of a group", remembersLast(own)))
		if mode < 3 {
			return all
		}
		return slices.Concat(all,
			breaks("identifiers_apart", "MODE.other_nonce", "blocks two identifiers that were seen, though never together",
				remembersApart(func(nonce, transaction bool) bool { return nonce && transaction })),
			breaks("either_identifier", "MODE.other_nonce", "blocks a request of which either identifier was seen",
				remembersApart(func(nonce, transaction bool) bool { return nonce || transaction })))
	}))
}

// remembersLast forgets, of requests that differ in identifiers only, all but the last.
func remembersLast(own parts) effect {
	last := map[string]string{}
	return judged(func(q *call, _ bool) bool {
		whole, this := q.sighting.fingerprint(group), q.sighting.fingerprint(group|own)
		repeated := last[whole] == this
		last[whole] = this
		return repeated
	})
}

// remembersApart remembers nonces and transaction IDs, and not which came together.
func remembersApart(blocks func(nonce, transaction bool) bool) effect {
	met := map[string]bool{}
	return judged(func(q *call, _ bool) bool {
		nonce, transaction := q.sighting.fingerprint(group|withNonce), q.sighting.fingerprint(group|withTransaction)
		repeated := blocks(met[nonce], met[transaction])
		met[nonce], met[transaction] = true, true
		return repeated
	})
}

// memoryFaults are about forgetting, and about how a block is answered.
func memoryFaults() faults {
	at := map[string]time.Time{}
	afterASecond := func(q *call, earlier bool) bool {
		own := q.own()
		if earlier && q.g.now().Sub(at[own]) <= time.Second {
			return true
		}
		at[own] = q.g.now()
		return false
	}
	const blocked = "blocked_is_4xx"
	return slices.Concat(
		fault("replay.none.same.passes_empty", "none.same", "never blocks a request with an empty body, with no replay value",
			when(spelling(0).sends, when(func(q *call) bool { return len(q.body) == 0 }, forgetting))),
		fault("replay.nonce.other_nonce.beginning", "nonce.other_nonce", "compares the first eight characters of the nonce",
			when(spelling(1).sends, func(s *sighting) { s.nonce = s.nonce[:min(8, len(s.nonce))] })),
		fault("replay.forgets_after_a_second", "late", "forgets a request after a second", judged(afterASecond)),
		fault("replay.block_answered_200", blocked, "answers a block with 200", answered("replayed", status(http.StatusOK))),
		fault("replay.block_answered_500", blocked, "answers a block with a server error", answered("replayed", crash)),
		fault("replay.block_drops_connection", blocked, "drops the connection in place of a block", answered("replayed", status(0))),
	)
}
