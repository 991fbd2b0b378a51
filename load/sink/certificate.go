package sink

import (
	"crypto/tls"
	"net/http/httptest"
)

// SelfSigned is a certificate for the loopback, which clients trust only without looking.
func SelfSigned() *tls.Config {
	server := httptest.NewTLSServer(nil)
	server.Close()
	return &tls.Config{Certificates: server.TLS.Certificates, NextProtos: []string{"http/1.1"}}
}
