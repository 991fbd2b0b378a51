package client

import (
	"net/http"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Transport makes what reaches a deployment, as its file says: TLS, proxy. Load builds on it, so that conform and load
// meet a deployment alike.
func Transport(dep *deployment.File) (*http.Transport, error) {
	return newTransport(dep.TLS, Options{})
}
