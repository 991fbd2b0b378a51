package reference

import (
	"encoding/json"
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
	ID            string
	Owner, Caller *user    // for whom it was created, and by whom
	Answer        []byte   // its record, as it was first answered
	Documents     []string // the parts that were uploaded
}

// creation is what a creation is recognized by.
type creation struct{ user, transaction string }

// representative and keep belong into a step of work.
func (g *Gateway) representative(id string) *representative {
	rep, found := g.store.representatives.get(id)
	if !found {
		return nil
	}
	return &rep
}

func (g *Gateway) keep(rep *representative) { g.store.representatives.put(rep.ID, *rep) }

// admit makes the representative unless its transaction ID, or a nonce that may serve only once, was used before.
func (q *call) admit() {
	record := q.record()
	fresh := &representative{ID: record["id"].(string), Owner: q.runsAs, Caller: q.caller}
	q.g.pass(q, record)
	if q.g.choices.OmitAbsent {
		leaveOutNulls(record)
	}
	fresh.Answer, _ = json.Marshal(record) // strings, numbers and flags always can be
	key := creation{q.runsAs.id, q.transaction}
	q.g.pass(q, &key)
	place, nonce := key.user+" "+key.transaction, q.runsAs.id+" "+q.nonce
	nonceUsed := false
	store := q.g.store
	q.once(func() bool {
		id, found := store.creations.get(place)
		if q.repeats(found) {
			q.earlier = q.g.representative(id)
		}
		if q.g.choices.NonceOnce {
			_, nonceUsed = store.nonces.get(nonce)
		}
		return q.earlier == nil && !nonceUsed
	}, func() {
		q.g.keep(fresh)
		store.creations.put(place, fresh.ID)
		if q.g.choices.NonceOnce {
			store.nonces.put(nonce, true)
		}
	})
	switch status := q.g.choices.RepeatStatus; {
	case q.earlier != nil && status == http.StatusConflict:
		q.refuse(status, "conflict")
	case q.earlier != nil:
		q.answer("repeated", status, q.earlier.Answer)
	case nonceUsed:
		q.refuse(http.StatusConflict, "nonce_used")
	default:
		q.answer("created", http.StatusCreated, fresh.Answer)
	}
}

// uploadsTo returns the representative whose ID a path names, when it is one that the caller may see.
func (q *call) uploadsTo() *representative {
	rep := q.g.representative(strings.ToLower(q.r.PathValue("id")))
	if rep == nil || rep.Caller != q.caller && rep.Owner.person != q.caller.person {
		return nil
	}
	return rep
}
