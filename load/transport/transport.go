// Package transport sends load to one origin and reads the answers. Each engine has a transport of its own: Sockets is
// an HTTP/1.1 client over connections of its own that allocates nothing for a request, HTTP is net/http's client, which
// speaks HTTP/2 and through proxies too.
//
// Neither sends a request a second time once any of it may have arrived: behind replay protection a repeat would be
// blocked, and the run would blame the target for it.
package transport

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options of a transport. The zero value of each field but Base is usable.
type Options struct {
	Base       *url.URL        // the origin: scheme http or https, host, port; its path is not used
	Via        *http.Transport // how the deployment is reached: its TLS settings and proxy count; nil: no proxy
	Version    string          // of HTTP: 1.1 or 2; empty: what the target negotiates
	Timeout    time.Duration   // of one request, connecting included; 0: 30 s
	Most       int             // connections at once; 0: as many as there are requests under way
	NoReuse    bool            // keep-alive off: a connection for each request
	SourceIPs  []string        // local addresses to connect from, in turn
	DNSRefresh time.Duration   // new connections look the host up again after this; 0: 30 s, below 0: each time
	MaxHead    int             // bytes of an answer's head, informational answers included; 0: 64 KiB
	MaxBody    int             // bytes of an answer's body; 0: 1 MiB
	UserAgent  string          // empty: gateassay-load

	proxy *url.URL // that Via names for Base
}

// complete checks the options and sets defaults.
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
	case o.Version != "" && o.Version != "1.1" && o.Version != "2":
		return fmt.Errorf("--http %q is unknown: give 1.1 or 2, or leave it out", o.Version)
	}
	if o.Via == nil {
		o.Via = &http.Transport{}
	}
	if o.Via.Proxy != nil {
		proxy, err := o.Via.Proxy(&http.Request{URL: o.Base})
		if err != nil {
			return fmt.Errorf("the proxy on the way to %s cannot be used: %w", o.Base.Redacted(), err)
		}
		o.proxy = proxy
	}
	o.Timeout, o.DNSRefresh = cmp.Or(o.Timeout, 30*time.Second), cmp.Or(o.DNSRefresh, 30*time.Second)
	o.MaxHead, o.MaxBody = cmp.Or(o.MaxHead, 64<<10), cmp.Or(o.MaxBody, 1<<20)
	o.UserAgent = cmp.Or(o.UserAgent, "gateassay-load")
	return nil
}
