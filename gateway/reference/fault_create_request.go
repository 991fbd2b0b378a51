package reference

import (
	"encoding/json"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
)

func createHeaderFaults() []declaration {
	const product, behalf = "create.header.product", "create.header.on_behalf_of"
	all := slices.Concat(
		mishandled("create.header.language_pt", "create.header.language", "pt-BR", "_rejected",
			"header.language=pt-BR"),
		mishandled("create.header.language_en", "create.header.language", "en-US", "_rejected",
			"header.language=en-US"),
		mishandled(product, product+".accepted", "a product of the user", "_rejected", "header.product"),
		mishandled(product+"_garbage", product+".malformed", "a product ID that is not a UUID", "_accepted _200",
			"header.product.format"),
		mishandled(behalf, behalf+".accepted", "a user to act for", "_rejected", "header.on_behalf_of"),
		mishandled(behalf+"_alone", behalf+".without_product", "a user to act for without a product",
			"_accepted _500", "header.on_behalf_of.product"),
		mishandled(behalf+"_garbage", behalf+".malformed", "a user to act for that is not a UUID", "_accepted",
			"header.on_behalf_of.format"),
	)
	for _, id := range []string{"transaction_id", "nonce"} {
		header, key := "create.header."+id, "header."+id
		all = slices.Concat(all, identifierFaults(header, ".", key, id),
			mishandled(header+".absent", "", "a creation without "+id, "_accepted _500", key+".absent"),
			mishandled(header+".garbage", header+".malformed", "text that is not a UUID as "+id, "_200", key+".format"),
			mishandled(header+".version", "", "a UUID of any version as "+id, "_accepted", key+".version"))
	}
	return append(all,
		fault("create.header.language_required", "create.header.language", "requires a preferred language",
			refusing([]string{"create:header.language="})),
		fault("create.permission.ignored", "create.permission", "lets users create who may not",
			effect{authenticate: func(_ *call, sender *user) *user { return permitted(sender) }}),
		fault("create.permission.answered_401", "create.permission", "answers a lack of permission with 401",
			answered(creating, "forbidden", status(http.StatusUnauthorized))),
		fault("create.permission.answered_400", "create.permission", "answers a lack of permission with 400",
			answered(creating, "forbidden", status(http.StatusBadRequest))),
	)
}

// identifierFaults are about a header that must hold a UUID v4. A separator stands between the header and what is wrong
// with it in the names.
func identifierFaults(header, separator, key, id string) []declaration {
	name := header + separator
	malformed, version := header+".malformed", header+".version"
	return slices.Concat(
		mishandled(name+"garbage", malformed, "text that is not a UUID as "+id, "_accepted", key+".format"),
		mishandled(name+"length", malformed, "any 36 characters as "+id, "_accepted", key+".length"),
		mishandled(name+"inside", malformed, "a UUID inside of other text as "+id, "_accepted", key+".inside"),
		mishandled(name+"nil", version, "the nil UUID as "+id, "_accepted", key+".nil"),
	)
}

// permitted is a user who may create, if there is one.
func permitted(sender *user) *user {
	if sender == nil {
		return nil
	}
	may := *sender
	may.mayCreate = true
	return &may
}

func (q *call) byAPIKey() bool     { _, sent := q.apiKey(); return sent }
func (q *call) namesProduct() bool { return q.r.Header.Get("x-product-uuid") != "" }
func (q *call) onBehalf() bool     { return q.runsAs != q.caller }

// namesKnownProduct reports whether a request names a product of the main user or of another one.
func (q *call) namesKnownProduct() bool {
	id := strings.ToLower(q.r.Header.Get("x-product-uuid"))
	return slices.Contains(slices.Concat(q.g.data.main.person.products, q.g.data.other.person.products), id)
}

// inLanguage reports whether a creation prefers a language.
func (q *call) inLanguage() bool { return q.r.Header.Get(q.g.choices.CreateHeaders.Language) != "" }

