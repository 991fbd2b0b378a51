// Package transport sends load to one origin and reads the answers. Two implementations stand behind one interface:
// raw, an HTTP/1.1 client over connections of its own that allocates nothing for a request, and nethttp, which is the
// standard library's client and speaks HTTP/2 and through proxies too.
//
// Neither ever sends a request a second time by itself: behind replay protection a repeat would be blocked, and the
// run would blame the target for it.
package transport

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Name of a transport, as --transport spells it.
type Name string

// The transports. Auto is Raw, unless HTTP/2 is asked for or a proxy stands between: then it is NetHTTP.
const (
	Auto    Name = ""
	Raw     Name = "raw"
	NetHTTP Name = "nethttp"
)

// Options of a transport. The zero value of each field but Base is usable.
type Options struct {
	Base       *url.URL       // the origin: scheme http or https, host, port; its path is not used
	Name       Name           // which implementation
	HTTP2      bool           // speak HTTP/2: by ALPN over TLS, with prior knowledge over plain TCP
	TLS        deployment.TLS // how the certificate is verified
	Proxy      *url.URL       // nil: what the environment says, and none for loopback
	NoProxy    bool           // use none, whatever the environment says
	Timeout    time.Duration  // of one request, connecting included; 0: 30 s
	NoReuse    bool           // keep-alive off: a connection for each request
	SourceIPs  []string       // local addresses to connect from, in turn
	DNSRefresh time.Duration  // new connections look the host up again after this; 0: 30 s, below 0: each time
	MaxHead    int            // bytes of an answer's head, informational answers included; 0: 64 KiB
	MaxBody    int            // bytes of an answer's body; 0: 1 MiB
	UserAgent  string         // empty: gateassay-load
}

// A Transport opens sessions with its origin. It is safe for concurrent use.
type Transport interface {
	// Open returns a session. It connects with its first request, never before.
	Open() Session
	// Name tells which implementation this is.
	Name() Name
	// Cut breaks off what is in flight: those requests, and any that follow, end as canceled.
	Cut()
	// Close frees the connections of sessions that are closed or forgotten; it cuts what is still in flight.
	Close()
}

// A Session carries one request at a time. With raw it owns one connection.
type Session interface {
	// Do sends the request of x and fills in its answer. It returns when the answer is whole or has failed.
	Do(x *Exchange)
	// Cut breaks off the request in flight, from any goroutine. The session is of no use afterwards.
	Cut()
	// Close frees the connection. No request may be in flight.
	Close()
}

const (
	defaultTimeout = 30 * time.Second
	defaultRefresh = 30 * time.Second
	defaultMaxHead = 64 << 10
	defaultMaxBody = 1 << 20
)

// New makes the transport that o asks for. An error says which option is wrong, and what would do.
func New(o Options) (Transport, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	d, err := newDialer(&o)
	if err != nil {
		return nil, err
	}
	if o.Name == Raw {
		return newRaw(o, d), nil
	}
	return newNetHTTP(o, d), nil
}

// complete checks the options, sets defaults and settles Auto.
func (o *Options) complete() error {
	switch {
	case o.Base == nil:
		return fmt.Errorf("the transport has no address to send to")
	case o.Base.Scheme != "http" && o.Base.Scheme != "https":
		return fmt.Errorf("base_url %s: the scheme must be http or https, not %q", o.Base.Redacted(), o.Base.Scheme)
	case o.Base.Hostname() == "":
		return fmt.Errorf("base_url %s names no host", o.Base.Redacted())
	case strings.ContainsAny(o.Base.Host, "\r\n \t"):
		return fmt.Errorf("base_url: the host %q holds white space", o.Base.Host)
	case strings.ContainsAny(o.UserAgent, "\r\n"):
		return fmt.Errorf("the user agent holds a line break")
	}
	if o.Proxy == nil && !o.NoProxy && !isLoopback(o.Base.Hostname()) {
		proxy, err := http.ProxyFromEnvironment(&http.Request{URL: o.Base})
		if err != nil {
			return fmt.Errorf("the proxy that the environment names cannot be used: %w", err)
		}
		o.Proxy = proxy
	}
	switch o.Name {
	case Auto:
		o.Name = Raw
		if o.HTTP2 || o.Proxy != nil {
			o.Name = NetHTTP
		}
	case Raw:
		if o.HTTP2 {
			return fmt.Errorf("--transport raw speaks HTTP/1.1 only: leave out --http2, or use --transport nethttp")
		}
		if o.Proxy != nil {
			return fmt.Errorf("--transport raw knows no proxy (%s is set): use --transport nethttp, or --no-proxy", o.Proxy.Redacted())
		}
	case NetHTTP:
	default:
		return fmt.Errorf("--transport %q is unknown: give raw or nethttp", string(o.Name))
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.DNSRefresh == 0 {
		o.DNSRefresh = defaultRefresh
	}
	if o.MaxHead <= 0 {
		o.MaxHead = defaultMaxHead
	}
	if o.MaxBody <= 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.UserAgent == "" {
		o.UserAgent = "gateassay-load"
	}
	return nil
}
