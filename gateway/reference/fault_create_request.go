package reference

import (
	"net/http"
	"slices"
	"strings"
)

// identifierKinds are about headers that must hold a UUID v4. A separator stands between the header and what is wrong
// with it in the names.
func identifierKinds(operation operation, separator string) []mishandling {
	const malformed = "header.FIELD.malformed"
	name := string(operation) + ".header.FIELD" + separator
	return []mishandling{
		kind(name+"garbage_accepted", malformed, "text that is not a UUID as FIELD", "header.FIELD.format"),
		kind(name+"length_accepted", malformed, "any 36 characters as FIELD", "header.FIELD.length"),
		kind(name+"inside_accepted", malformed, "a UUID inside of other text as FIELD", "header.FIELD.inside"),
		kind(name+"nil_accepted", "header.FIELD.version", "the nil UUID as FIELD", "header.FIELD.nil"),
	}
}

// isNull holds for bodies.
func isNull(body any) bool { return anyOf("null")(body) }

// createRequestFaults are about the headers and the body of a creation.
func createRequestFaults() faults {
	// taken takes what is not JSON.
	taken := func(key string) any {
		return func(q *call, found *defects) {
			if q.body == nil && slices.ContainsFunc(*found, func(i issue) bool { return i.Key == key }) {
				*found = nil // what reads nothing notices nothing else
			}
		}
	}
	permitted := func(s *sender) {
		if s.user != nil && !s.user.mayCreate { // others stay who they are
			may := *s.user
			may.mayCreate, s.user = true, &may
		}
	}
	return slices.Concat(mishandled(
		kind("create.header.language_pt_rejected", "header.language", "pt-BR", "header.language", is("pt-BR")),
		kind("create.header.language_en_rejected", "header.language", "en-US", "header.language", is("en-US")),
		kind("create.header.product_rejected", "header.product.accepted", "a product of the user", "header.product"),
		kind("create.header.product_garbage_accepted _200", "header.product.malformed",
			"a product ID that is not a UUID", "header.product.format"),
		kind("create.header.on_behalf_of_rejected", "header.on_behalf_of.accepted", "an on-behalf-of user", "header.on_behalf_of"),
		kind("create.header.on_behalf_of_alone_accepted _500", "header.on_behalf_of.without_product",
			"an on-behalf-of user without a product", "header.on_behalf_of.product"),
		kind("create.header.on_behalf_of_garbage_accepted", "header.on_behalf_of.malformed",
			"an on-behalf-of user that is not a UUID", "header.on_behalf_of.format"),
		kind("create.body.not_json_accepted _500", "", "a body that is not JSON", "body.syntax"),
		kind("create.body.trailing_accepted _500", "", "a JSON object with more behind it", "body.trailing"),
		kind("create.body.encoding_accepted", "", "a body that is not UTF-8", "body.encoding"),
		kind("create.body.truncated_accepted _500", "", "a truncated body", ""),
		kind("create.body.array_accepted _500", "", "an array", "body.shape"),
		kind("create.body.none_accepted _500", "", "a missing body", "body.absent"),
		kind("create.body.null_500", "body.none", "null as a body", "body.shape", isNull),
	), mishandledEach([]string{"transaction_id", "nonce"}, append(identifierKinds(creating, "."),
		kind("create.header.FIELD.absent_accepted _500", "", "a creation without FIELD", ""),
		kind("create.header.FIELD.garbage_200", "header.FIELD.malformed", "text that is not a UUID as FIELD", "header.FIELD.format"),
		kind("create.header.FIELD.version_accepted", "", "a UUID of any version as FIELD", ""))...),
		fault("create.header.language_required", "header.language", "requires a preferred language",
			dislikes(creating, func(q *call) bool { return q.preferred() == "" })),
		fault("create.body.form_accepted", "body.content_type", "accepts a form", taken("body.media.form")),
		fault("create.body.xml_accepted", "body.content_type", "accepts XML", taken("body.media.xml")),
		fault("create.permission.ignored", "permission", "lets users without the permission create", permitted),
		fault("create.permission.answered_401", "permission", "answers a lack of permission with 401",
			answered("forbidden", status(http.StatusUnauthorized))),
		fault("create.permission.answered_400", "permission", "answers a lack of permission with 400",
			answered("forbidden", status(http.StatusBadRequest))),
	)
}

// callerFaults depend on who creates, through what and in which words.
func callerFaults() faults {
	var absent, broken []string
	for _, field := range requiredFields {
		absent = append(absent, "required."+field+".absent")
		broken = append(broken, "create.required."+field)
	}
	unchecked := func(name, how string, holds func(q *call) bool) faults {
		return sweeping(broken, fault("create.required.unchecked_"+name, "required.mother_name", "requires no field "+how,
			when(holds, ignoring(creating, absent...))))
	}
	onBehalf := func(q *call) bool { return q.runsAs != q.caller }
	inLanguage := func(q *call) bool { return q.preferred() != "" }
	known := func(q *call) bool {
		of := slices.Concat(q.g.data.main.person.products, q.g.data.other.person.products)
		return slices.Contains(of, strings.ToLower(q.r.Header.Get("x-product-uuid")))
	}
	unknown := ignoring(creating, "header.product.unknown")
	return slices.Concat(
		unchecked("by_product", "when a product is named", (*call).namesProduct),
		unchecked("in_a_language", "when a language is preferred", inLanguage),
		unchecked("on_behalf", "on behalf of a user", onBehalf),
		fault("create.header.on_behalf_of_ignored", "header.on_behalf_of.runs_as",
			"creates as the caller whatever user of the product is named", on(creating, func(q *call, _ *sender) {
				if q.namesProduct() && q.g.data.users[strings.ToLower(q.namedUser())] != nil {
					q.r.Header.Del(q.g.choices.CreateHeaders.OnBehalfOf)
				}
			})),
		fault("create.header.product_foreign_accepted", "header.product.foreign", "accepts a product of another user",
			when(known, unknown)),
		fault("create.header.product_unknown_accepted", "header.product.unknown",
			"accepts a product that does not exist", when(not(known), unknown)),
		fault("create.header.product_other_status", "header.default_product",
			"answers a creation with another status when it names the product",
			when((*call).namesProduct, answered("created", status(http.StatusOK)))),
		fault("create.header.default_language_english", "header.language.default",
			"answers in English without a preferred language", on(creating, when(not(inLanguage), func(a *reply) {
				if refusal := a.refusal(); refusal != nil {
					refusal["message"] = titles[a.kind][1]
				}
			}))),
	)
}
