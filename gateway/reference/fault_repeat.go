package reference

import (
	"encoding/json"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// telling makes an effect on what a creation is recognized by: it distinguishes creations by something more.
func telling(more func(q *call) string) any {
	return func(q *call, key *creation) { key.transaction += " " + more(q) }
}

// forgetting takes repeats for fresh requests, and hesitating lets others in between.
func forgetting(r *repeat) { *r = false }

func hesitating(h *hesitation) { *h = true }

// again makes an effect on the answers to repeated creations.
func again(change any) effect {
	return on(creating, when(func(q *call) bool { return q.earlier != nil }, change))
}

// rewritten answers a repeat with the record that exists, with a change.
func rewritten(change func(q *call, record object)) effect {
	return again(func(q *call, a *reply) {
		record, _, _ := parseObject(q.earlier.Answer)
		change(q, record)
		a.status = http.StatusOK
		a.body, _ = json.Marshal(record) // it was read from JSON
	})
}

func unchanged(*call, object) {}

func repeatFaults() faults {
	const identical, same, other = "repeat.identical", "repeat.unchanged", "repeat.other_body"
	overwritten := func(q *call, record object) { // by what a repeat says
		said := q.record()
		without("id", "document", "address", "created_at")(said)
		maps.Copy(record, said)
		q.earlier.Answer, _ = json.Marshal(record)
		q.g.store.step(func() { q.g.store.keepRepresentative(q.earlier) })
	}
	var first, made sync.Map // transaction ID by body, and time by transaction ID
	return slices.Concat(
		fault("create.repeat.second_record", identical, "makes a second record when a creation is repeated", on(creating, forgetting)),
		fault("create.repeat.forgotten", identical, "forgets transaction IDs after a second", on(creating, func(q *call, r *repeat) {
			at, _ := made.LoadOrStore(q.transaction, q.g.now())
			*r = *r && repeat(q.g.now().Sub(at.(time.Time)) < time.Second)
		})),
		fault("create.repeat.answered_500", identical, "answers a repeated creation with a server error", again(crash)),
		fault("create.repeat.answered_202_empty", identical,
			"answers a repeated creation with a success that carries no record",
			again(func(a *reply) { a.status, a.body = http.StatusAccepted, []byte(nil) })),
		fault("create.repeat.record_changes", same, "answers a repeat with the existing record, but another document ID",
			rewritten(func(_ *call, record object) { record["document"].(object)["id"] = uuid.NewString() })),
		fault("create.repeat.other_body_second_record", other, "makes a second record when the body of a repeat differs",
			telling(func(q *call) string { return string(q.raw) })),
		fault("create.repeat.other_body_overwrites", other, "overwrites the record with what a repeat says", rewritten(overwritten)),
		fault("create.repeat.remembered_with_nonce", "repeat.new_nonce", "makes a second record when the nonce of a repeat differs",
			telling(func(q *call) string { return q.nonce })),
		fault("create.repeat.not_atomic", "repeat.race", "makes several records of identical creations at once", on(creating, hesitating)),
		fault("create.repeat.everything_is_one", "repeat.other_transaction",
			"treats every creation of a user as a repeat of the first", func(key *creation) { key.transaction = "" }),
		fault("create.repeat.answers_strangers", "repeat.anonymous", "answers repeats with the record before it asks for a credential",
			on(creating, admits(func(q *call) bool {
				var id string
				used := q.g.data.main.id + " " + q.r.Header.Get(q.names.TransactionID)
				return q.withoutCredential() && q.g.store.get("creation", used, &id)
			})), rewritten(unchanged)),
		fault("create.repeat.users_share_ids", "repeat.other_user",
			"gives the record of a transaction ID to whichever user it comes from",
			func(key *creation) { key.user = "" }, rewritten(unchanged)),
		fault("create.repeat.bodies_are_one", "repeat.same_body",
			"gives the record of a body that came before, whatever its transaction ID", func(q *call, key *creation) {
				known, _ := first.LoadOrStore(string(q.raw), key.transaction)
				key.transaction, _ = known.(string)
			}, rewritten(unchanged)),
	)
}

func documentFaults() faults {
	accepted := func(a *reply) { a.status, a.body = http.StatusCreated, object{"documents": documentParts} }
	exists := func(q *call) (known bool) {
		q.g.store.step(func() { known = q.g.store.representative(strings.ToLower(q.r.PathValue("id"))) != nil })
		return known
	}
	// identity cannot deal with a kind of identity document, which a form field or the name of its file says.
	identity := func(kind, statement string, names ...string) faults {
		return fault("create.documents."+kind+"_500", "documents.identity."+kind, "answers "+statement+" with a server error",
			answered("uploaded", func(q *call, a *reply) {
				said := slices.Concat(slices.Collect(maps.Values(q.r.MultipartForm.Value))...)
				for _, upload := range q.r.MultipartForm.File["identity_document"] {
					said = append(said, strings.TrimSuffix(upload.Filename, path.Ext(upload.Filename)))
				}
				if slices.ContainsFunc(said, func(kind string) bool { return slices.Contains(names, strings.ToLower(kind)) }) {
					crash(q, a)
				}
			}))
	}
	return slices.Concat(
		fault("create.documents.answered_500", "documents.accepted", "answers uploads with a server error", answered("uploaded", crash)),
		identity("id", "identity cards", "id", "rg"),
		identity("cnh", "driving licences", "cnh"),
		identity("passport", "passports", "passport", "passaporte"),
		fault("create.documents.anonymous_accepted", "documents.authenticated", "accepts uploads without a credential",
			on(documenting, admits((*call).withoutCredential))),
		fault("create.documents.revoked_key_accepted", "documents.authenticated", "accepts uploads under a revoked API key",
			on(documenting, admits((*call).revoked))),
		fault("create.documents.foreign_accepted", "documents.foreign",
			"accepts documents of a representative of another legal person",
			on(documenting, answered("not_found", when(exists, accepted)))),
		fault("create.documents.unknown_accepted", "documents.unknown_id",
			"accepts documents of a representative that does not exist", on(documenting, answered("not_found", accepted))),
		fault("create.documents.unknown_500", "documents.unknown_id",
			"answers an unknown representative with a server error", on(documenting, answered("not_found", crash))),
	)
}
