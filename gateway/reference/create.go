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
	ID        string           `json:"id"`
	Owner     string           `json:"owner"` // user that it was created for
	Caller    string           `json:"caller"`
	Answer    json.RawMessage  `json:"answer"`              // its record, as it was first answered
	Documents map[string]int64 `json:"documents,omitempty"` // part -> bytes
}

// creation is what a creation is recognized by.
type creation struct{ user, transaction string }

// representative and keep belong into a step of work.
func (g *Gateway) representative(id string) *representative {
	text, found := g.store.get(representatives, id)
	rep := &representative{}
	if !found || json.Unmarshal([]byte(text), rep) != nil {
		return nil
	}
	return rep
}

func (g *Gateway) keep(rep *representative) {
	if data, err := json.Marshal(rep); err == nil { // strings, numbers and JSON always can be
		g.store.put(representatives, rep.ID, string(data))
	}
}

// admit makes the representative unless its transaction ID, or a nonce that may serve only once, was used before.
func (q *call) admit() {
	record := q.record()
	fresh := &representative{ID: record["id"].(string), Owner: q.runsAs.id, Caller: q.caller.id}
	q.g.pass(q, record)
	if q.g.choices.OmitAbsent {
		leaveOutNulls(record)
	}
	var err error
	if fresh.Answer, err = json.Marshal(record); q.broken(err) {
		return
	}
	key := creation{q.runsAs.id, q.transaction}
	q.g.pass(q, &key)
	place, nonce := key.user+" "+key.transaction, q.runsAs.id+" "+q.nonce
	nonceUsed := false
	store := q.g.store
	err = q.once(func() bool {
		id, found := store.get(creations, place)
		if q.repeats(found) {
			q.earlier = q.g.representative(id)
		}
		if q.g.choices.NonceOnce {
			_, nonceUsed = store.get(nonces, nonce)
		}
		return q.earlier == nil && !nonceUsed
	}, func() {
		q.g.keep(fresh)
		store.put(creations, place, fresh.ID)
		if q.g.choices.NonceOnce {
			store.put(nonces, nonce, "")
		}
	})
	switch status := q.g.choices.RepeatStatus; {
	case q.broken(err):
	case q.earlier != nil && status == http.StatusConflict:
		q.refuse(status, "conflict")
	case q.earlier != nil:
		q.answer("repeated", status, []byte(q.earlier.Answer))
	case nonceUsed:
		q.refuse(http.StatusConflict, "nonce_used")
	default:
		q.answer("created", http.StatusCreated, []byte(fresh.Answer))
	}
}

// uploadsTo returns the representative whose ID a path names, when it is one that the caller may see.
func (q *call) uploadsTo() *representative {
	rep := q.g.representative(strings.ToLower(q.r.PathValue("id")))
	if rep == nil || rep.Caller != q.caller.id && q.g.data.users[rep.Owner].person != q.caller.person {
		return nil
	}
	return rep
}
