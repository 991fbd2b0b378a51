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

	"github.com/google/uuid"
)

func createHeaderFaults() faults {
	return slices.Concat(mishandled(creating,
		kind("create.header.language_pt_rejected", "header.language", "pt-BR", "header.language=pt-BR"),
		kind("create.header.language_en_rejected", "header.language", "en-US", "header.language=en-US"),
		kind("create.header.product_rejected", "header.product.accepted", "a product of the user", "header.product"),
		kind("create.header.product_garbage_accepted _200", "header.product.malformed",
			"a product ID that is not a UUID", "header.product.format"),
		kind("create.header.on_behalf_of_rejected", "header.on_behalf_of.accepted",
			"an on-behalf-of user", "header.on_behalf_of"),
		kind("create.header.on_behalf_of_alone_accepted _500", "header.on_behalf_of.without_product",
			"an on-behalf-of user without a product", "header.on_behalf_of.product"),
		kind("create.header.on_behalf_of_garbage_accepted", "header.on_behalf_of.malformed",
			"an on-behalf-of user that is not a UUID", "header.on_behalf_of.format"),
	), identifierFaults(creating, []string{"transaction_id", "nonce"}, "."),
		mishandledEach(creating, []string{"transaction_id", "nonce"},
			kind("create.header.FIELD.absent_accepted _500", "", "a creation without FIELD", ""),
			kind("create.header.FIELD.garbage_200", "header.FIELD.malformed",
				"text that is not a UUID as FIELD", "header.FIELD.format"),
			kind("create.header.FIELD.version_accepted", "", "a UUID of any version as FIELD", "")),
		fault("create.header.language_required", "header.language", "requires a preferred language",
			refusing(creating, "header.language=")),
		fault("create.permission.ignored", "permission", "lets users without the permission create",
			on(func(_ *call, s *sender) {
				if s.user != nil && !s.user.mayCreate { // others stay who they are
					may := *s.user
					may.mayCreate, s.user = true, &may
				}
			})),
		fault("create.permission.answered_401", "permission", "answers a lack of permission with 401",
			answered(creating, "forbidden", status(http.StatusUnauthorized))),
		fault("create.permission.answered_400", "permission", "answers a lack of permission with 400",
			answered(creating, "forbidden", status(http.StatusBadRequest))),
	)
}

// identifierFaults are about headers that must hold a UUID v4. A separator stands between the header and what is wrong
// with it in the names.
func identifierFaults(operation operation, ids []string, separator string) faults {
	name := string(operation) + ".header.FIELD" + separator
	return mishandledEach(operation, ids,
		kind(name+"garbage_accepted", "header.FIELD.malformed", "text that is not a UUID as FIELD",
			"header.FIELD.format"),
		kind(name+"length_accepted", "header.FIELD.malformed", "any 36 characters as FIELD", "header.FIELD.length"),
		kind(name+"inside_accepted", "header.FIELD.malformed", "a UUID inside of other text as FIELD",
			"header.FIELD.inside"),
		kind(name+"nil_accepted", "header.FIELD.version", "the nil UUID as FIELD", "header.FIELD.nil"))
}