// contextFaults depend on who creates, through what and in which words.
func contextFaults() []declaration {
	const foreign, required = "create:shareholder_id.foreign", "create.required.mother_name"
	var absent, broken []string
	for _, field := range []string{"shareholder_id", "mother_name", "phone_number", "email", "address"} {
		absent = append(absent, "create:required."+field+".absent")
		broken = append(broken, "create.required."+field)
	}
	return []declaration{
		skips("create.shareholder.foreign_by_api_key_accepted", "create.shareholder.foreign_by_api_key",
			"accepts a shareholder of another legal person from whoever sends an API key", (*call).byAPIKey, foreign),
		skips("create.shareholder.foreign_by_product_accepted", "create.shareholder.foreign_by_product",
			"accepts a shareholder of another legal person when a product is named", (*call).namesProduct, foreign),
		skips("create.shareholder.foreign_on_behalf_accepted", "create.shareholder.foreign_on_behalf",
			"accepts a shareholder of another legal person on behalf of a user", (*call).onBehalf, foreign),
		sweeping(skips("create.required.unchecked_by_product", required, "requires no field when a product is named",
			(*call).namesProduct, absent...), broken),
		sweeping(skips("create.required.unchecked_in_a_language", required,
			"requires no field when a language is preferred", (*call).inLanguage, absent...), broken),
		sweeping(skips("create.required.unchecked_on_behalf", required, "requires no field on behalf of a user",
			(*call).onBehalf, absent...), broken),
		skips("create.header.product_foreign_accepted", "create.header.product.foreign",
			"accepts a product of another user", (*call).namesKnownProduct, "create:header.product.unknown"),
		skips("create.header.product_unknown_accepted", "create.header.product.unknown",
			"accepts a product that does not exist", func(q *call) bool { return !q.namesKnownProduct() },
			"create:header.product.unknown"),
		fault("create.header.product_other_status", "create.header.default_product",
			"answers a creation with another status when it names the product", effect{reply: func(q *call, a *reply) {
				if q.operation == creating && q.namesProduct() && a.status == http.StatusCreated {
					a.status = http.StatusOK
				}
			}}),
		fault("create.header.default_language_english", "create.header.language.default",
			"answers in English without a preferred language", effect{reply: func(q *call, a *reply) {
				if said, ok := a.body.(object); ok && q.operation == creating && said["error"] != nil &&
					!q.inLanguage() {
					said["error"].(object)["message"] = titles[a.kind][1]
				}
			}}),
	}
}

func createBodyFaults() []declaration {
	const media = "create.body.content_type"
	// taken takes what is not JSON.
	taken := func(key string) effect {
		return effect{defects: func(q *call, found []issue) []issue {
			for _, i := range found {
				if i.Key == "body.media"+key && q.body == nil {
					return nil // what reads nothing notices nothing else
				}
			}
			return found
		}}
	}
	return append(slices.Concat(
		mishandled("create.body.not_json", "", "a body that is not JSON", "_accepted _500", "body.syntax"),
		mishandled("create.body.truncated", "", "a truncated body", "_accepted _500", "body.truncated"),
		mishandled("create.body.array", "", "an array", "_accepted _500", "body.shape"),
		mishandled("create.body.none", "", "a missing body", "_accepted _500", "body.absent"),
	), fault("create.body.form_accepted", media, "accepts a form", taken(".form")),
		fault("create.body.xml_accepted", media, "accepts XML", taken(".xml")),
	)
}

