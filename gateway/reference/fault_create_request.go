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
	of := string(operation) + ".header.FIELD"
	name := of + separator
	return []mishandling{
		kind(of+".version.undashed", "header.FIELD.version", "a UUID without dashes as FIELD", "header.FIELD.format", like("^.{32}$")),
		kind(of+".malformed.empty", malformed, "an empty FIELD", "header.FIELD.absent", like("^$")),
		kind(name+"garbage_accepted", malformed, "text that is not a UUID as FIELD", "header.FIELD.format"),
		kind(name+"length_accepted", malformed, "any 36 characters as FIELD", "header.FIELD.length"),
		kind(name+"inside_accepted", malformed, "a UUID inside of other text as FIELD", "header.FIELD.inside"),
		kind(name+"nil_accepted", "header.FIELD.version", "the nil UUID as FIELD", "header.FIELD.nil"),
	}
}

// headerKinds are about the headers that both operations know, of which each has names of its own for the one of a user.
func headerKinds(operation operation, user, rule, what string) []mishandling {
	name, rule := string(operation)+".header.", "header."+rule
	return []mishandling{
		kind(name+"language_pt_rejected", "header.language", "pt-BR", "header.language", is("pt-BR")),
		kind(name+"language_en_rejected", "header.language", "en-US", "header.language", is("en-US")),
		kind(name+"product_rejected", "header.product.accepted", "a product of the user", "header.product"),
		kind(name+"product_garbage_accepted _200", "header.product.malformed", "a product ID that is not a UUID", "header.product.format"),
		kind(name+user+"_rejected", rule+".accepted", what, "header.on_behalf_of"),
		kind(name+user+"_alone_accepted _500", rule+".without_product", what+" without a product", "header.on_behalf_of.product"),
		kind(name+user+"_garbage_accepted", rule+".malformed", what+" that is not a UUID", "header.on_behalf_of.format"),
		kind(name+user+"_empty_product_accepted", rule+".malformed", what+" beside an empty product", "header.on_behalf_of.product.empty"),
		kind(name+user+"_unknown_accepted", rule+".unknown", what+" who does not belong to the product", "header.on_behalf_of.unknown"),
	}
}

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
	return slices.Concat(mishandled(headerKinds(creating, "on_behalf_of", "on_behalf_of", "an on-behalf-of user")...), mishandled(
		kind("create.body.not_json_accepted _500", "", "a body that is not JSON", "body.syntax"),
		kind("create.body.nan_accepted", "body.not_json", "NaN as a number", "body.syntax", like(`:NaN\b`)),
		kind("create.body.trailing_accepted _500", "", "a JSON object with more behind it", "body.trailing"),
		kind("create.body.encoding_accepted", "", "a body that is not UTF-8", "body.encoding"),
		kind("create.body.truncated_accepted _500", "", "a truncated body", ""),
		kind("create.body.array_accepted _500", "", "an array", "body.shape"),
		kind("create.body.none_accepted _500", "", "a missing body", "body.absent"),
		kind("create.body.null_500", "body.none", "null as a body", "body.shape", like(`^\s*null\s*$`)),
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
	)
}

// unreadUser takes requests on behalf of a user of the product for the caller's own.
func unreadUser(operation operation) effect {
	return on(operation, func(q *call, _ *sender) {
		if q.namesProduct() && q.g.data.users[strings.ToLower(q.namedUser())] != nil {
			q.r.Header.Del(q.names.OnBehalfOf)
		}
	})
}

// callerFaults depend on who creates, through what and in which words.
func callerFaults() faults {
	inLanguage := func(q *call) bool { return q.preferred() != "" }
	known := func(q *call) bool {
		of := slices.Concat(q.g.data.main.person.products, q.g.data.other.person.products)
		return slices.Contains(of, strings.ToLower(q.r.Header.Get("x-product-uuid")))
	}
	unknown := ignoring(creating, "header.product.unknown")
	return slices.Concat(
		fault("create.header.on_behalf_of_ignored", "header.on_behalf_of.runs_as",
			"creates as the caller whatever user of the product is named", unreadUser(creating)),
		fault("create.header.product_foreign_accepted", "header.product.foreign", "accepts another user's product", when(known, unknown)),
		fault("create.header.product_unknown_accepted", "header.product.unknown", "accepts an unknown product", when(not(known), unknown)),
		fault("create.header.together.product_rejected", "header.together", "refuses a product for an API key",
			when((*call).byAPIKey, refusing(creating, nil, "header.product"))),
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
