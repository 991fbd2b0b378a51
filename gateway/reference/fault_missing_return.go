package reference

import (
	"encoding/json"
	"net/http"
)

// missingReturnFaults refuse a request and go on with it: the result stands behind the error in the
// body, as where a handler does not return after it wrote one.
func missingReturnFaults() changes {
	refuse := func(status int, refused func(*request) bool) effect {
		return when(refused, func(a *response) {
			result, raw := a.body.([]byte)
			if !raw {
				result, _ = json.Marshal(a.body) // which the gateway itself made
			}
			if a.status < 300 {
				a.status, a.body = status, append([]byte(`{"error":{"message":"refused"}}`+"\n"), result...)
			}
		})
	}
	anonymous, motherless := (*request).hasNoCredential, fieldIs("mother_name", nil)
	return changes{
		"auth.missing_return": combine(authenticateWhen(anonymous),
			refuse(http.StatusUnauthorized, anonymous)),
		"create.required.mother_name.missing_return": combine(
			ignoreDefects(opCreate, "required.mother_name.absent"),
			during(opCreate, refuse(http.StatusBadRequest, motherless))),
	}
}
