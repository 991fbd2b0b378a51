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

// forgetting takes repeats for fresh requests, and interrupting lets others in between.
func forgetting(r *repeat) { *r = false }

func interrupting(h *interruption) { *h = true }

// again makes an effect on the answers to repeated creations.
func again(change any) effect {
	return during(creating, when(func(q *call) bool { return q.earlier != nil }, change))
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
	overwritten := func(q *call, record object) { // by what a repeat says
		said := q.record()
		without("id", "document", "address", "created_at")(said)
		maps.Copy(record, said)
		q.earlier.Answer, _ = json.Marshal(record)
		q.g.store.step(func() { q.g.store.keepRepresentative(q.earlier) })
	}
	var first, made sync.Map // transaction ID by body, and time by transaction ID
	return slices.Concat(
		fault("create.repeat.second_record", during(creating, forgetting)),
		fault("create.repeat.forgotten", during(creating, func(q *call, r *repeat) {
			at, _ := made.LoadOrStore(q.transaction, q.g.now())
			*r = *r && repeat(q.g.now().Sub(at.(time.Time)) < time.Second)
		})),
		fault("create.repeat.answered_500", again(crash)),
		fault("create.repeat.answered_202_empty",
			again(func(a *reply) { a.status, a.body = http.StatusAccepted, []byte(nil) })),
		fault("create.repeat.record_changes",
			rewritten(func(_ *call, record object) { record["document"].(object)["id"] = uuid.NewString() })),
		fault("create.repeat.other_body_second_record",
			telling(func(q *call) string { return string(q.raw) })),
		fault("create.repeat.other_body_overwrites", rewritten(overwritten)),
		fault("create.repeat.remembered_with_nonce",
			telling(func(q *call) string { return q.nonce })),
		fault("create.repeat.not_atomic", during(creating, interrupting)),
		fault("create.repeat.everything_is_one", func(key *creation) { key.transaction = "" }),
		fault("create.repeat.answers_strangers", during(creating, admits(func(q *call) bool {
			var id string
			used := q.g.data.main.id + " " + q.r.Header.Get(q.names.TransactionID)
			return q.withoutCredential() && q.g.store.get("creation", used, &id)
		})), rewritten(unchanged)),
		fault("create.repeat.users_share_ids",
			func(key *creation) { key.user = "" }, rewritten(unchanged)),
		fault("create.repeat.bodies_are_one", func(q *call, key *creation) {
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
	identity := func(kind string, names ...string) faults {
		return fault("create.documents."+kind+"_500", answered("uploaded", func(q *call, a *reply) {
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
		fault("create.documents.answered_500", answered("uploaded", crash)),
		identity("id", "id", "rg"),
		identity("cnh", "cnh"),
		identity("passport", "passport", "passaporte"),
		fault("create.documents.anonymous_accepted",
			during(documenting, admits((*call).withoutCredential))),
		fault("create.documents.revoked_key_accepted", during(documenting, admits((*call).revoked))),
		fault("create.documents.foreign_accepted",
			during(documenting, answered("not_found", when(exists, accepted)))),
		fault("create.documents.unknown_accepted", during(documenting, answered("not_found", accepted))),
		fault("create.documents.unknown_500", during(documenting, answered("not_found", crash))),
	)
}
