package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// create answers POST /v3/users/legal-representatives.
func (q *call) create() {
	if !q.authenticated() {
		return
	}
	if !q.caller.mayCreate {
		q.refuse(http.StatusForbidden, "forbidden")
		return
	}
	names := q.g.choices.CreateHeaders
	q.transaction, _ = q.headerID(names.TransactionID, "header.transaction_id", true)
	q.nonce, _ = q.headerID(names.Nonce, "header.nonce", true)
	q.context(names.Language, names.OnBehalfOf)
	q.readObject()
	if q.values = (object{}); q.body != nil {
		q.readCreate()
	}
	if !q.refused() {
		q.admit()
	}
}

// representative is a legal representative that was created.
type representative struct {
	id            string
	owner, caller string           // user that it was created for, and who did
	answer        json.RawMessage  // its record, as it was first answered
	documents     map[string]int64 // part -> bytes
}

// creation is what a creation is recognized by.
type creation struct{ user, transaction string }

// representative and keep belong into a step of work.
func (g *Gateway) representative(id string) *representative {
	value, found := g.store.get(representatives, id)
	if !found {
		return nil
	}
	rep := value.(representative)
	return &rep
}

func (g *Gateway) keep(rep *representative) { g.store.put(representatives, rep.id, *rep) }

// admit makes the representative unless its transaction ID, or a nonce that may serve only once, was used before.
func (q *call) admit() {
	record := q.record()
	fresh := &representative{id: record["id"].(string), owner: q.runsAs.id, caller: q.caller.id}
	q.g.pass(q, record)
	if q.g.choices.OmitAbsent {
		leaveOutNulls(record)
	}
	fresh.answer, _ = json.Marshal(record) // it was read from JSON
	key := creation{q.runsAs.id, q.transaction}
	q.g.pass(q, &key)
	place, nonce := key.user+" "+key.transaction, q.runsAs.id+" "+q.nonce
	nonceUsed := false
	store := q.g.store
	q.once(func() bool {
		id, found := store.get(creations, place)
		if q.repeats(found) {
			q.earlier = q.g.representative(fmt.Sprint(id))
		}
		if q.g.choices.NonceOnce {
			_, nonceUsed = store.get(nonces, nonce)
		}
		return q.earlier == nil && !nonceUsed
	}, func() {
		q.g.keep(fresh)
		store.put(creations, place, fresh.id)
		if q.g.choices.NonceOnce {
			store.put(nonces, nonce, "")
		}
	})
	switch status := q.g.choices.RepeatStatus; {
	case q.earlier != nil && status == http.StatusConflict:
		q.refuse(status, "conflict")
	case q.earlier != nil:
		q.answer("repeated", status, []byte(q.earlier.answer))
	case nonceUsed:
		q.refuse(http.StatusConflict, "nonce_used")
	default:
		q.answer("created", http.StatusCreated, []byte(fresh.answer))
	}
}

// uploadsTo returns the representative whose ID a path names, when it is one that the caller may see.
func (q *call) uploadsTo() *representative {
	rep := q.g.representative(strings.ToLower(q.r.PathValue("id")))
	if rep == nil || rep.caller != q.caller.id && q.g.data.users[rep.owner].person != q.caller.person {
		return nil
	}
	return rep
}
