package answers

import (
	"net/http"

	"github.com/gateassay/gateassay/internal/client"
)

// ConclusiveFunc reports whether an answer speaks about the request itself.
type ConclusiveFunc func(*client.Exchange) bool

// ConclusiveForField: a 401, a 403 and a 429 speak about the caller, a 5xx about the deployment;
// neither is the rejection of a bad field.
func ConclusiveForField(x *client.Exchange) bool {
	switch x.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, 0:
		return false
	}
	return x.Status < 500
}

// ConclusiveForAttack: as ConclusiveForField, but a firewall in front may answer 403 to what it
// takes for an attack.
func ConclusiveForAttack(x *client.Exchange) bool {
	return ConclusiveForField(x) || x.Status == http.StatusForbidden
}

// ConclusiveForCaller: as ConclusiveForField, but 401 and 403 are answers as well: identity,
// headers, whose object it is.
func ConclusiveForCaller(x *client.Exchange) bool {
	return x.Status != 0 && x.Status != http.StatusTooManyRequests && x.Status < 500
}
