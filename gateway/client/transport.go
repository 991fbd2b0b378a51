package client

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Transport makes what requests to a deployment go through: its trusted certificates and client certificate, its proxy,
// and a dialer that tries the addresses of both families of a name. timeout bounds a connection and a handshake. The
// caller may change pools and protocols before the first request, but not its TLS or proxy. The error names the key.
func Transport(dep *deployment.File, timeout time.Duration) (*http.Transport, error) {
	conf, key, err := dep.TLS.Config()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	proxy := http.ProxyFromEnvironment // for all that leaves this machine
	if u, err := url.Parse(dep.Proxy); err == nil && dep.Proxy != "" {
		proxy = http.ProxyURL(u)
	}
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            (&net.Dialer{Timeout: timeout, KeepAlive: 15 * time.Second}).DialContext,
		TLSClientConfig:        conf,
		TLSHandshakeTimeout:    timeout,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,            // headers are judged as they were sent
		IdleConnTimeout:        4 * time.Second, // below what servers use: one that they just closed breaks a request
		MaxResponseHeaderBytes: maxHeader,
	}, nil
}