// callerFaults depend on who creates, through what and in which words.
func callerFaults() faults {
	foreign := func(name, how string, when func(q *call) bool) faults {
		return fault("create.shareholder.foreign_"+name+"_accepted", "shareholder.foreign_"+name,
			"accepts a shareholder of another legal person "+how,
			ignoring(creating, "shareholder_id.foreign").when(when))
	}
	var absent, broken []string
	for _, field := range requiredFields {
		absent = append(absent, "required."+field+".absent")
		broken = append(broken, "create.required."+field)
	}
	unchecked := func(name, how string, when func(q *call) bool) faults {
		return sweeping(broken, fault("create.required.unchecked_"+name, "required.mother_name",
			"requires no field "+how, ignoring(creating, absent...).when(when)))
	}
	onBehalf := func(q *call) bool { return q.runsAs != q.caller }
	inLanguage := func(q *call) bool { return q.preferred() != "" }
	known := func(q *call) bool {
		of := slices.Concat(q.g.data.main.person.products, q.g.data.other.person.products)
		return slices.Contains(of, strings.ToLower(q.r.Header.Get("x-product-uuid")))
	}
	english := answered(creating, "", func(_ *call, a *reply) {
		if refusal := a.refusal(); refusal != nil {
			refusal["message"] = titles[a.kind][1]
		}
	}).when(not(inLanguage))
	unknown := ignoring(creating, "header.product.unknown")
	return slices.Concat(
		foreign("by_api_key", "from callers with an API key", (*call).byAPIKey),
		foreign("by_product", "when a product is named", (*call).namesProduct),
		foreign("on_behalf", "on behalf of a user", onBehalf),
		unchecked("by_product", "when a product is named", (*call).namesProduct),
		unchecked("in_a_language", "when a language is preferred", inLanguage),
		unchecked("on_behalf", "on behalf of a user", onBehalf),
		fault("create.header.on_behalf_of_ignored", "header.on_behalf_of.runs_as",
			"creates as the caller whatever user of the product is named",
			on(func(q *call, _ *sender) {
				name := q.g.choices.CreateHeaders.OnBehalfOf
				if (*call).namesProduct(q) && q.g.data.users[strings.ToLower(q.r.Header.Get(name))] != nil {
					q.r.Header.Del(name)
				}
			}).of(creating)),
		fault("create.header.product_foreign_accepted", "header.product.foreign", "accepts a product of another user",
			unknown.when(known)),
		fault("create.header.product_unknown_accepted", "header.product.unknown",
			"accepts a product that does not exist", unknown.when(not(known))),
		fault("create.header.product_other_status", "header.default_product",
			"answers a creation with another status when it names the product",
			answered(creating, "created", status(http.StatusOK)).when((*call).namesProduct)),
		fault("create.header.default_language_english", "header.language.default",
			"answers in English without a preferred language", english),
	)
}

func createBodyFaults() faults {
	// taken takes what is not JSON.
	taken := func(key string) effect {
		return on(func(q *call, found *defects) {
			if q.body == nil && slices.ContainsFunc(*found, func(i issue) bool { return i.Key == key }) {
				*found = nil // what reads nothing notices nothing else
			}
		})
	}
	return slices.Concat(mishandled(creating,
		kind("create.body.not_json_accepted _500", "", "a body that is not JSON", "body.syntax"),
		kind("create.body.trailing_accepted _500", "", "a JSON object with more behind it", "body.trailing"),
		kind("create.body.encoding_accepted", "", "a body that is not UTF-8", "body.encoding"),
		kind("create.body.truncated_accepted _500", "", "a truncated body", ""),
		kind("create.body.array_accepted _500", "", "an array", "body.shape"),
		kind("create.body.none_accepted _500", "", "a missing body", "body.absent"),
		kind("create.body.null_500", "body.none", "null as a body", "body.shape",
			of(func(body string) bool { return strings.TrimSpace(body) == "null" })),
	),
		fault("create.success.null_500", "success.answered", "answers a creation with null in an optional field with a server error",
			answered(creating, "created", crash).when((*call).givesNull)),
		fault("create.body.form_accepted", "body.content_type", "accepts a form", taken("body.media.form")),
		fault("create.body.xml_accepted", "body.content_type", "accepts XML", taken("body.media.xml")),
	)
}

// telling makes an effect on what a creation is recognized by: it distinguishes creations by something more.
func telling(more func(q *call) string) effect {
	return on(func(q *call, key *creation) { key.transaction += " " + more(q) })
}

// forgetting makes an effect that takes repeats for fresh requests.
func forgetting() effect { return on(func(_ *call, r *repeat) { *r = false }) }

func hesitating() effect { return on(func(_ *call, h *hesitation) { *h = true }) }

// again makes an effect on the answers to repeated creations.
func again(change func(q *call, a *reply)) effect {
	return answered(creating, "", change).when(func(q *call) bool { return q.earlier != nil })
}

// rewritten answers a repeat with the record that exists, with a change.
func rewritten(change func(q *call, record object)) effect {
	return again(func(q *call, a *reply) {
		record, _, _ := parseObject(q.earlier.Answer)
		change(q, record)
		if changed, err := json.Marshal(record); err == nil {
			a.status, a.body = http.StatusOK, changed
		}
	})
}

// overwritten puts what a repeat says into the record.
func overwritten(q *call, record object) {
	said := q.record()
	without("id", "document", "address", "created_at")(said)
	maps.Copy(record, said)
	q.earlier.Answer, _ = json.Marshal(record)
	q.g.store.step(func() { q.g.keep(q.earlier) })
}

