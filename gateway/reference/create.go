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
	issues := q.createHeaders()
	more, there := q.readObject()
	if !there {
		return
	}
	rd := &submission{values: object{}}
	if q.body != nil {
		rd = q.g.readCreate(q.body, q.runsAs)
	}
	q.values = rd.values
	if q.refused(append(append(issues, more...), rd.issues...)) {
		return
	}
	q.admit()
}

// createHeaders takes the identifiers and the user that a creation is done for, and returns what is wrong with them.
func (q *call) createHeaders() []issue {
	names := q.g.choices.CreateHeaders
	transaction, issues := headerID(q.r, names.TransactionID, "header.transaction_id", true)
	nonce, more := headerID(q.r, names.Nonce, "header.nonce", true)
	q.transaction, q.nonce = transaction, nonce
	issues = append(issues, more...)
	issues = append(issues, languageIssues(q.r, names.Language)...)
	return append(issues, q.behalf(names.OnBehalfOf)...)
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

func (g *Gateway) representative(l ledger, id string) *representative {
	text, found := l.get(representatives, id)
	rep := &representative{}
	if !found || json.Unmarshal([]byte(text), rep) != nil {
		return nil
	}
	return rep
}

func (rep *representative) keep(l ledger) {
	if data, err := json.Marshal(rep); err == nil { // strings, numbers and JSON always can be
		l.put(representatives, rep.ID, string(data))
	}
}

// admit makes the representative unless its transaction ID, or a nonce that may serve only once, was used before.
func (q *call) admit() {
	record := q.record()
	fresh := &representative{ID: record["id"].(string), Owner: q.runsAs.id, Caller: q.caller.id}
	q.g.effect.record(q, record)
	if q.g.choices.OmitAbsent {
		leaveOutNulls(record)
	}
	var err error
	if fresh.Answer, err = json.Marshal(record); err != nil {
		q.refuse(http.StatusInternalServerError, "internal")
		return
	}
	key := creation{q.runsAs.id, q.transaction}
	q.g.effect.sameAs(q, &key)
	place, nonce := key.user+" "+key.transaction, q.runsAs.id+" "+q.nonce
	nonceUsed := false
	err = q.once(func(l ledger) bool {
		id, repeat := l.get(creations, place)
		if q.earlier = nil; q.g.effect.repeats(q, repeat) {
			q.earlier = q.g.representative(l, id)
		}
		if q.g.choices.NonceOnce {
			_, nonceUsed = l.get(nonces, nonce)
		}
		return q.earlier == nil && !nonceUsed
	}, func(l ledger) {
		fresh.keep(l)
		l.put(creations, place, fresh.ID)
		if q.g.choices.NonceOnce {
			l.put(nonces, nonce, "")
		}
	})
	switch status := q.g.choices.RepeatStatus; {
	case err != nil:
		q.refuse(http.StatusInternalServerError, "internal")
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

// find returns the representative whose ID a path names, when it is one that the caller may see.
func (q *call) find(l ledger) *representative {
	rep := q.g.representative(l, strings.ToLower(q.r.PathValue("id")))
	if rep == nil || rep.Caller != q.caller.id && q.g.data.users[rep.Owner].person != q.caller.person {
		return nil
	}
	return rep
}
