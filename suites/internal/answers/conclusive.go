package answers

import (
	"net/http"

	"github.com/gateassay/gateassay/internal/client"
)

// ConclusiveFunc reports whether an answer is about the request itself.
type ConclusiveFunc func(*client.Exchange) bool

// ConclusiveForField reports whether an answer may be about a field. 401, 403 and 429 are about
// the caller, and a 5xx is about the deployment.
func ConclusiveForField(x *client.Exchange) bool {
	switch x.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, 0:
		return false
	}
	return x.Status < 500
}

// ConclusiveForAttack is ConclusiveForField, but also accepts 403, which a firewall may answer
// to what it takes for an attack.
func ConclusiveForAttack(x *client.Exchange) bool {
	return ConclusiveForField(x) || x.Status == http.StatusForbidden
}

// ConclusiveForCaller is ConclusiveForField, but also accepts 401 and 403, for requests about
// identity, headers or the owner of an object.
func ConclusiveForCaller(x *client.Exchange) bool {
	return x.Status != 0 && x.Status != http.StatusTooManyRequests && x.Status < 500
}

// MayBeBusy reports whether an answer may refuse a valid export because the deployment has others to
// work on.
func MayBeBusy(x *client.Exchange) bool {
	return x.Operation == client.OperationExport &&
		(x.Status == http.StatusForbidden || x.Status == http.StatusConflict)
}

// RefusesValues reports whether an answer says that a value of the request is missing or invalid.
func RefusesValues(x *client.Exchange) bool {
	return x.Status == http.StatusBadRequest || x.Status == http.StatusUnprocessableEntity
}
