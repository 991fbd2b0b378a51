package reference

import (
	"encoding/json"
	"net/http"
	"slices"
)

// missingReturnFaults refuse a request and go on with it: the result stands behind the error in the
// body, as where a handler does not return after it wrote one.
func missingReturnFaults() faultDeclarations {
	refuse := func(status int, refused func(*requestState) bool) effect {
		return effectWhen(refused, func(a *pendingResponse) {
			result, raw := a.body.([]byte)
			if !raw {
				result, _ = json.Marshal(a.body) // which the gateway itself made
			}
			if a.status < 300 {
				a.status, a.body = status, append([]byte(`{"error":{"message":"refused"}}`+"\n"), result...)
			}
		})
	}
	anonymous, motherless := (*requestState).hasNoCredential, fieldIs("mother_name", nil)
	return slices.Concat(
		declareFault("auth.missing_return", authenticateAsMainUserWhen(anonymous),
			refuse(http.StatusUnauthorized, anonymous)),
		declareFault("create.required.mother_name.missing_return",
			ignoreDefects(operationCreate, "required.mother_name.absent"),
			effectDuring(operationCreate, refuse(http.StatusBadRequest, motherless))),
	)
}