func repeatFaults() faults {
	const identical, unchanged, other = "repeat.identical", "repeat.unchanged", "repeat.other_body"
	return slices.Concat(
		fault("create.repeat.second_record", identical, "makes a second record when a creation is repeated",
			forgetting().of(creating)),
		fault("create.repeat.answered_500", identical, "answers a repeated creation with a server error", again(crash)),
		fault("create.repeat.answered_202_empty", identical,
			"answers a repeated creation with a success that carries no record",
			again(func(_ *call, a *reply) { a.status, a.body = http.StatusAccepted, []byte(nil) })),
		fault("create.repeat.answered_302", identical, "redirects a repeated creation", again(redirect)),
		fault("create.repeat.record_changes", unchanged,
			"answers a repeat with the existing record, but another document ID",
			rewritten(func(_ *call, record object) { record["document"].(object)["id"] = uuid.NewString() })),
		fault("create.repeat.renewed", unchanged, "changes a record's creation date when its creation is repeated",
			rewritten(func(q *call, record object) { record["created_at"] = q.g.now().UTC().Format(dateTimeMillis) })),
		fault("create.repeat.other_body_second_record", other,
			"makes a second record when the body of a repeat differs",
			telling(func(q *call) string { return string(q.raw) })),
		fault("create.repeat.other_body_overwrites", other, "overwrites the record with what a repeat says",
			rewritten(overwritten)),
		fault("create.repeat.remembered_with_nonce", "repeat.new_nonce",
			"makes a second record when the nonce of a repeat differs",
			telling(func(q *call) string { return q.nonce })),
		fault("create.repeat.not_atomic", "repeat.race", "makes several records from many identical creations at once",
			hesitating().of(creating)),
		fault("create.repeat.not_atomic_but_by_nonce", "repeat.race",
			"makes several records from many creations at once whose nonces differ",
			hesitating().and(inTurn()).of(creating)),
		fault("create.repeat.everything_is_one", "repeat.other_transaction",
			"treats every creation of a user as a repeat of the first",
			on(func(_ *call, key *creation) { key.transaction = "" })),
		fault("create.repeat.users_share_ids", "repeat.other_user",
			"gives the record of a transaction ID to whichever user it comes from",
			on(func(_ *call, key *creation) { key.user = "" }).and(rewritten(func(*call, object) {}))),
		fault("create.repeat.bodies_are_one", "repeat.same_body",
			"gives the record of a body that came before, whatever its transaction ID",
			byBody().and(rewritten(func(*call, object) {}))),
		fault("create.repeat.ids_run_out", "repeat.other_transaction",
			"answers every creation from the 20th on with the same id", outOfIDs()),
	)
}

// inTurn makes an effect that lets only one creation of a transaction ID and a nonce in.
func inTurn() effect {
	var turns sync.Map // transaction ID and nonce -> *sync.Mutex
	return on(func(q *call, run *work) {
		names, next := q.g.choices.CreateHeaders, *run
		*run = func() {
			turn, _ := turns.LoadOrStore(q.r.Header.Get(names.TransactionID)+" "+q.r.Header.Get(names.Nonce),
				&sync.Mutex{})
			turn.(*sync.Mutex).Lock()
			defer turn.(*sync.Mutex).Unlock()
			next()
		}
	})
}

// byBody makes an effect that gives a body the transaction ID that it first came with.
func byBody() effect {
	var first sync.Map
	return on(func(q *call, key *creation) {
		known, _ := first.LoadOrStore(string(q.raw), key.transaction)
		key.transaction, _ = known.(string)
	})
}

// outOfIDs makes an effect that has no more than 20 IDs.
func outOfIDs() effect {
	var made atomic.Int64
	var last atomic.Value
	return on(func(_ *call, record object) {
		if made.Add(1) < 20 {
			last.Store(record["id"])
		} else if id := last.Load(); id != nil {
			record["id"] = id
		}
	})
}

// identity declares a fault that cannot deal with a kind of identity document, which a form field or the name of its
// file says.
func identity(kind, statement string, names ...string) faults {
	return fault("create.documents."+kind+"_500", "documents.identity."+kind, statement, adds(func(q *call) {
		if q.r.MultipartForm == nil {
			return
		}
		said := slices.Concat(slices.Collect(maps.Values(q.r.MultipartForm.Value))...)
		for _, upload := range q.r.MultipartForm.File["identity_document"] {
			said = append(said, strings.TrimSuffix(upload.Filename, path.Ext(upload.Filename)))
		}
		if slices.ContainsFunc(said, func(kind string) bool { return slices.Contains(names, strings.ToLower(kind)) }) {
			q.wrong(http.StatusInternalServerError, "part.kind", "", nil, "")
		}
	}))
}
