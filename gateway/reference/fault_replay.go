package reference

import (
	"net/http"
	"slices"
	"time"
)

// replayModeNames are the names of the modes in the IDs of rules and the names of faults.
var replayModeNames = []string{
	"none", "nonce", "transaction", "transaction_nonce", "nonce_transaction",
}

// isModeOf reports whether a request is an export in a mode.
func (s replayMode) isModeOf(q *requestState) bool {
	return q.operation == operationExport && q.mode == s
}

// changeRepeatDecision returns an effect on whether an export counts as a repeat.
func changeRepeatDecision(repeats func(q *requestState, earlier bool) bool) effect {
	return effectDuring(operationExport,
		func(q *requestState, r *repeatDecision) { *r = repeatDecision(repeats(q, bool(*r))) })
}

// replayIdentity returns the fingerprint of an export under its mode.
func (q *requestState) replayIdentity() string {
	return q.sighting.fingerprint(q.gateway.comparedPartsOf(q.mode))
}

// declareModeFault declares a fault of the exports in a mode.
func (s replayMode) declareModeFault(end string, changes ...any) faultDeclarations {
	return declareFault("replay."+replayModeNames[s]+"."+end, effectWhen(s.isModeOf, changes...))
}

// declareComparisonFault declares a fault that compares other parts of requests than its mode
// has to.
func (s replayMode) declareComparisonFault(
	cell string, change func(p comparedParts) comparedParts,
) faultDeclarations {
	return declareFault("replay."+replayModeNames[s]+"."+cell, func(c *replayComparison) {
		if c.mode == s {
			c.comparedParts = change(c.comparedParts)
		}
	})
}

func replayFaults() faultDeclarations {
	all := replayMemoryFaults()
	for i := range replayModeHeaders {
		mode, own := replayMode(i), identifyingParts[i]
		all = slices.Concat(all,
			mode.declareModeFault("same", forgetRepeat),
			mode.declareModeFault("not_atomic", openRaceWindow),
			mode.declareModeFault("first_blocked",
				changeRepeatDecision(func(*requestState, bool) bool { return true })))
		for _, turned := range []struct {
			cell string
			part comparedParts
		}{
			{"other_nonce", partNonce},
			{"other_transaction", partTransaction},
			{"other_body", partBody},
			{"other_query", partQuery},
			{"other_user", partUser},
		} {
			other := func(p comparedParts) comparedParts { return p ^ turned.part }
			all = append(all, mode.declareComparisonFault(turned.cell, other)...)
		}
		if own == 0 {
			compared := func(p comparedParts) comparedParts { return p | partIdentifiers }
			all = append(all, mode.declareComparisonFault("other_both", compared)...)
			continue
		}
		all = slices.Concat(all,
			mode.declareComparisonFault("other_both",
				func(p comparedParts) comparedParts { return p &^ partIdentifiers }),
			mode.declareModeFault("last_only", rememberOnlyLast(own)))
		if own == partIdentifiers {
			both := func(nonce, transaction bool) bool { return nonce && transaction }
			either := func(nonce, transaction bool) bool { return nonce || transaction }
			all = slices.Concat(all, mode.declareModeFault("identifiers_apart", rememberSeparately(both)),
				mode.declareModeFault("either_identifier", rememberSeparately(either)))
		}
	}
	return all
}

// rememberOnlyLast remembers only the last of the requests that differ just in their
// identifiers.
func rememberOnlyLast(own comparedParts) effect {
	last := map[string]string{}
	return changeRepeatDecision(func(q *requestState, _ bool) bool {
		whole, this := q.sighting.fingerprint(partGroup), q.sighting.fingerprint(partGroup|own)
		repeated := last[whole] == this
		last[whole] = this
		return repeated
	})
}

// rememberSeparately remembers nonces and transaction IDs, but not which belong together.
func rememberSeparately(blocks func(nonce, transaction bool) bool) effect {
	met := map[string]bool{}
	return changeRepeatDecision(func(q *requestState, _ bool) bool {
		nonce := q.sighting.fingerprint(partGroup | partNonce)
		transaction := q.sighting.fingerprint(partGroup | partTransaction)
		repeated := blocks(met[nonce], met[transaction])
		met[nonce], met[transaction] = true, true
		return repeated
	})
}

// replayMemoryFaults declares faults that forget requests or answer a block wrongly.
func replayMemoryFaults() faultDeclarations {
	at := map[string]time.Time{}
	afterASecond := func(q *requestState, earlier bool) bool {
		own := q.replayIdentity()
		if earlier && q.gateway.now().Sub(at[own]) <= time.Second {
			return true
		}
		at[own] = q.gateway.now()
		return false
	}
	last := ""
	ofTheLast := func(q *requestState, _ bool) bool {
		repeated := last == q.replayIdentity()
		last = q.replayIdentity()
		return repeated
	}
	return slices.Concat(
		declareFault("replay.none.same.passes_empty",
			effectWhen(replayMode(0).isModeOf,
				effectWhen(func(q *requestState) bool { return len(q.body) == 0 }, forgetRepeat))),
		declareFault("replay.nonce.other_nonce.beginning",
			effectWhen(replayMode(1).isModeOf,
				func(s *replayCandidate) { s.nonce = s.nonce[:min(8, len(s.nonce))] })),
		declareFault("replay.forgets_after_a_second", changeRepeatDecision(afterASecond)),
		markSweeping(declareFault("replay.last_request_only", changeRepeatDecision(ofTheLast))),
		markSweeping(declareFault("replay.blocks_nothing",
			changeRepeatDecision(func(*requestState, bool) bool { return false }))),
		declareFault("replay.block_answered_200", changeAnswer("replayed", setStatus(http.StatusOK))),
		declareFault("replay.block_answered_500", changeAnswer("replayed", respondWithCrash)),
		declareFault("replay.block_drops_connection", changeAnswer("replayed", setStatus(0))),
	)
}
