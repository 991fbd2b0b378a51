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
		fault("create.header.language_required",
			dislikes(creating, func(q *call) bool { return q.preferred() == "" })),
		fault("create.body.form_accepted", taken("body.media.form")),
		fault("create.body.xml_accepted", taken("body.media.xml")),
		fault("create.permission.ignored", permitted),
		fault("create.permission.answered_401",
			answered("forbidden", status(http.StatusUnauthorized))),
	)
}

// unreadUser takes requests on behalf of a user of the product for the caller's own.
func unreadUser(operation operation) effect {
	return during(operation, func(q *call, _ *sender) {
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
		fault("create.header.on_behalf_of_ignored", unreadUser(creating)),
		fault("create.header.product_foreign_accepted", when(known, unknown)),
		fault("create.header.product_unknown_accepted", when(not(known), unknown)),
		fault("create.header.together.product_rejected",
			when((*call).byAPIKey, refusing(creating, nil, "header.product"))),
		fault("create.header.product_other_status",
			when((*call).namesProduct, answered("created", status(http.StatusOK)))),
		fault("create.header.default_language_english",
			during(creating, when(not(inLanguage), func(a *reply) {
				if refusal := a.refusal(); refusal != nil {
					refusal["message"] = titles[a.kind][1]
				}
			}))),
	)
}
