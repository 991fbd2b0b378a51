package reference

import (
	"net/http"
	"slices"
	"strings"
)

// createRequestFaults declares faults in handling the headers and the body of a creation.
func createRequestFaults() changes {
	// taken accepts a body that is not JSON.
	taken := func(key string) any {
		return func(q *request, found *defects) {
			if q.body == nil && slices.ContainsFunc(*found, func(i defect) bool { return i.Key == key }) {
				*found = nil // a body that is not read has no other defects
			}
		}
	}
	permitted := func(s *sender) {
		if s.user != nil && !s.user.mayCreate { // users with the permission stay as they are
			may := *s.user
			may.mayCreate, s.user = true, &may
		}
	}
	return changes{
		"create.header.language_required": rejectWhen(opCreate, prefers("")),
		"create.body.charset_rejected":    rejectWhen(opCreate, namesCharset),
		"create.body.form_accepted":       taken("body.media.form"),
		"create.body.xml_accepted":        taken("body.media.xml"),
		"create.permission.ignored":       permitted,
		"create.permission.answered_401":  changeAnswer("forbidden", setStatus(http.StatusUnauthorized)),
	}
}

// ignoreTargetUser returns an effect that runs requests on behalf of a user as their caller.
func ignoreTargetUser(operation operation) effect {
	return during(operation, func(q *request, _ *sender) {
		if q.namesProduct() && q.gateway.data.users[strings.ToLower(q.targetUserID())] != nil {
			q.r.Header.Del(q.names.OnBehalfOf)
		}
	})
}

// callerFaults declares faults that depend on the caller, the product or the language.
func callerFaults() changes {
	known := func(q *request) bool {
		of := slices.Concat(q.gateway.data.main.person.products, q.gateway.data.other.person.products)
		return slices.Contains(of, strings.ToLower(q.r.Header.Get("x-product-uuid")))
	}
	unknown := ignoreDefects(opCreate, "header.product.unknown")
	return changes{
		"create.header.on_behalf_of_ignored":     ignoreTargetUser(opCreate),
		"create.header.product_foreign_accepted": when(known, unknown),
		"create.header.product_unknown_accepted": when(not(known), unknown),
		"create.header.together.product_rejected": when((*request).usesAPIKey,
			rejectFieldsWhen(opCreate, nil, "header.product")),
		"create.header.product_other_status": when((*request).namesProduct,
			changeAnswer("created", setStatus(http.StatusOK))),
		"create.header.default_language_english": during(opCreate, when(prefers(""), func(a *response) {
			if refusal := a.errorObject(); refusal != nil {
				refusal["message"] = refusalTitles[a.kind][1]
			}
		})),
	}
}
