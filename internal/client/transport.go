package client

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// addressKey is the context key of the whole URL during a dial. Otherwise net/http chooses a
// proxy by host name only.
type addressKey struct{}

// NewTransport returns the transport of requests to a deployment, with its certificates, proxy,
// route, and a dialer that tries IPv4 and IPv6. timeout bounds dialing and the TLS handshake.
// The caller may change pools and protocols before the first request, but not TLS, the dialer
// or the proxy. The error names the setting.
func NewTransport(dep *deployment.File, timeout time.Duration) (*http.Transport, error) {
	conf, key, err := dep.TLS.Config()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	proxy := http.ProxyFromEnvironment // unless the host is this machine
	if u, err := url.Parse(dep.Proxy); err == nil && dep.Proxy != "" {
		proxy = http.ProxyURL(u)
	}
	dialer := &net.Dialer{
		Timeout: timeout, KeepAlive: 15 * time.Second, Resolver: newResolver(dep.Route),
	}
	return &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) {
			if whole, ok := r.Context().Value(addressKey{}).(*url.URL); ok {
				r = &http.Request{URL: whole}
			}
			if _, elsewhere := dep.Route.ConnectTo[hostPort(r.URL)]; elsewhere {
				return nil, nil
			}
			return proxy(r)
		},
		OnProxyConnectResponse: proxyConnectError,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			to := cmp.Or(dep.Route.ConnectTo[strings.ToLower(address)], address)
			return dialer.DialContext(ctx, network, to)
		},
		TLSClientConfig:        conf,
		TLSHandshakeTimeout:    timeout,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // headers are judged as sent
		IdleConnTimeout:        maxIdleTime,
		MaxResponseHeaderBytes: maxHeaderBytes,
	}, nil
}

// newResolver returns the resolver of a route, or nil for the system's resolver.
func newResolver(r deployment.Route) *net.Resolver {
	if r.Resolver == "" {
		return nil
	}
	return &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, r.Resolver)
		},
	}
}

// ProxyError reports a proxy that refused the connection to a deployment.
type ProxyError struct {
	Proxy  string // host and port
	Status int    // of its answer
}

func (e *ProxyError) Error() string {
	return fmt.Sprintf("the proxy %s answered %d %s", e.Proxy, e.Status, http.StatusText(e.Status))
}

// NextStep advises how to get past the proxy.
func (e *ProxyError) NextStep() string {
	if e.Status == http.StatusProxyAuthRequired {
		return "put the user and password into the address of the proxy, or bypass it (NO_PROXY)"
	}
	return "ask the operators of the proxy to let this host pass, or bypass it (NO_PROXY)"
}

// proxyConnectError returns an error if a proxy refuses CONNECT.
func proxyConnectError(
	_ context.Context, proxy *url.URL, _ *http.Request, answer *http.Response,
) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return &ProxyError{Proxy: proxy.Host, Status: answer.StatusCode}
}
