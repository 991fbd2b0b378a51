package reference

import (
	"net/http"
	"slices"
	"strings"
)

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
	return slices.Concat(
		mishandled("creations"),
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
