// Package transport sends load to one origin and reads the answers. Each engine has its
// transport: FastHTTP uses fasthttp's client, NetHTTP uses net/http's, which also supports
// HTTP/2 and proxies. Neither retries a request once any byte of it may have arrived: replay
// protection would block the retry, and the run would blame the target.
package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/gateassay/gateassay/load/judge"
)

// Limits of an answer in bytes. A longer one is a judge.FailureProtocol.
const (
	maxHeadBytes = 64 << 10 // informational answers included
	MaxBodyBytes = 64 << 10
)

// Config configures a transport. Only Base is required. The deployment file and the plan have
// been checked.
type Config struct {
	Base    *url.URL        // only scheme, host and port are used
	Via     *http.Transport // provides TLS settings, dialer and proxy; nil: defaults
	Version string          // of HTTP: 1.1 or 2; empty: negotiated with the target
	Timeout time.Duration   // of a request, including connecting; 0: 30 s

	MaxConnections int  // limit; 0: as many as requests in flight
	NoReuse        bool // no keep-alive: a connection per request

	proxy *url.URL // proxy of Via for Base
}

func (o *Config) complete() error {
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

// unreadableError returns why an answer with this status and body size is invalid, or nil.
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

// These errors wrap what judge.FailureOf looks for.
var (
	errRunEnding = fmt.Errorf("canceled because the run is ending: %w", context.Canceled)
	errTimeout   = fmt.Errorf("no complete answer within the timeout: %w", os.ErrDeadlineExceeded)
	errClosed    = fmt.Errorf("the peer closed the connection before its answer was whole: %w",
		io.ErrUnexpectedEOF)
)

// malformedError returns the error for an answer that is not HTTP within the limits.
func malformedError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", judge.ErrProtocol, fmt.Sprintf(format, args...))
}

// A handshakeError tells a failed handshake from a failed connection.
type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return "the TLS handshake failed: " + e.err.Error() }
func (e *handshakeError) Unwrap() error { return e.err }

// As makes judge.FailureOf report every failed handshake as a TLS failure, whatever its cause.
func (e *handshakeError) As(target any) bool {
	record, ok := target.(*tls.RecordHeaderError)
	if ok {
		record.Msg = e.Error()
	}
	return ok
}

// classifyError wraps errors of net/http so that judge.FailureOf knows them. Some have no type
// and are told apart by their text.
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
