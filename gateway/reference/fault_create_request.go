package reference

import (
	"net/http"
	"slices"
	"strings"
)

// createRequestFaults declares faults in handling the headers and the body of a creation.
func createRequestFaults() faultDeclarations {
	// taken accepts a body that is not JSON.
	taken := func(key string) any {
		return func(q *requestState, found *requestDefects) {
			if q.body == nil && slices.ContainsFunc(*found,
				func(i requestDefect) bool { return i.Key == key }) {
				*found = nil // a body that is not read has no other defects
			}
		}
	}
	permitted := func(s *requestSender) {
		if s.user != nil && !s.user.mayCreate { // users with the permission stay as they are
			may := *s.user
			may.mayCreate, s.user = true, &may
		}
	}
	return slices.Concat(
		mishandlingFaults("creations"),
		declareFault("create.header.language_required",
			rejectWhen(operationCreate, func(q *requestState) bool { return q.preferredLanguage() == "" })),
		declareFault("create.body.charset_rejected", rejectWhen(operationCreate, namesCharset)),
		declareFault("create.body.form_accepted", taken("body.media.form")),
		declareFault("create.body.xml_accepted", taken("body.media.xml")),
		declareFault("create.permission.ignored", permitted),
		declareFault("create.permission.answered_401",
			changeAnswer("forbidden", setStatus(http.StatusUnauthorized))),
	)
}

// ignoreTargetUser returns an effect that runs requests on behalf of a user as their caller.
func ignoreTargetUser(operation operation) effect {
	return effectDuring(operation, func(q *requestState, _ *requestSender) {
		if q.namesProduct() && q.gateway.data.users[strings.ToLower(q.targetUserID())] != nil {
			q.r.Header.Del(q.names.OnBehalfOf)
		}
	})
}

// callerFaults declares faults that depend on the caller, the product or the language.
func callerFaults() faultDeclarations {
	inLanguage := func(q *requestState) bool { return q.preferredLanguage() != "" }
	known := func(q *requestState) bool {
		of := slices.Concat(q.gateway.data.main.person.products, q.gateway.data.other.person.products)
		return slices.Contains(of, strings.ToLower(q.r.Header.Get("x-product-uuid")))
	}
	unknown := ignoreDefects(operationCreate, "header.product.unknown")
	return slices.Concat(
		declareFault("create.header.on_behalf_of_ignored", ignoreTargetUser(operationCreate)),
		declareFault("create.header.product_foreign_accepted", effectWhen(known, unknown)),
		declareFault("create.header.product_unknown_accepted", effectWhen(not(known), unknown)),
		declareFault("create.header.together.product_rejected",
			effectWhen((*requestState).usesAPIKey, rejectFieldsWhen(operationCreate, nil, "header.product")),
		),
		declareFault("create.header.product_other_status",
			effectWhen((*requestState).namesProduct, changeAnswer("created", setStatus(http.StatusOK)))),
		declareFault("create.header.default_language_english",
			effectDuring(operationCreate, effectWhen(not(inLanguage), func(a *pendingResponse) {
				if refusal := a.errorObject(); refusal != nil {
					refusal["message"] = refusalTitles[a.kind][1]
				}
			}))),
	)
}
