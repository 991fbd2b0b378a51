package reference

import (
	"encoding/json"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// distinguishCreationsBy returns an effect that adds more to a creation's identity.
func distinguishCreationsBy(more func(q *request) string) effect {
	return combine(func(q *request, key *creationIdentity) { key.transaction += " " + more(q) })
}

// forgetRepeat treats a repeat as a new request.
func forgetRepeat(r *repeatDecision) { *r = false }

func openRaceWindow(h *raceWindow) { *h = true }

// changeRepeatAnswer returns an effect on the answers to repeated creations.
func changeRepeatAnswer(change any) effect {
	return during(opCreate, when(func(q *request) bool { return q.earlier != nil }, change))
}

// rewriteRepeatRecord answers a repeat with 200 and the existing record, after a change.
func rewriteRepeatRecord(change func(q *request, record jsonObject)) effect {
	return changeRepeatAnswer(func(q *request, a *response) {
		record, _, _ := parseJSONObject(q.earlier.Answer)
		change(q, record)
		a.status = http.StatusOK
		a.body, _ = json.Marshal(record) // it was read from JSON
	})
}

// answerWithRecord answers a repeat with 200 and the existing record.
func answerWithRecord() effect { return rewriteRepeatRecord(func(*request, jsonObject) {}) }

// namesAnother reports whether a repeat names another person than the record does.
func namesAnother(q *request) bool {
	record, _, _ := parseJSONObject(q.earlier.Answer)
	return record["name"] != q.values["name"]
}

func repeatFaults() changes {
	overwritten := func(q *request, record jsonObject) { // with the values of the repeat
		said := q.newRecord()
		removeKeys("id", "document", "address", "created_at")(said)
		maps.Copy(record, said)
		q.earlier.Answer, _ = json.Marshal(record)
		q.gateway.store.atomically(func() { q.gateway.store.storeRepresentative(q.earlier) })
	}
	var first, made sync.Map  // transaction ID by body, time by transaction ID
	var lastMade atomic.Value // transaction ID
	var firstRecord atomic.Value
	return changes{
		"create.repeat.second_record": during(opCreate, forgetRepeat),
		"create.repeat.forgotten": during(opCreate, func(q *request, r *repeatDecision) {
			at, _ := made.LoadOrStore(q.transaction, q.gateway.now())
			*r = *r && repeatDecision(q.gateway.now().Sub(at.(time.Time)) < time.Second)
		}),
		"create.repeat.last_only": during(opCreate, func(q *request, r *repeatDecision) {
			before := lastMade.Swap(q.transaction)
			*r = *r && before == q.transaction
		}),
		"create.repeat.answered_500": changeRepeatAnswer(respondWithCrash),
		"create.repeat.answered_202_empty": changeRepeatAnswer(
			func(a *response) { a.status, a.body = http.StatusAccepted, []byte(nil) }),
		"create.repeat.record_changes": rewriteRepeatRecord(func(_ *request, record jsonObject) {
			record["document"].(jsonObject)["id"] = uuid.NewString()
		}),
		"create.repeat.first_record": during(opCreate, func(q *request, a *response) {
			if a.kind == "created" {
				firstRecord.CompareAndSwap(nil, a.body)
			} else if q.earlier != nil {
				a.status, a.body = http.StatusOK, firstRecord.Load()
			}
		}),
		"create.repeat.other_body_second_record": distinguishCreationsBy(
			func(q *request) string { return string(q.raw) }),
		"create.repeat.other_body_500":        changeRepeatAnswer(when(namesAnother, respondWithCrash)),
		"create.repeat.other_body_overwrites": rewriteRepeatRecord(overwritten),
		"create.repeat.remembered_with_nonce": distinguishCreationsBy(
			func(q *request) string { return q.nonce }),
		"create.repeat.not_atomic":        during(opCreate, openRaceWindow),
		"create.repeat.everything_is_one": func(key *creationIdentity) { key.transaction = "" },
		"create.repeat.answers_strangers": combine(
			during(opCreate,
				authenticateWhen(func(q *request) bool { return q.hasNoCredential() && q.repeatsMainUser() })),
			answerWithRecord()),
		"create.repeat.answers_other_users": combine(
			during(opCreate, func(q *request, s *sender) {
				if s.user != nil && q.repeatsMainUser() {
					s.user = q.gateway.data.main
				}
			}), answerWithRecord()),
		"create.repeat.users_share_ids": combine(func(key *creationIdentity) { key.user = "" },
			answerWithRecord()),
		"create.repeat.bodies_are_one": combine(
			func(q *request, key *creationIdentity) {
				known, _ := first.LoadOrStore(string(q.raw), key.transaction)
				key.transaction, _ = known.(string)
			}, answerWithRecord()),
	}
}

// repeatsMainUser reports whether the main user made a creation under the request's transaction ID.
func (q *request) repeatsMainUser() bool {
	var id string
	used := q.gateway.data.main.id + " " + q.r.Header.Get(q.names.TransactionID)
	return q.gateway.store.get("creation", used, &id)
}

func documentFaults() changes {
	accepted := func(a *response) {
		a.status, a.body = http.StatusCreated, jsonObject{"documents": documentParts}
	}
	exists := func(q *request) (known bool) {
		q.gateway.store.atomically(func() {
			known = q.gateway.store.findRepresentative(strings.ToLower(q.r.PathValue("id"))) != nil
		})
		return known
	}
	// identity crashes on a kind of identity document. A form field or the file's name states the
	// kind.
	identity := func(names ...string) effect {
		return changeAnswer("uploaded", func(q *request, a *response) {
			said := slices.Concat(slices.Collect(maps.Values(q.r.MultipartForm.Value))...)
			for _, upload := range q.r.MultipartForm.File["identity_document"] {
				said = append(said, strings.TrimSuffix(upload.Filename, path.Ext(upload.Filename)))
			}
			if slices.ContainsFunc(said,
				func(kind string) bool { return slices.Contains(names, strings.ToLower(kind)) }) {
				respondWithCrash(q, a)
			}
		})
	}
	return changes{
		"create.documents.answered_500": changeAnswer("uploaded", respondWithCrash),
		"create.documents.id_500":       identity("id", "rg"),
		"create.documents.cnh_500":      identity("cnh"),
		"create.documents.passport_500": identity("passport", "passaporte"),
		"create.documents.anonymous_accepted": during(opUpload,
			authenticateWhen((*request).hasNoCredential)),
		"create.documents.revoked_key_accepted": during(opUpload,
			authenticateWhen((*request).usesRevokedKey)),
		"create.documents.foreign_accepted": during(opUpload,
			changeAnswer("not_found", when(exists, accepted))),
		"create.documents.unknown_accepted": during(opUpload, changeAnswer("not_found", accepted)),
		"create.documents.unknown_500": during(opUpload,
			changeAnswer("not_found", respondWithCrash)),
	}
}
