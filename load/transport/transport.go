// Package transport sends load to one origin and reads the answers. Each engine has a transport of
// its own: FastHTTP is fasthttp's client, NetHTTP is net/http's, which speaks HTTP/2 and through
// proxies too.
//
// Neither sends a request a second time once any of it may have arrived: behind replay protection a
// repeat would be blocked, and the run would blame the target for it.
package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/gateassay/gateassay/load/judge"
)

// What is read of an answer, in bytes: a longer one counts as malformed.
const (
	MaxHeadBytes = 64 << 10 // informational answers included
	MaxBodyBytes = 64 << 10
)

// Config of a transport. The zero value of each field but Base is usable.
type Config struct {
	Base    *url.URL        // scheme, host and port count
	Via     *http.Transport // its TLS settings, dialer and proxy are used; nil: none are
	Version string          // of HTTP: 1.1 or 2; empty: what the target negotiates
	Timeout time.Duration   // of one request, connecting included; 0: 30 s

	MaxConnections int  // at once; 0: as many as requests under way
	NoReuse        bool // keep-alive off: a connection for each request

	proxy *url.URL // that Via names for Base
}

func (o *Config) checkAndComplete() error {
	switch {
	case o.Base == nil:
		return fmt.Errorf("the transport has no address to send to")
	case o.Base.Scheme != "http" && o.Base.Scheme != "https":
		return fmt.Errorf("base_url %s: the scheme must be http or https, not %q",
			o.Base.Redacted(), o.Base.Scheme)
	case o.Base.Hostname() == "":
		return fmt.Errorf("base_url %s names no host", o.Base.Redacted())
	case strings.ContainsAny(o.Base.Host, "\r\n \t"):
		return fmt.Errorf("base_url: the host %q holds white space", o.Base.Host)
	case o.Version != "" && o.Version != "1.1" && o.Version != "2":
		return fmt.Errorf("--http %q is unknown: give 1.1 or 2, or leave it out", o.Version)
	}
	if o.Via == nil {
		o.Via = &http.Transport{}
	}
	if o.Via.DialContext == nil {
		o.Via = o.Via.Clone()
		o.Via.DialContext = new(net.Dialer).DialContext
	}
	if o.Via.Proxy != nil {
		proxy, err := o.Via.Proxy(&http.Request{URL: o.Base})
		if err != nil {
			return fmt.Errorf("the proxy to %s cannot be used: %w", o.Base.Redacted(), err)
		}
		o.proxy = proxy
	}
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	return nil
}

// unreadableError says why an answer with this status and size of body is none.
func unreadableError(status, size int) error {
	switch {
	case status < 200 || status > 999:
		return malformedError("its status is %d, although no other protocol was asked for", status)
	case size > MaxBodyBytes:
		return malformedError("its body is larger than %d bytes", MaxBodyBytes)
	}
	return nil
}

func newTLSConfig(o *Config) *tls.Config {
	conf := o.Via.TLSClientConfig.Clone()
	if conf == nil {
		conf = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if conf.ClientSessionCache == nil {
		conf.ClientSessionCache = tls.NewLRUClientSessionCache(0)
	}
	conf.ServerName = o.Base.Hostname()
	return conf
}

// Errors are made so that judge.FailureOf finds their kind.
var (
	errRunEnding = fmt.Errorf("broken off, as the run is ending: %w", context.Canceled)
	errTimeout   = fmt.Errorf("no complete answer within the timeout: %w", os.ErrDeadlineExceeded)
	errClosed    = fmt.Errorf("the peer closed the connection before its answer was whole: %w",
		io.ErrUnexpectedEOF)
)

func isClosedError(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, fasthttp.ErrConnectionClosed)
}

// malformedError is an answer that cannot be read as HTTP within the limits.
func malformedError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", judge.ErrProtocol, fmt.Sprintf(format, args...))
}

// handshakeError sets a failed handshake apart from a failed connection.
type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return "the TLS handshake failed: " + e.err.Error() }
func (e *handshakeError) Unwrap() error { return e.err }

// As lets every failed handshake count as a failure of TLS, whatever ended it.
func (e *handshakeError) As(target any) bool {
	record, ok := target.(*tls.RecordHeaderError)
	if ok {
		record.Msg = e.Error()
	}
	return ok
}

// classifyError gives errors of net/http, some of which exist in words only, their kind.
func classifyError(err error) error {
	if judge.FailureOf(err) != judge.FailureOther {
		return err
	}
	text := err.Error()
	has := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case has("server closed"), has("connection lost"), has("GOAWAY"):
		return fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
	case has("malformed"), has("bad Content-Length"), has("transfer encoding"), has("chunk"),
		has("headers exceeded"), has("header list too large"), has("PROTOCOL_ERROR"),
		has("http2"), has("HTTP/"):
		return fmt.Errorf("%w: %w", judge.ErrProtocol, err)
	case has("tls:"):
		return &handshakeError{err}
	}
	return err
}
