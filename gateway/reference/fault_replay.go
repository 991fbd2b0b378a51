package reference

import (
	"net/http"
	"slices"
	"time"
)

// spellingNames are the modes of replay protection in the IDs of rules and the names of faults.
var spellingNames = []string{"none", "nonce", "transaction", "transaction_nonce", "nonce_transaction"}

// sends reports whether a request is an export of a mode.
func (s spelling) sends(q *call) bool { return q.operation == exporting && q.mode == s }

// judged makes an effect on whether an export repeats an earlier one.
func judged(repeats func(q *call, earlier bool) bool) effect {
	return during(exporting, func(q *call, r *repeat) { *r = repeat(repeats(q, bool(*r))) })
}

// own identifies an export under what its mode compares.
func (q *call) own() string { return q.sighting.fingerprint(q.g.partsOf(q.mode)) }

// breaks declares a fault of exports of a mode. Its name begins with the mode.
func (s spelling) breaks(end string, changes ...any) faults {
	return fault("replay."+spellingNames[s]+"."+end, when(s.sends, changes...))
}

// compares declares a fault of a mode that compares other parts of requests than it has to.
func (s spelling) compares(cell string, change func(p parts) parts) faults {
	return fault("replay."+spellingNames[s]+"."+cell, func(c *comparison) {
		if c.mode == s {
			c.parts = change(c.parts)
		}
	})
}

func replayFaults() faults {
	all := memoryFaults()
	for i := range spellings {
		mode, own := spelling(i), identifying[i]
		all = slices.Concat(all,
			mode.breaks("same", forgetting),
			mode.breaks("not_atomic", interrupting),
			mode.breaks("first_blocked", judged(func(*call, bool) bool { return true })))
		for _, turned := range []struct {
			cell string
			part parts
		}{
			{"other_nonce", withNonce}, {"other_transaction", withTransaction},
			{"other_body", withBody}, {"other_query", withQuery}, {"other_user", withUser},
		} {
			other := func(p parts) parts { return p ^ turned.part }
			all = append(all, mode.compares(turned.cell, other)...)
		}
		if own == 0 {
			compared := func(p parts) parts { return p | identifiers }
			all = append(all, mode.compares("other_both", compared)...)
			continue
		}
		all = slices.Concat(all,
			mode.compares("other_both", func(p parts) parts { return p &^ identifiers }),
			mode.breaks("last_only", remembersLast(own)))
		if own == identifiers {
			both := func(nonce, transaction bool) bool { return nonce && transaction }
			either := func(nonce, transaction bool) bool { return nonce || transaction }
			all = slices.Concat(all,
				mode.breaks("identifiers_apart", remembersApart(both)),
				mode.breaks("either_identifier", remembersApart(either)))
		}
	}
	return all
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
	return slices.Concat(
		fault("replay.none.same.passes_empty",
			when(spelling(0).sends, when(func(q *call) bool { return len(q.body) == 0 }, forgetting))),
		fault("replay.nonce.other_nonce.beginning",
			when(spelling(1).sends, func(s *sighting) { s.nonce = s.nonce[:min(8, len(s.nonce))] })),
		fault("replay.forgets_after_a_second", judged(afterASecond)),
		fault("replay.block_answered_200", answered("replayed", status(http.StatusOK))),
		fault("replay.block_answered_500", answered("replayed", crash)),
		fault("replay.block_drops_connection", answered("replayed", status(0))),
	)
}