func repeatFaults() []declaration {
	again := func(change func(q *call, a *reply)) effect {
		return answered(creating, "", func(q *call, a *reply) {
			if q.earlier != nil {
				change(q, a)
			}
		})
	}
	key := func(change func(q *call, key *creation)) effect { return effect{sameAs: change} }
	creates := func(q *call) bool { return q.operation == creating }
	var turns sync.Map // transaction ID and nonce -> *sync.Mutex
	return []declaration{
		fault("create.repeat.second_record", "create.repeat.identical",
			"makes a second record when a creation is repeated",
			effect{repeats: func(q *call, repeat bool) bool { return repeat && !creates(q) }}),
		fault("create.repeat.answered_500", "create.repeat.identical",
			"answers a repeated creation with a server error", again(crash)),
		fault("create.repeat.answered_202_empty", "create.repeat.identical",
			"answers a repeated creation with a success that carries no record",
			again(func(_ *call, a *reply) { a.status, a.body = http.StatusAccepted, []byte(nil) })),
		fault("create.repeat.answered_302", "create.repeat.identical", "redirects a repeated creation",
			again(redirect)),
		fault("create.repeat.record_changes", "create.repeat.unchanged",
			"gives a repeat the record that exists with another document ID", again(func(q *call, a *reply) {
				a.status, a.body = http.StatusOK, rewritten(q.earlier.Answer, func(record object) {
					record["document"].(object)["id"] = uuid.NewString()
				})
			})),
		fault("create.repeat.renewed", "create.repeat.unchanged",
			"renews the date of creation of a record when its creation is repeated", again(func(q *call, a *reply) {
				a.status, a.body = http.StatusOK, rewritten(q.earlier.Answer, func(record object) {
					record["created_at"] = q.g.now().UTC().Format(dateTimeMillis)
				})
			})),
		fault("create.repeat.other_body_second_record", "create.repeat.other_body",
			"makes a second record when the body of a repeat differs",
			key(func(q *call, key *creation) { key.transaction += " " + q.sighting.body })),
		fault("create.repeat.other_body_overwrites", "create.repeat.other_body",
			"puts what a repeat says in place of what the record held", again(func(q *call, a *reply) {
				a.status, a.body = http.StatusOK, rewritten(q.earlier.Answer, func(record object) {
					said := q.record()
					for _, own := range []string{"id", "document", "address", "created_at"} {
						delete(said, own)
					}
					maps.Copy(record, said)
				})
				q.earlier.Answer = a.body.([]byte)
				_ = q.g.store.step(q.earlier.keep)
			})),
		fault("create.repeat.remembered_with_nonce", "create.repeat.new_nonce",
			"makes a second record when the nonce of a repeat differs",
			key(func(q *call, key *creation) { key.transaction += q.nonce })),
		fault("create.repeat.not_atomic", "create.repeat.race",
			"lets several of many equal creations at once make a record", effect{hesitates: creates}),
		fault("create.repeat.not_atomic_but_by_nonce", "create.repeat.race",
			"lets several of many creations at once make a record when their nonces differ", effect{
				hesitates: creates,
				around: func(q *call, next func()) {
					names := q.g.choices.CreateHeaders
					turn, _ := turns.LoadOrStore(q.r.Header.Get(names.TransactionID)+" "+q.r.Header.Get(names.Nonce),
						&sync.Mutex{})
					turn.(*sync.Mutex).Lock()
					defer turn.(*sync.Mutex).Unlock()
					next()
				},
			}),
		fault("create.repeat.everything_is_one", "create.repeat.other_transaction",
			"takes every creation of a user for a repeat of the first",
			key(func(_ *call, key *creation) { key.transaction = "" })),
	}
}

// rewritten is a record with a change.
func rewritten(record []byte, change func(record object)) []byte {
	fields, _ := parseObject(record)
	change(fields)
	changed, err := json.Marshal(fields)
	if err != nil {
		return record
	}
	return changed
}

// identity declares a fault that cannot deal with a kind of identity document, which a form field or the name of its
// file says.
func identity(name, rule, statement string, kinds ...string) declaration {
	return fault(name, rule, statement, effect{defects: func(q *call, found []issue) []issue {
		if q.r.MultipartForm == nil {
			return found
		}
		said := slices.Concat(slices.Collect(maps.Values(q.r.MultipartForm.Value))...)
		for _, upload := range q.r.MultipartForm.File["identity_document"] {
			said = append(said, strings.TrimSuffix(upload.Filename, path.Ext(upload.Filename)))
		}
		if slices.ContainsFunc(said, func(kind string) bool { return slices.Contains(kinds, strings.ToLower(kind)) }) {
			found = append(found, issue{Key: "part.kind", status: http.StatusInternalServerError})
		}
		return found
	}})
}

func documentFaults() []declaration {
	return []declaration{
		fault("create.documents.answered_500", "create.documents.accepted", "answers every upload with a server error",
			answered(documenting, "uploaded", crash)),
		identity("create.documents.id_500", "create.documents.identity.id",
			"answers identity cards with a server error", "id", "rg"),
		identity("create.documents.cnh_500", "create.documents.identity.cnh",
			"answers driving licences with a server error", "cnh"),
		identity("create.documents.passport_500", "create.documents.identity.passport",
			"answers passports with a server error", "passport", "passaporte"),
		fault("create.documents.anonymous_accepted", "create.documents.authenticated",
			"accepts uploads without a credential", anonymous(documenting)),
		fault("create.documents.unknown_accepted", "create.documents.unknown_id",
			"accepts documents of a representative that does not exist", answered(documenting, "not_found",
				func(_ *call, a *reply) { a.status, a.body = http.StatusCreated, object{"documents": documentParts} })),
		fault("create.documents.unknown_500", "create.documents.unknown_id",
			"answers an unknown representative with a server error", answered(documenting, "not_found", crash)),
	}
}
