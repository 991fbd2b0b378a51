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
func distinguishCreationsBy(more func(q *requestState) string) effect {
	return combineEffects(
		func(q *requestState, key *creationIdentity) { key.transaction += " " + more(q) })
}

// forgetRepeat treats a repeat as a new request.
func forgetRepeat(r *repeatDecision) { *r = false }

func openRaceWindow(h *raceWindow) { *h = true }

// changeRepeatAnswer returns an effect on the answers to repeated creations.
func changeRepeatAnswer(change any) effect {
	return effectDuring(operationCreate,
		effectWhen(func(q *requestState) bool { return q.earlier != nil }, change))
}

// rewriteRepeatRecord answers a repeat with 200 and the existing record, after a change.
func rewriteRepeatRecord(change func(q *requestState, record jsonObject)) effect {
	return changeRepeatAnswer(func(q *requestState, a *pendingResponse) {
		record, _, _ := parseJSONObject(q.earlier.Answer)
		change(q, record)
		a.status = http.StatusOK
		a.body, _ = json.Marshal(record) // it was read from JSON
	})
}

func keepRecordUnchanged(*requestState, jsonObject) {}

// namesAnother reports whether a repeat names another person than the record does.
func namesAnother(q *requestState) bool {
	record, _, _ := parseJSONObject(q.earlier.Answer)
	return record["name"] != q.values["name"]
}

func repeatFaults() faultDeclarations {
	overwritten := func(q *requestState, record jsonObject) { // with the values of the repeat
		said := q.newRecord()
		removeKeys("id", "document", "address", "created_at")(said)
		maps.Copy(record, said)
		q.earlier.Answer, _ = json.Marshal(record)
		q.gateway.store.atomically(func() { q.gateway.store.storeRepresentative(q.earlier) })
	}
	var first, made sync.Map  // transaction ID by body, time by transaction ID
	var lastMade atomic.Value // transaction ID
	return slices.Concat(
		declareFault("create.repeat.second_record", effectDuring(operationCreate, forgetRepeat)),
		declareFault("create.repeat.forgotten",
			effectDuring(operationCreate, func(q *requestState, r *repeatDecision) {
				at, _ := made.LoadOrStore(q.transaction, q.gateway.now())
				*r = *r && repeatDecision(q.gateway.now().Sub(at.(time.Time)) < time.Second)
			})),
		markSweeping(declareFault("create.repeat.last_only",
			effectDuring(operationCreate, func(q *requestState, r *repeatDecision) {
				before := lastMade.Swap(q.transaction)
				*r = *r && before == q.transaction
			}))),
		declareFault("create.repeat.answered_500", changeRepeatAnswer(respondWithCrash)),
		declareFault("create.repeat.answered_202_empty",
			changeRepeatAnswer(
				func(a *pendingResponse) { a.status, a.body = http.StatusAccepted, []byte(nil) }),
		),
		declareFault("create.repeat.record_changes",
			rewriteRepeatRecord(func(_ *requestState, record jsonObject) {
				record["document"].(jsonObject)["id"] = uuid.NewString()
			}),
		),
		declareFault("create.repeat.other_body_second_record",
			distinguishCreationsBy(func(q *requestState) string { return string(q.raw) })),
		declareFault("create.repeat.other_body_500",
			changeRepeatAnswer(effectWhen(namesAnother, respondWithCrash))),
		declareFault("create.repeat.other_body_overwrites", rewriteRepeatRecord(overwritten)),
		declareFault("create.repeat.remembered_with_nonce",
			distinguishCreationsBy(func(q *requestState) string { return q.nonce })),
		declareFault("create.repeat.not_atomic", effectDuring(operationCreate, openRaceWindow)),
		declareFault("create.repeat.everything_is_one",
			func(key *creationIdentity) { key.transaction = "" }),
		declareFault("create.repeat.answers_strangers",
			effectDuring(operationCreate, authenticateAsMainUserWhen(func(q *requestState) bool {
				return q.hasNoCredential() && q.repeatsMainUser()
			})), rewriteRepeatRecord(keepRecordUnchanged)),
		declareFault("create.repeat.answers_other_users",
			effectDuring(operationCreate, func(q *requestState, s *requestSender) {
				if s.user != nil && q.repeatsMainUser() {
					s.user = q.gateway.data.main
				}
			}), rewriteRepeatRecord(keepRecordUnchanged)),
		declareFault("create.repeat.users_share_ids",
			func(key *creationIdentity) { key.user = "" }, rewriteRepeatRecord(keepRecordUnchanged)),
		declareFault("create.repeat.bodies_are_one", func(q *requestState, key *creationIdentity) {
			known, _ := first.LoadOrStore(string(q.raw), key.transaction)
			key.transaction, _ = known.(string)
		}, rewriteRepeatRecord(keepRecordUnchanged)),
	)
}

// repeatsMainUser reports whether the main user made a creation under the request's transaction ID.
func (q *requestState) repeatsMainUser() bool {
	var id string
	used := q.gateway.data.main.id + " " + q.r.Header.Get(q.names.TransactionID)
	return q.gateway.store.get("creation", used, &id)
}

func documentFaults() faultDeclarations {
	accepted := func(a *pendingResponse) {
		a.status, a.body = http.StatusCreated, jsonObject{"documents": documentParts}
	}
	exists := func(q *requestState) (known bool) {
		q.gateway.store.atomically(func() {
			known = q.gateway.store.findRepresentative(strings.ToLower(q.r.PathValue("id"))) != nil
		})
		return known
	}
	// identity crashes on a kind of identity document. A form field or the file's name states the
	// kind.
	identity := func(kind string, names ...string) faultDeclarations {
		return declareFault("create.documents."+kind+"_500",
			changeAnswer("uploaded", func(q *requestState, a *pendingResponse) {
				said := slices.Concat(slices.Collect(maps.Values(q.r.MultipartForm.Value))...)
				for _, upload := range q.r.MultipartForm.File["identity_document"] {
					said = append(said, strings.TrimSuffix(upload.Filename, path.Ext(upload.Filename)))
				}
				if slices.ContainsFunc(said,
					func(kind string) bool { return slices.Contains(names, strings.ToLower(kind)) }) {
					respondWithCrash(q, a)
				}
			}))
	}
	return slices.Concat(
		declareFault("create.documents.answered_500", changeAnswer("uploaded", respondWithCrash)),
		identity("id", "id", "rg"),
		identity("cnh", "cnh"),
		identity("passport", "passport", "passaporte"),
		declareFault("create.documents.anonymous_accepted",
			effectDuring(operationDocuments, authenticateAsMainUserWhen((*requestState).hasNoCredential))),
		declareFault("create.documents.revoked_key_accepted",
			effectDuring(operationDocuments, authenticateAsMainUserWhen((*requestState).usesRevokedKey))),
		declareFault("create.documents.foreign_accepted",
			effectDuring(operationDocuments, changeAnswer("not_found", effectWhen(exists, accepted)))),
		declareFault("create.documents.unknown_accepted",
			effectDuring(operationDocuments, changeAnswer("not_found", accepted))),
		declareFault("create.documents.unknown_500",
			effectDuring(operationDocuments, changeAnswer("not_found", respondWithCrash))),
	)
}
