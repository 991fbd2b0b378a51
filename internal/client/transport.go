package client

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// addressKey is the whole address in the context of a dial: net/http asks for the proxy of a new
// connection by the name of a host alone.
type addressKey struct{}

// NewTransport makes what requests to a deployment go through: its trusted certificates and client
// certificate, its proxy, its route, and a dialer that tries the addresses of both families of a
// name. timeout bounds a connection and a handshake. The caller may change pools and protocols
// before the first request, but not its TLS, dialer or proxy. The error names the key.
func NewTransport(dep *deployment.File, timeout time.Duration) (*http.Transport, error) {
	conf, key, err := dep.TLS.Config()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	proxy := http.ProxyFromEnvironment // for all that leaves this machine
	if u, err := url.Parse(dep.Proxy); err == nil && dep.Proxy != "" {
		proxy = http.ProxyURL(u)
	}
	dialer := &net.Dialer{
		Timeout:   timeout,
		KeepAlive: 15 * time.Second,
		Resolver:  newResolver(dep.Route),
	}
	return &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) {
			if whole, ok := r.Context().Value(addressKey{}).(*url.URL); ok {
				r = &http.Request{URL: whole}
			}
			if _, elsewhere := connectAddress(dep.Route, hostPort(r.URL)); elsewhere {
				return nil, nil
			}
			return proxy(r)
		},
		OnProxyConnectResponse: proxyConnectError,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if to, elsewhere := connectAddress(dep.Route, address); elsewhere {
				address = to
			}
			return dialer.DialContext(ctx, network, address)
		},
		TLSClientConfig:        conf,
		TLSHandshakeTimeout:    timeout,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // headers are judged as they were sent
		IdleConnTimeout:        maxIdleTime,
		MaxResponseHeaderBytes: maxHeaderBytes,
	}, nil
}

// ProxyError is a proxy that opens no way to a deployment.
type ProxyError struct {
	Proxy  string // its host and port
	Status int    // of its answer
}

func (e *ProxyError) Error() string {
	return fmt.Sprintf("the proxy %s answered %d %s", e.Proxy, e.Status, http.StatusText(e.Status))
}

// NextStep is what to do about it.
func (e *ProxyError) NextStep() string {
	if e.Status == http.StatusProxyAuthRequired {
		return "write user and password into the address of the proxy, or go without it (NO_PROXY)"
	}
	return "ask those who run the proxy to let this host pass, or go without it (NO_PROXY)"
}

// proxyConnectError is the error of an answer to CONNECT that opens no way.
func proxyConnectError(
	_ context.Context, proxy *url.URL, _ *http.Request, answer *http.Response,
) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return &ProxyError{Proxy: proxy.Host, Status: answer.StatusCode}
}
