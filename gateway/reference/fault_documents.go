package reference

import (
	"net/http"
	"slices"
	"strings"
)

func documentFaults() faults {
	return slices.Concat(
		fault("create.documents.answered_500", "documents.accepted", "answers every upload with a server error",
			answered(documenting, "uploaded", crash)),
		identity("id", "answers identity cards with a server error", "id", "rg"),
		identity("cnh", "answers driving licences with a server error", "cnh"),
		identity("passport", "answers passports with a server error", "passport", "passaporte"),
		fault("create.documents.anonymous_accepted", "documents.authenticated", "accepts uploads without a credential",
			anonymous(documenting)),
		fault("create.documents.signature_unchecked", "documents.authenticated",
			"accepts uploads under a token whose signature was changed", believes(forgery.other).of(documenting)),
		fault("create.documents.expired_accepted", "documents.authenticated", "accepts uploads under an expired token",
			admits(withToken((*call).expired)).of(documenting)),
		fault("create.documents.revoked_key_accepted", "documents.authenticated", "accepts uploads under a revoked API key",
			admits(withKey(revoked)).of(documenting)),
		fault("create.documents.foreign_accepted", "documents.foreign",
			"accepts documents of a representative of another legal person",
			answered(documenting, "not_found", func(q *call, a *reply) {
				q.g.store.step(func() {
					if q.g.representative(strings.ToLower(q.r.PathValue("id"))) != nil {
						a.status, a.body = http.StatusCreated, object{"documents": documentParts}
					}
				})
			})),
		fault("create.documents.unknown_accepted", "documents.unknown_id",
			"accepts documents of a representative that does not exist",
			answered(documenting, "not_found", func(_ *call, a *reply) {
				a.status, a.body = http.StatusCreated, object{"documents": documentParts}
			})),
		fault("create.documents.unknown_500", "documents.unknown_id",
			"answers an unknown representative with a server error", answered(documenting, "not_found", crash)),
	)
}
