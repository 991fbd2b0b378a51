package reference

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"time"
)

// isModeOf reports whether a request is an export in a mode.
func (s replayMode) isModeOf(q *request) bool {
	return q.operation == opExport && q.mode == s
}

// changeRepeatDecision returns an effect on whether an export counts as a repeat.
func changeRepeatDecision(repeats func(q *request, earlier bool) bool) effect {
	return during(opExport,
		func(q *request, r *repeatDecision) { *r = repeatDecision(repeats(q, bool(*r))) })
}

// replayIdentity returns the fingerprint of an export under its mode.
func (q *request) replayIdentity() string {
	return q.sighting.fingerprint(q.gateway.comparedPartsOf(q.mode))
}

// toggleParts returns a change that compares parts which the mode must ignore, and ignores those
// which it must compare.
func (s replayMode) toggleParts(parts comparedParts) func(*replayComparison) {
	return func(c *replayComparison) {
		if c.mode == s {
			c.comparedParts ^= parts
		}
	}
}

// everyModeFaults are the same in each mode.
func everyModeFaults() changes {
	without := func(parts comparedParts) func(*replayComparison) {
		return func(c *replayComparison) { c.comparedParts &^= parts }
	}
	usesBoth := func(q *request) bool { return replayModes[q.mode].identifiers == partIdentifiers }
	met := map[string]bool{}
	return changes{
		"replay.body_not_compared":        without(partBody),
		"replay.query_not_compared":       without(partQuery),
		"replay.user_not_compared":        without(partUser),
		"replay.nonce_not_compared":       without(partNonce),
		"replay.transaction_not_compared": without(partTransaction),
		"replay.schema_ignored":           without(partIdentifiers),
		"replay.nonce_in_all": func(c *replayComparison) {
			c.comparedParts = partGroup | partNonce
		},
		"replay.nonce_once": changeRepeatDecision(func(q *request, earlier bool) bool {
			again := met[q.nonce]
			met[q.nonce] = true
			return earlier || again
		}),
		"replay.either_identifier": when(usesBoth, rememberSeparately(eitherMet)),
		"replay.not_atomic":        during(opExport, openRaceWindow),
	}
}

func replayFaults() changes {
	all := replayMemoryFaults()
	maps.Copy(all, everyModeFaults())
	for i, m := range replayModes {
		mode, name := replayMode(i), "replay."+m.name+"."
		all[name+"same"] = when(mode.isModeOf, forgetRepeat)
		all[name+"not_atomic"] = when(mode.isModeOf, openRaceWindow)
		all[name+"first_blocked"] = when(mode.isModeOf,
			changeRepeatDecision(func(*request, bool) bool { return true }))
		for cell, parts := range map[string]comparedParts{
			"other_nonce": partNonce, "other_transaction": partTransaction, "other_body": partBody,
			"other_query": partQuery, "other_user": partUser,
			"other_both": cmp.Or(m.identifiers, partIdentifiers),
		} {
			all[name+cell] = mode.toggleParts(parts)
		}
		if m.identifiers != 0 {
			all[name+"last_only"] = when(mode.isModeOf, rememberOnlyLast(m.identifiers))
		}
		if m.identifiers == partIdentifiers {
			all[name+"identifiers_apart"] = when(mode.isModeOf, rememberSeparately(bothMet))
			all[name+"either_identifier"] = when(mode.isModeOf, rememberSeparately(eitherMet))
		}
	}
	return all
}

// rememberOnlyLast remembers only the last of the requests that differ just in their
// identifiers.
func rememberOnlyLast(own comparedParts) effect {
	last := map[string]string{}
	return changeRepeatDecision(func(q *request, _ bool) bool {
		whole, this := q.sighting.fingerprint(partGroup), q.sighting.fingerprint(partGroup|own)
		repeated := last[whole] == this
		last[whole] = this
		return repeated
	})
}

// bothMet and eitherMet say which identifiers a gateway must have met to block a request.
func bothMet(nonce, transaction bool) bool   { return nonce && transaction }
func eitherMet(nonce, transaction bool) bool { return nonce || transaction }

// rememberSeparately remembers nonces and transaction IDs, but not which belong together.
func rememberSeparately(blocks func(nonce, transaction bool) bool) effect {
	met := map[string]bool{}
	return changeRepeatDecision(func(q *request, _ bool) bool {
		nonce := q.sighting.fingerprint(partGroup | partNonce)
		transaction := q.sighting.fingerprint(partGroup | partTransaction)
		repeated := blocks(met[nonce], met[transaction])
		met[nonce], met[transaction] = true, true
		return repeated
	})
}

// replayMemoryFaults declares faults that forget requests or answer a block wrongly.
func replayMemoryFaults() changes {
	at := map[string]time.Time{}
	afterASecond := func(q *request, earlier bool) bool {
		own := q.replayIdentity()
		if earlier && q.gateway.now().Sub(at[own]) <= time.Second {
			return true
		}
		at[own] = q.gateway.now()
		return false
	}
	hundred := make([]string, 100)
	ofAHundred := func(q *request, _ bool) bool {
		own := q.replayIdentity()
		repeated := slices.Contains(hundred, own)
		if !repeated {
			hundred = append(hundred[1:], own)
		}
		return repeated
	}
	last := ""
	ofTheLast := func(q *request, _ bool) bool {
		repeated := last == q.replayIdentity()
		last = q.replayIdentity()
		return repeated
	}
	return changes{
		"replay.none.same.passes_empty": when(replayMode(0).isModeOf,
			when(func(q *request) bool { return len(q.body) == 0 }, forgetRepeat)),
		"replay.nonce.other_nonce.beginning": when(replayMode(1).isModeOf,
			func(s *replayCandidate) { s.nonce = s.nonce[:min(8, len(s.nonce))] }),
		"replay.forgets_after_a_second": changeRepeatDecision(afterASecond),
		"replay.remembers_a_hundred":    changeRepeatDecision(ofAHundred),
		"replay.last_request_only":      changeRepeatDecision(ofTheLast),
		"replay.blocks_nothing":         changeRepeatDecision(func(*request, bool) bool { return false }),
		"replay.block_answered_200":     changeAnswer("replayed", setStatus(http.StatusOK)),
		"replay.block_answered_500":     changeAnswer("replayed", respondWithCrash),
		"replay.block_drops_connection": changeAnswer("replayed", setStatus(0)),
	}
}
